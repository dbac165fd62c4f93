"""regard align: sentences, translations -> which words belong together, by attention."""

from pathlib import Path
from typing import Annotated

import typer

from regard.commands import options
from regard.commands.device import choose
from regard.commands.output import output, write_json
from regard.errors import RecipeError


def align(
    run: options.Run,
    source: options.Source,
    target: options.Target,
    reverse: Annotated[
        Path | None,
        typer.Option(help="A run for the other direction, by which source words choose."),
    ] = None,
    combine: Annotated[
        str, typer.Option(help="target, source, union, intersection or grow-diag.")
    ] = "grow-diag",
    layer: Annotated[int | None, typer.Option(help="Of the decoder, from 1.", min=1)] = None,
    head: Annotated[str | None, typer.Option(help="Of that layer, from 1; or mean.")] = None,
    shift: Annotated[
        int | None,
        typer.Option(help="0: the step that says a word; 1: the one after.", min=0, max=1),
    ] = None,
    dev: Annotated[
        tuple[Path, Path, Path] | None,
        typer.Option(help="Source, target and gold links by which the rest is chosen."),
    ] = None,
    gold: Annotated[Path | None, typer.Option(help="Gold links, for the error rate.")] = None,
    first: Annotated[int, typer.Option(help="What gold links count from.", min=0, max=1)] = 0,
    pieces: Annotated[bool, typer.Option("--pieces", help="Link pieces, not words.")] = False,
    output_: options.Output = None,
    json: options.Json = None,
    device: options.Device = "auto",
) -> None:
    """Word alignments in Pharaoh's format, counted from 0: a line for each pair.

    A word is what stands between spaces. What a target word gives to a source word is summed over
    the source word's pieces, and is the mean over the target word's. A target word chooses the
    source word that it gives most to, a source word the target word that it gets most from.
    """
    from regard.commands import aligning
    from regard.evaluate.alignment import WAYS, errors, show
    from regard.translator import Translator

    if combine not in WAYS:
        raise RecipeError(f"--combine {combine} must be one of {', '.join(WAYS)}")
    named = aligning.Named(_less_one(layer), _head(head, aligning.MEAN), shift)
    rules = {"as_words": not pieces}
    from_gold = {"dev": dev, "first": first, **rules}
    run_ = Translator.load(run, device=choose(device))
    way = "target" if reverse else combine
    choice = aligning.choose(run_, named, way=way, **from_gold)
    other, said = None, f"{choice}, {combine}"
    if reverse:
        back = Translator.load(reverse, device=choose(device))
        its = aligning.choose(back, aligning.Named(), way="target", turned=True, **from_gold)
        other, said = (back, its), f"{said}; other direction: {its}"
    found, lengths = [], []
    with output(output_) as file:
        for pair in aligning.align(
            run_, source, target, choice=choice, way=combine, other=other, **rules
        ):
            file.write(f"{show(pair.links)}\n".encode())
            found.append(pair.links)
            lengths.append(pair.lengths)
        wanted = aligning.read_gold(gold, lengths, first=first) if gold else None
    figures = {"pairs": len(found), "links": sum(map(len, found)), "attention": said}
    typer.echo(f"regard: {said}", err=True)
    if wanted:
        rates = errors(found, wanted)
        figures |= rates._asdict()
        typer.echo(f"regard: {rates}", err=True)
    write_json(json, figures)


def _less_one(number: int | None) -> int | None:
    return None if number is None else number - 1


def _head(given: str | None, mean: int) -> int | None:
    if given is None or given == "mean":
        return None if given is None else mean
    if not (given.isdecimal() and int(given)):
        raise RecipeError(f"--head {given} must be a number from 1, or mean")
    return int(given) - 1
