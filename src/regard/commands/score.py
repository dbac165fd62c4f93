"""regard score: sentences, given translations -> how likely the model finds them."""

import math
from typing import Annotated

import typer

from regard.commands import options
from regard.commands.device import choose
from regard.commands.given import windows_of
from regard.commands.output import output, write_json
from regard.errors import CorpusError
from regard.text.pieces import EOS

MOST_LOSS = 700.0
"""In nats a piece; the exponential of more is no float."""


def score(
    run: options.Run,
    source: options.Source,
    target: options.Target,
    pieces: Annotated[
        bool, typer.Option("--pieces", help="TARGET holds pieces with spaces between, not text.")
    ] = False,
    output_: options.Output = None,
    json: options.Json = None,
    device: options.Device = "auto",
) -> None:
    """Log-probability in nats of given translations: a line each, then perplexity.

    Columns: log-probability of the whole, its end counted; how many pieces, likewise; the mean of
    a piece; and each piece with its own.
    """
    from regard.translator import Translator

    translator = Translator.load(run, device=choose(device))
    total, count, sentences = 0.0, 0, 0
    with output(output_) as file:
        for window in windows_of(translator, source, target, as_pieces=pieces):
            found = translator.log_probs(
                [given.source_ids for given in window], [given.target_ids for given in window]
            )
            for given, values in zip(window, found, strict=True):
                names = map(translator.target.piece, [*given.target_ids, EOS])
                each = " ".join(f"{n}={v:.4f}" for n, v in zip(names, values, strict=True))
                log_prob = float(values.sum(dtype=float))
                line = f"{log_prob:.4f}\t{len(values)}\t{log_prob / len(values):.4f}\t{each}\n"
                file.write(line.encode())
                total, count, sentences = total + log_prob, count + len(values), sentences + 1
        if not count:
            raise CorpusError(f"{source} is empty; give at least one sentence")
    perplexity = math.exp(min(-total / count, MOST_LOSS))
    typer.echo(
        f"regard: perplexity {perplexity:.4f}, {count:,} pieces, {sentences:,} translations",
        err=True,
    )
    figures = {"log_prob": total, "pieces": count, "translations": sentences}
    write_json(json, {**figures, "perplexity": perplexity})
