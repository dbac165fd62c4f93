"""what a file in any shape is made of: entries to read or to fill, and the bytes between them."""

import codecs
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedIOBase
from itertools import tee
from typing import Literal, NamedTuple

from regard.errors import CorpusError
from regard.text.codes import Code
from regard.text.lines import Line, lines, raw_lines
from regard.text.noticed import Noticed

_STRANGE = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}
Text = Sequence[str | Code]
"""Text with codes in it: inline elements, say, which come out as they went in."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How files of text are read.

    Attributes:
        languages: The source's and the target's, as TMX names them: "en", "de-AT".
        fields: Where source and target stand: names of JSONL's fields ("translation.en" for one
            inside another) or of a TSV's columns in its first line, or numbers of columns from
            "1". JSONL's are the languages, or "source" and "target", if not given; a TSV's are its
            first two columns.
        invalid: What to do about bytes that are not UTF-8: refuse the file, or replace them by
            U+FFFD.
        bad: What to do about an entry that cannot be read: refuse the file, or drop the entry. A
            file that breaks off, or is not of its shape at all, is refused in any case.
    """

    languages: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    invalid: Literal["refuse", "replace"] = "refuse"
    bad: Literal["refuse", "drop"] = "refuse"

    def __post_init__(self):
        for name in ("languages", "fields"):
            given = getattr(self, name)
            if given and (len(given) != 2 or given[0] == given[1] or not all(given)):
                raise ValueError(
                    f"{name} must name the source's and the target's, two that differ; got"
                    f" {list(given)}"
                )


@dataclass(frozen=True)
class Entry:
    """A text and its translation, where a file has them or has room for them.

    Attributes:
        line: Where it begins, counted from 1.
        source: What is to be translated; nothing, where the file says that this is not.
        target: Its translation; blank where there is none.
        raw: The entry as it stands.
        filled: The entry with a translation in it.
    """

    line: int
    source: Text
    target: Text
    raw: bytes
    filled: Callable[[Text], bytes]


@dataclass(frozen=True)
class Bad:
    """An entry that cannot be read: where it begins, why, and how it stands there."""

    line: int
    reason: str
    raw: bytes


Part = bytes | Entry | Bad
"""What a file consists of; the raw bytes of all its parts, joined, are the file."""


class Numbered(NamedTuple):
    """A line of a file, its number from 1, and its bytes."""

    number: int
    raw: bytes
    line: Line


def encoding_named(said: str, name: str) -> str:
    """The encoding that a file says it is in; UTF-8 for one that its first bytes rule out.

    Raises:
        CorpusError: there is none of that name, or it is no encoding of text.
    """
    try:
        found = codecs.lookup(said)
        "".encode(said)  # refuses what is not of text: rot13, hex ...
    except (LookupError, UnicodeError):
        found = None
    if not found or found.name in _STRANGE:
        raise CorpusError(f"{name}: encoding {said!r} is not known; convert it to UTF-8")
    return "utf-8" if found.name.startswith("utf-") else found.name


def numbered(
    file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed
) -> Iterator[Numbered]:
    """The lines of a file."""
    raws, others = tee(raw_lines(file))
    read = lines(others, name=name, invalid=reading.invalid, noticed=noticed)
    for number, (raw, line) in enumerate(zip(raws, read, strict=True), start=1):
        yield Numbered(number, raw, line)
