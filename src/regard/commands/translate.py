"""regard translate: text in, text out, line for line."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from regard.commands.device import DeviceOption, choose
from regard.commands.output import output
from regard.errors import CorpusError
from regard.text.files import open_bytes
from regard.text.lines import Line, lines, raw_lines
from regard.text.windows import windows

WINDOW = 2048
"""Lines that are sorted by length among themselves."""


def translate(
    run: Annotated[Path, typer.Argument(help="A run, or one of its checkpoints.")],
    input: Annotated[
        Path | None, typer.Option(help="Text to translate; standard input if not given.")
    ] = None,
    output_: Annotated[
        Path | None,
        typer.Option("--output", help="Where to write; standard output if not given."),
    ] = None,
    beam: Annotated[int | None, typer.Option(help="Hypotheses kept; 1 is greedy.")] = None,
    alpha: Annotated[float | None, typer.Option(help="Strength of the length penalty.")] = None,
    penalty: Annotated[
        str | None, typer.Option(help="Of length: gnmt as in the paper, length ** alpha, or none.")
    ] = None,
    longest: Annotated[
        int | None, typer.Option(help="The most pieces of a translation, whatever the source.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="What searches: regard, or ctranslate2 after regard export.")
    ] = "regard",
    approximate: Annotated[
        bool, typer.Option("--approximate", help="Let it take its nearest for rules it lacks.")
    ] = False,
    device: DeviceOption = "auto",
) -> None:
    """Translate text: as many lines out as in, in their order, blank ones as they are."""
    from regard.translator import Translator

    place = choose(device)
    translator = Translator.load(run, device=place, engine=engine, approximate=approximate)
    translator = translator.with_search(beam=beam, alpha=alpha, penalty=penalty, longest=longest)
    number, cut, parted = 0, [], []
    with output(output_) as target:
        for window in windows(_lines(input), size=WINDOW):
            found = translator.translate([line.text for line in window])
            for line, translation in zip(window, found, strict=True):
                number += 1
                target.write((translation.text + line.end).encode())
                if translation.parts > 1:
                    parted.append(number)
                if not translation.ended:
                    cut.append(number)
            target.flush()
    _say("were longer than what the model has learnt from and were translated in parts", parted)
    _say("met a length limit and may not be whole", cut)


def _say(what: str, numbers: list[int]) -> None:
    if numbers:
        some = ", ".join(map(str, numbers[:10])) + " ..." * (len(numbers) > 10)
        typer.echo(f"regard: {len(numbers)} of the lines {what}: {some}", err=True)


def _lines(path: Path | None) -> Iterator[Line]:
    if path:
        source = open_bytes(path)
    elif sys.stdin:
        # A buffer of its own: a thread that waits for input holds the lock of the buffer it reads,
        # and the program could not end while that is the lock of sys.stdin.
        source = os.fdopen(sys.stdin.fileno(), "rb", closefd=False)
    else:
        raise CorpusError("standard input is closed; give --input FILE")
    with source:
        yield from lines(raw_lines(source), name=str(path or "standard input"))
