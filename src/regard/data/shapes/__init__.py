"""a file in any accepted shape -> entries, each with a text and its translation."""

from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path

from regard.data.shapes.catalogue import mo, po
from regard.data.shapes.entry import Bad, Entry, Part, Reading, Text
from regard.data.shapes.fill import Filled, fill
from regard.data.shapes.subtitles import Cue, cues, srt
from regard.data.shapes.table import jsonl, tsv
from regard.data.shapes.tmx import tmx
from regard.data.shapes.xliff import xliff
from regard.errors import CorpusError
from regard.text.files import bare_name, open_bytes
from regard.text.noticed import Noticed

__all__ = [
    "Bad", "Cue", "Entry", "Filled", "Part", "Reading", "Shape", "Text", "cues", "fill", "fillable",
    "is_subtitles", "open_parts", "shape_of", "tsv",
]  # fmt: skip

Shape = Callable[[BufferedIOBase, str, Reading, Noticed], Iterator[Part]]
"""A file, its name, how to read it, and who is told what is odd -> what it consists of."""

SHAPES: dict[str, Shape] = {
    ".tsv": tsv,
    ".jsonl": jsonl,
    ".tmx": tmx,
    ".po": po,
    ".pot": po,
    ".mo": mo,
    ".gmo": mo,
    ".xlf": xliff,
    ".xliff": xliff,
}
"""What has both sides in one file, by the ending of its name."""

FILLABLE = {ending: shape for ending, shape in SHAPES.items() if shape is not mo} | {".srt": srt}
"""What translations can be filled into."""


def shape_of(path: Path) -> Shape | None:
    """The shape that a file's name says it has, if it is one with both sides."""
    return SHAPES.get(bare_name(path).suffix.lower())


def fillable(path: Path) -> Shape | None:
    """The shape of a file that translations can be filled into.

    Raises:
        CorpusError: a compiled catalogue, which holds finished translations only.
    """
    if shape_of(path) is mo:
        raise CorpusError(f"{path} is compiled; translate the .po file that it was made from")
    return FILLABLE.get(bare_name(path).suffix.lower())


def is_subtitles(path: Path) -> bool:
    """Whether a file has one side, and times by which the other can be found."""
    return bare_name(path).suffix.lower() == ".srt"


def open_parts(path: Path, shape: Shape, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """What a file consists of.

    Raises:
        CorpusError: it cannot be opened or read, or is not of that shape.
    """
    with open_bytes(path) as file:
        yield from shape(file, str(path), reading, noticed)
