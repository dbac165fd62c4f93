"""regard translate: text in, text out, line for line; or a file in some shape, filled."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from regard.commands import options
from regard.commands.device import choose
from regard.commands.output import output
from regard.commands.said import Said, say_of
from regard.data.shapes import Filled, Part, Reading, fill, fillable, open_parts
from regard.errors import CorpusError, RecipeError
from regard.text.files import open_bytes
from regard.text.lines import Line, lines, raw_lines
from regard.text.noticed import Noticed
from regard.text.windows import windows

if TYPE_CHECKING:
    from regard.translation import Translation

Ask = Callable[[Sequence[str]], list["Translation"]]
"""Texts to translations."""

WINDOW = 2048
"""Lines that are sorted by length among themselves."""


def translate(
    run: options.Run,
    input: Annotated[
        Path | None,
        typer.Option(
            help="Text to translate, line by line; or a .po, .xlf, .tmx, .srt, .tsv or .jsonl file,"
            " which comes out with its translations filled in. Standard input if not given."
        ),
    ] = None,
    output_: options.Output = None,
    beam: Annotated[int | None, typer.Option(help="Hypotheses kept; 1 is greedy.")] = None,
    alpha: Annotated[float | None, typer.Option(help="Strength of the length penalty.")] = None,
    penalty: Annotated[
        str | None, typer.Option(help="Of length: gnmt as in the paper, length ** alpha, or none.")
    ] = None,
    longest: Annotated[
        int | None, typer.Option(help="The most pieces of a translation, whatever the source.")
    ] = None,
    shortest: Annotated[
        int | None, typer.Option(help="The fewest pieces of a translation, its end counted.")
    ] = None,
    no_repeat: Annotated[
        int | None, typer.Option(help="No so many pieces in a row come twice.")
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(help="So many translations a line: its number, score and text, with tabs."),
    ] = None,
    with_: Annotated[
        list[Path] | None,
        typer.Option("--with", help="A run that translates together with RUN; may come again."),
    ] = None,
    draw: Annotated[
        bool, typer.Option("--sample", help="Draw pieces by chance, not the likeliest.")
    ] = False,
    temperature: Annotated[float, typer.Option(help="Below 1: the likely grow likelier.")] = 1.0,
    top_k: Annotated[int, typer.Option(help="Draw from so many pieces; 0: from all.")] = 0,
    top_p: Annotated[float, typer.Option(help="Draw from those that have this chance.")] = 1.0,
    seed: Annotated[int, typer.Option(help="What chance begins with.")] = 1,
    invariance: Annotated[
        bool,
        typer.Option(
            "--check-invariance", help="Translate in several batchings; say if it matters."
        ),
    ] = False,
    engine: Annotated[
        str, typer.Option(help="What searches: regard, or ctranslate2 after regard export.")
    ] = "regard",
    approximate: Annotated[
        bool, typer.Option("--approximate", help="Let it take its nearest for rules it lacks.")
    ] = False,
    languages: Annotated[
        tuple[str, str] | None,
        typer.Option(help="The source's and the target's, as the file names them."),
    ] = None,
    fields: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Where source and target stand: JSONL's fields, a TSV's columns."),
    ] = None,
    invalid: Annotated[
        Literal["refuse", "replace"],
        typer.Option(help="What to do about bytes that are not UTF-8."),
    ] = "refuse",
    device: options.Device = "auto",
) -> int:
    """Translate text: as many lines out as in, in their order, blank ones as they are."""
    import torch

    from regard.commands.invariance import check_invariance
    from regard.search import SampleOptions
    from regard.translator import Translator

    place = choose(device)
    runs = [
        Translator.load(each, device=place, engine=engine, approximate=approximate)
        for each in (run, *(with_ or ()))
    ]
    translator = Translator.together(runs) if with_ else runs[0]
    translator = translator.with_search(
        beam=beam, alpha=alpha, penalty=penalty, longest=longest, shortest=shortest,
        no_repeat=no_repeat, best=best,
    )  # fmt: skip
    try:
        sampling = SampleOptions(temperature=temperature, top_k=top_k, top_p=top_p)
        generator = torch.Generator().manual_seed(seed)
    except (ValueError, RuntimeError) as error:
        raise RecipeError(str(error)) from None
    ask = partial(translator.translate, sampling=sampling if draw else None, generator=generator)
    reading = _reading(run, languages, fields, invalid)
    noticed = Noticed(str(input or "standard input"))
    if invariance:
        given = _lines(input, reading, noticed)
        return check_invariance(translator, [line.text for line in given])
    said = Said(noticed)
    if input and (shape := fillable(input)):
        if best is not None:
            raise RecipeError(f"--best is for lines; {input} has room for one translation each")
        contents = _filled(ask, open_parts(input, shape, reading, noticed), said)
    else:
        contents = _translated(ask, _lines(input, reading, noticed), said, several=best is not None)
    with output(output_) as target:
        for content in contents:
            target.write(content)
            target.flush()
    said.say()
    return 0


def _translated(ask: Ask, given: Iterator[Line], said: Said, *, several: bool) -> Iterator[bytes]:
    number = 0
    for window in windows(given, size=WINDOW):
        content = ""
        for line, found in zip(window, ask([line.text for line in window]), strict=True):
            number += 1
            text = said.see(number, line.text, found)
            if several:
                for each in (found, *found.others):
                    content += f"{number}\t{each.score:.6f}\t{each.text}\n"
            else:
                content += line.mark + text + line.end
        yield content.encode()


def _filled(ask: Ask, parts: Iterator[Part], said: Said) -> Iterator[bytes]:
    account = Filled()
    for window in windows(parts, size=WINDOW):
        yield b"".join(fill(window, ask, said.see, account))
    say_of("held an entry that cannot be read, which stays as it is", account.bad)
    say_of("had lost placeholders, which were put back at about their place", account.put_back)
    typer.echo(
        f"regard: {said.noticed.name}: {account.filled:,} texts translated; {account.kept:,} had a"
        " translation and keep it",
        err=True,
    )


def _reading(
    run: Path,
    languages: tuple[str, str] | None,
    fields: tuple[str, str] | None,
    invalid: Literal["refuse", "replace"],
) -> Reading:
    """As the person says; else as the recipe of the run does."""
    from regard.checkpoint import resolve

    recipe = json.loads((resolve(run) / "recipe.json").read_text(encoding="utf-8"))["data"]
    try:
        return Reading(
            languages=languages or tuple(recipe.get("languages", ())),
            fields=fields or tuple(recipe.get("fields", ())),
            invalid=invalid,
        )
    except ValueError as error:
        raise RecipeError(str(error)) from None


def _lines(path: Path | None, reading: Reading, noticed: Noticed) -> Iterator[Line]:
    if path:
        source = open_bytes(path)
    elif sys.stdin:
        # A buffer of its own: a thread that waits for input holds the lock of the buffer it reads,
        # and the program could not end while that is the lock of sys.stdin.
        source: BufferedIOBase = os.fdopen(sys.stdin.fileno(), "rb", closefd=False)
    else:
        raise CorpusError("standard input is closed; give --input FILE")
    with source:
        yield from lines(
            raw_lines(source), name=noticed.name, invalid=reading.invalid, noticed=noticed
        )
