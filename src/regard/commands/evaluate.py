"""regard evaluate: translations, references -> scores with their signatures."""

from pathlib import Path
from typing import Annotated

import typer

from regard.commands.output import write_json
from regard.errors import CorpusError, RecipeError
from regard.text.lines import read_lines


def evaluate(
    hypotheses: Annotated[list[Path], typer.Argument(help="Files of translations.")],
    reference: Annotated[Path, typer.Option(help="What they should be, line for line.")],
    tokenize: Annotated[
        str, typer.Option(help="sacreBLEU's tokenizer; none for text that is tokenised already.")
    ] = "13a",
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the figures there.")] = None,
) -> None:
    """Score translations with sacreBLEU."""
    from regard.evaluate.bleu import TOKENIZERS, bleu

    if tokenize not in TOKENIZERS:
        raise RecipeError(f"--tokenize {tokenize} must be one of {', '.join(TOKENIZERS)}")
    wanted = list(read_lines(reference))
    if not wanted:
        raise CorpusError(f"{reference} is empty; give at least one reference")
    figures = {}
    for path in hypotheses:
        found = list(read_lines(path))
        if len(found) != len(wanted):
            raise CorpusError(
                f"{path} has {len(found)} lines but {reference} has {len(wanted)};"
                " give translation and reference line for line"
            )
        score = bleu(found, wanted, tokenize=tokenize, lowercase=lowercase)
        figures[str(path)] = {"bleu": score.score, "signature": score.signature}
        typer.echo(f"{path}\t{score.details}\t{score.signature}")
    write_json(json, figures)
