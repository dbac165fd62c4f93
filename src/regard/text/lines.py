r"""bytes -> lines, and back: only a line feed ends a line, and nothing is lost.

A file is bytes split at ``\n`` and at nothing else: U+2028, U+0085, form feeds and lone carriage
returns stay inside their line, as they do for ``wc -l``. What ended a line (``\n``, ``\r\n``, or
nothing at the end of a file) travels with it, as does a byte order mark before the first, so that N
lines in can be N lines out. docs/text.md is the contract as a table.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import Literal, NamedTuple

from regard.errors import CorpusError
from regard.text.files import open_bytes
from regard.text.noticed import Noticed

LONGEST = 64 << 20
"""Bytes of a line; more of them are no text."""
_MARK = "\ufeff"
_LIKE = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_ENDINGS = {"gzip": ".gz", "xz": ".xz", "zstd": ".zst"}


class Line(NamedTuple):
    """The text of one line, what ended it, and the byte order mark before it, if any."""

    text: str
    end: str
    mark: str = ""


def lines(
    raw_lines: Iterable[bytes],
    *,
    name: str,
    invalid: Literal["refuse", "replace"] = "refuse",
    noticed: Noticed | None = None,
) -> Iterator[Line]:
    r"""Decode raw lines, as iterating over a binary file yields them.

    >>> list(lines([b"caf\xc3\xa9\r\n", b"a\x0cb"], name="menu.txt"))
    [Line(text='café', end='\r\n', mark=''), Line(text='a\x0cb', end='', mark='')]

    Args:
        raw_lines: Bytes that end in a line feed, but for the last.
        name: The file's, for messages.
        invalid: "replace" has U+FFFD in place of bytes that are not UTF-8.
        noticed: Is told of lines where that was done.

    Raises:
        CorpusError: bytes that cannot be read, are not UTF-8, or are no text at all, with file,
            line and byte.
    """
    for number, raw in enumerate(_read(raw_lines, name), start=1):
        body, end = _without_end(raw)
        if number == 1:
            _check_kind(body, name)
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            if invalid == "refuse":
                raise CorpusError(
                    f"{name}, line {number}, byte {error.start + 1}: 0x{body[error.start]:02x} is"
                    " not UTF-8; convert the file to UTF-8 (for example with iconv)"
                ) from None
            text = body.decode("utf-8", errors="replace")
            if noticed is not None:
                noticed.add("lines with bytes that are not UTF-8, read as U+FFFD", number)
        mark = _MARK if number == 1 and text.startswith(_MARK) else ""
        yield Line(text.removeprefix(mark), end, mark)


def read_lines(path: Path) -> Iterator[str]:
    """The texts of a file's lines, one by one.

    Raises:
        CorpusError: the file cannot be opened or read, or is not UTF-8.
    """
    with open_bytes(path) as file:
        for line in lines(raw_lines(file), name=str(path)):
            yield line.text


def raw_lines(file: BufferedIOBase) -> Iterator[bytes]:
    """A file's lines as bytes; one that is too long to be a line comes in pieces."""
    return iter(partial(file.readline, LONGEST), b"")


def _read(raw_lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    try:
        for number, raw in enumerate(raw_lines, start=1):
            if len(raw) >= LONGEST:
                raise CorpusError(
                    f"{name}, line {number}: more than {LONGEST >> 20} MiB without a line feed; is"
                    " this text?"
                )
            yield raw
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror}") from None


def _check_kind(first: bytes, name: str) -> None:
    kind = next((kind for begin, kind in _LIKE.items() if first.startswith(begin)), None)
    if kind in _ENDINGS:
        raise CorpusError(
            f"{name} holds {kind} data; give it a name that ends in {_ENDINGS[kind]}, or decompress"
            " it"
        )
    zeros = [first[start::2].count(0) for start in (0, 1)]
    if kind or (len(first) > 3 and min(zeros) == 0 and max(zeros) >= len(first) // 2):
        kind = kind or "UTF-16"
        raise CorpusError(
            f"{name} is {kind}, not UTF-8; convert it: iconv -f {kind} -t UTF-8 {name}"
        )


def _without_end(raw: bytes) -> tuple[bytes, str]:
    for end in ("\r\n", "\n"):
        if raw.endswith(end.encode()):
            return raw[: -len(end)], end
    return raw, ""
