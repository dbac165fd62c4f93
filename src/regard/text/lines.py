r"""bytes -> lines, and back: only a line feed ends a line, and nothing is lost.

A file is bytes split at ``\n`` and at nothing else: U+2028, U+0085, form feeds and lone carriage
returns stay inside their line, as they do for ``wc -l``. What ended a line (``\n``, ``\r\n``, or
nothing at the end of a file) travels with it, so that N lines in can be N lines out.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from regard.errors import CorpusError


class Line(NamedTuple):
    """The text of one line, and what ended it."""

    text: str
    end: str


def lines(raw_lines: Iterable[bytes], *, name: str) -> Iterator[Line]:
    r"""Decode raw lines, as iterating over a binary file yields them; `name` is for messages.

    >>> list(lines([b"caf\xc3\xa9\r\n", b"a\x0cb"], name="menu.txt"))
    [Line(text='café', end='\r\n'), Line(text='a\x0cb', end='')]

    Raises:
        CorpusError: bytes that cannot be read, or are not UTF-8, with file, line and byte.
    """
    for number, raw in enumerate(_read(raw_lines, name), start=1):
        body, end = _without_end(raw)
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise CorpusError(
                f"{name}, line {number}, byte {error.start + 1}: 0x{body[error.start]:02x} is not"
                " UTF-8; convert the file to UTF-8 (for example with iconv)"
            ) from None
        yield Line(text, end)


def read_lines(path: Path) -> Iterator[str]:
    """The texts of a file's lines, one by one.

    Raises:
        CorpusError: the file cannot be opened or read, or is not UTF-8.
    """
    with open_text(path) as file:
        for line in lines(file, name=str(path)):
            yield line.text


def open_text(path: Path) -> BinaryIO:
    """A file whose raw lines `lines` can be given.

    Raises:
        CorpusError: the file cannot be opened.
    """
    try:
        return path.open("rb")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}; check the path") from None
    except ValueError as error:
        raise CorpusError(f"{str(path)!r} cannot be a path: {error}") from None


def _read(raw_lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    try:
        yield from raw_lines
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror}") from None


def _without_end(raw: bytes) -> tuple[bytes, str]:
    for end in ("\r\n", "\n"):
        if raw.endswith(end.encode()):
            return raw[: -len(end)], end
    return raw, ""
