"""parts of a file, and who translates -> the same file with its translations filled in."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from regard.data.shapes.entry import Bad, Entry, Part, Text
from regard.text.codes import Break, Code, coded, placeholders, plain, put_back


@runtime_checkable
class Translated(Protocol):
    """What a translation is asked for."""

    @property
    def text(self) -> str:
        """The translation."""
        ...


Ask = Callable[[Sequence[str]], Sequence[Translated]]
"""Texts -> their translations."""
See = Callable[[int, str, Any], object]
"""Is shown each translation that is taken: the line of its text, the text, and what was found."""


@dataclass
class Filled:
    """What became of a file's entries.

    Attributes:
        filled: How many have a translation now that had none.
        kept: How many had one before, and keep it.
        put_back: Lines of those whose placeholders the model lost, and which have them at about
            their place.
        bad: Lines of those that cannot be read, and stay as they are.
    """

    filled: int = 0
    kept: int = 0
    put_back: list[int] = field(default_factory=list)
    bad: list[int] = field(default_factory=list)


def fill(parts: Sequence[Part], ask: Ask, see: See, account: Filled) -> Iterator[bytes]:
    """The bytes of parts; entries without a translation have one.

    Lines of a text are translated one by one, with the space around them kept. Codes and
    placeholders come out as they went in: those that a translation has lost are put back.
    """
    entries = [part for part in parts if isinstance(part, Entry) and _wants(part)]
    rows = [_Row(row, entry.line) for entry in entries for row in _rows(entry.source)]
    _translate([row for row in rows if row.has_words], ask, see, account)
    done = iter(rows)
    for part in parts:
        if isinstance(part, bytes):
            yield part
        elif isinstance(part, Entry) and _wants(part):
            account.filled += 1
            texts = [next(done).found for _ in _rows(part.source)]
            yield part.filled([text for row in texts for text in row])
        else:
            if isinstance(part, Bad):
                account.bad.append(part.line)
            elif plain(part.source).strip():
                account.kept += 1
            yield part.raw


class _Row:
    """One line of a text: the space around it, and what is between."""

    def __init__(self, row: Text, line: int):
        self.line = line
        self.core = list(row)
        self.before = self.after = ""
        if self.core and not isinstance(self.core[0], Code):
            text = self.core[0]
            self.before = text[: len(text) - len(text.lstrip())]
            self.core[0] = text.lstrip()
        if self.core and not isinstance(self.core[-1], Code):
            text = self.core[-1]
            self.after = text[len(text.rstrip()) :]
            self.core[-1] = text.rstrip()
        self.translation: Text = self.core

    @property
    def has_words(self) -> bool:
        """Whether there is something to translate, besides figures and placeholders."""
        return any(c.isalpha() for c in plain(self.uncoded))

    @property
    def uncoded(self) -> Text:
        """With the placeholders in the text as codes, too."""
        return [
            piece
            for part in self.core
            for piece in ([part] if isinstance(part, Code) else coded(part))
        ]

    @property
    def found(self) -> Text:
        return [self.before, *self.translation, self.after]


def _translate(rows: Sequence[_Row], ask: Ask, see: See, account: Filled) -> None:
    lost: list[_Row] = []
    texts = [plain(row.core) for row in rows]
    for row, text, found in zip(rows, texts, ask(texts), strict=True):
        if placeholders(found.text) == placeholders(text):
            row.translation = put_back(row.core, found.text) if len(row.core) > 1 else [found.text]
            see(row.line, text, found)
        else:
            lost.append(row)
    texts = [plain(row.uncoded) for row in lost]
    for row, text, found in zip(lost, texts, ask(texts), strict=True):
        row.translation = put_back(row.uncoded, found.text)
        see(row.line, text, found)
        account.put_back.append(row.line)


def _wants(entry: Entry) -> bool:
    return bool(plain(entry.source).strip()) and not plain(entry.target).strip()


def _rows(text: Text) -> Iterator[Text]:
    """The lines of a text, each with the line feed, or the break, that ends it."""
    row: list[str | Code] = []
    for part in text:
        pieces = [part] if isinstance(part, Code) else re.findall(r"[^\n]*\n|[^\n]+", part)
        for piece in pieces:
            row.append(piece)
            if isinstance(piece, Break) or (piece.endswith("\n") and not isinstance(piece, Code)):
                yield row
                row = []
    if row:
        yield row
