"""regard export: a run -> the same for somebody else's engine, and what it lost on the way."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.commands import options
from regard.commands.output import write_json
from regard.errors import CorpusError, RecipeError

if TYPE_CHECKING:
    from regard.engines.export import Exported
    from regard.translator import Translator

MOST_LOSS = 0.5
"""BLEU that an export may lose without being told so."""


def export(
    run: options.Run,
    to: Annotated[str, typer.Option(help="For which engine: ctranslate2.")],
    quantization: Annotated[
        str, typer.Option(help="How to store the parameters: float32, int8, ...")
    ] = "float32",
    positions: Annotated[
        int, typer.Option(help="How many pieces a sentence may have at most.", min=2)
    ] = 1024,
    source: Annotated[
        Path | None, typer.Option(help="Sentences to compare before and after with.")
    ] = None,
    reference: Annotated[Path | None, typer.Option(help="What they should become.")] = None,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help=f"Even if it loses more than {MOST_LOSS} BLEU.")
    ] = False,
    json: options.Json = None,
) -> None:
    """Write RUN/ctranslate2, which `regard translate --engine ctranslate2` and others can run."""
    from regard.checkpoint import digest, load, resolve
    from regard.engines.export import FOLDER, save
    from regard.engines.export import export as make
    from regard.translator import Translator

    if to != "ctranslate2":
        raise RecipeError(f"--to {to}: there is no such engine; ctranslate2 there is")
    if (source is None) != (reference is None):
        raise RecipeError("--source and --reference go together; give both or neither")
    folder = resolve(run)
    checkpoint = load(folder)
    translator = Translator.of(checkpoint)
    exported = make(
        translator.model,
        translator.source,
        translator.target,
        stored_as=quantization,
        positions=positions,
        digest=digest(folder),
    )
    figures: dict[str, Any] = {
        "stored_as": quantization,
        "positions": exported.positions,
        "bytes": len(exported.files["model.bin"]),
    }
    if source and reference:
        rules = checkpoint.recipe["validation"]
        figures |= _compare(translator, exported, source, reference, rules)
        _say(figures)
        if figures["lost"] > MOST_LOSS and not accept_loss:
            write_json(json, figures)
            raise RecipeError(
                f"{figures['lost']:.2f} BLEU would be lost, more than {MOST_LOSS}; nothing was"
                " written: try another --quantization, or --accept-loss"
            )
    save(run / FOLDER, exported)
    typer.echo(
        f"{run / FOLDER}: {quantization}, {figures['bytes']:,} bytes, up to"
        f" {exported.positions:,} pieces"
    )
    write_json(json, figures)


def _compare(
    translator: "Translator", exported: "Exported", source: Path, reference: Path, rules: Any
) -> dict[str, Any]:
    """BLEU by our engine, and by the other as the search's rules let it."""
    from regard.data.pairs import read_pairs
    from regard.engines.ctranslate2 import CTranslate2
    from regard.evaluate import bleu

    pairs = list(read_pairs([source, reference]))
    if not pairs:
        raise CorpusError(f"{source} is empty; give at least one sentence")
    engine = CTranslate2(exported, translator.source, translator.target, approximate=True)
    texts, wanted = [pair.source for pair in pairs], [pair.target for pair in pairs]
    before, after = (
        [found.text for found in searched.translate(texts)]
        for searched in (translator, translator.through(engine))
    )
    first, second = (
        bleu(texts, wanted, tokenize=rules["tokenize"], lowercase=rules["lowercase"])
        for texts in (before, after)
    )
    return {
        "bleu_before": first.score,
        "bleu_after": second.score,
        "lost": first.score - second.score,
        "same": sum(a == b for a, b in zip(before, after, strict=True)) / len(pairs),
        "signature": first.signature,
    }


def _say(figures: dict[str, Any]) -> None:
    typer.echo(
        f"BLEU {figures['bleu_before']:.2f} before, {figures['bleu_after']:.2f} after;"
        f" {figures['same']:.1%} of the translations are the same\n{figures['signature']}"
    )
