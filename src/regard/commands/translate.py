"""regard translate: text in, text out, line for line; or a file in some shape, filled."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from regard.commands.device import DeviceOption, choose
from regard.commands.output import output
from regard.data.shapes import Filled, Part, Reading, fill, fillable, open_parts
from regard.errors import CorpusError, RecipeError
from regard.text.files import open_bytes
from regard.text.lines import Line, lines, raw_lines
from regard.text.normalise import invisible
from regard.text.noticed import Noticed
from regard.text.windows import windows

if TYPE_CHECKING:
    from regard.translator import Translation, Translator

WINDOW = 2048
"""Lines that are sorted by length among themselves."""


def translate(
    run: Annotated[Path, typer.Argument(help="A run, or one of its checkpoints.")],
    input: Annotated[
        Path | None,
        typer.Option(
            help="Text to translate, line by line; or a .po, .xlf, .tmx, .srt, .tsv or .jsonl file,"
            " which comes out with its translations filled in. Standard input if not given."
        ),
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
    device: DeviceOption = "auto",
) -> None:
    """Translate text: as many lines out as in, in their order, blank ones as they are."""
    from regard.translator import Translator

    place = choose(device)
    translator = Translator.load(run, device=place, engine=engine, approximate=approximate)
    translator = translator.with_search(beam=beam, alpha=alpha, penalty=penalty, longest=longest)
    reading = _reading(run, languages, fields, invalid)
    noticed = Noticed(str(input or "standard input"))
    said = _Said(noticed)
    if input and (shape := fillable(input)):
        contents = _filled(translator, open_parts(input, shape, reading, noticed), said)
    else:
        contents = _translated(translator, _lines(input, reading, noticed), said)
    with output(output_) as target:
        for content in contents:
            target.write(content)
            target.flush()
    said.say()


class _Said:
    """What a person should know about lines: where a translation may not be what it should."""

    def __init__(self, noticed: Noticed):
        self.noticed = noticed
        self.parted: list[int] = []
        self.cut: list[int] = []

    def see(self, number: int, text: str, found: "Translation") -> str:
        """A line's translation, looked at."""
        if invisible(text):
            self.noticed.add("texts with characters that nobody sees, nor the model", number)
        if found.parts > 1:
            self.parted.append(number)
        if not found.ended:
            self.cut.append(number)
        return found.text

    def say(self) -> None:
        """To the person, once."""
        _say("were longer than what the model has learnt from and were translated in parts",
             self.parted)  # fmt: skip
        _say("met a length limit and may not be whole", self.cut)
        if self.noticed:
            typer.echo(f"regard: {self.noticed}", err=True)


def _say(what: str, numbers: Sequence[int]) -> None:
    if numbers:
        some = ", ".join(map(str, numbers[:10])) + " ..." * (len(numbers) > 10)
        typer.echo(f"regard: {len(numbers)} of the lines {what}: {some}", err=True)


def _translated(translator: "Translator", given: Iterator[Line], said: _Said) -> Iterator[bytes]:
    number = 0
    for window in windows(given, size=WINDOW):
        found = translator.translate([line.text for line in window])
        content = ""
        for line, translation in zip(window, found, strict=True):
            number += 1
            content += line.mark + said.see(number, line.text, translation) + line.end
        yield content.encode()


def _filled(translator: "Translator", parts: Iterator[Part], said: _Said) -> Iterator[bytes]:
    def translate(texts: Sequence[str], numbers: Sequence[int]) -> list[str]:
        return list(map(said.see, numbers, texts, translator.translate(texts)))

    account = Filled()
    for window in windows(parts, size=WINDOW):
        yield b"".join(fill(window, translate, account))
    _say("hold an entry that cannot be read; it stays as it is", account.bad)
    _say("had lost placeholders, which were put back at about their place", account.put_back)
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
