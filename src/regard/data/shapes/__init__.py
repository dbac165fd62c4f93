"""a file in any accepted shape -> entries, each with a text and its translation."""

from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path

from regard.data.shapes.entry import Bad, Entry, Part, Reading, Text
from regard.data.shapes.table import jsonl, tsv
from regard.text.files import bare_name, open_bytes
from regard.text.noticed import Noticed

__all__ = ["SHAPES", "Bad", "Entry", "Part", "Reading", "Shape", "Text", "open_parts", "shape_of"]

Shape = Callable[[BufferedIOBase, str, Reading, Noticed], Iterator[Part]]
"""A file, its name, how to read it, and who is told what is odd -> what it consists of."""

SHAPES: dict[str, Shape] = {
    ".tsv": tsv,
    ".jsonl": jsonl,
}
"""What has both sides in one file, by the ending of its name."""


def shape_of(path: Path) -> Shape | None:
    """The shape that a file's name says it has, if it is one with both sides."""
    return SHAPES.get(bare_name(path).suffix.lower())


def open_parts(path: Path, shape: Shape, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """What a file consists of.

    Raises:
        CorpusError: it cannot be opened or read, or is not of that shape.
    """
    with open_bytes(path) as file:
        yield from shape(file, str(path), reading, noticed)
