"""SRT, subtitles -> entries: the sentences of each cue; numbers and times stay as they are."""

import re
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase
from typing import NamedTuple

from regard.data.shapes.entry import Entry, Numbered, Part, Reading, Text, numbered
from regard.errors import CorpusError
from regard.text.codes import coded, plain
from regard.text.noticed import Noticed

_TIMES = re.compile(r"\s*(\d+):(\d+):(\d+)(?:[,.](\d+))?\s*-->")
_DASH = re.compile(r"[-–—]\s*")
"""What somebody's words begin with, where several speak."""
_SPACES = re.compile(r" (?![^<]*>)(?![^{]*\})")
"""Spaces that are not inside a tag."""


class Cue(NamedTuple):
    """What is shown from some moment on: the rows before its text, and the text's."""

    start: float
    head: list[Numbered]
    text: list[Numbered]

    @property
    def words(self) -> str:
        """All that is shown, on one line and without tags."""
        rows = (plain(coded(row.line.text)).strip() for row in self.text)
        return " ".join(filter(None, rows))


def cues(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Cue]:
    """The cues of a file; what stands before the first, and is blank, is a cue without text.

    A cue ends where the next begins, so that a blank line inside it loses nothing.

    Raises:
        CorpusError: the file cannot be read, or something stands before the first time.
    """
    start, head, text = -1.0, [], []
    for row in numbered(file, name, reading, noticed):
        times = _TIMES.match(row.line.text)
        if not times:
            text.append(row)
            continue
        next_head = [text.pop(), row] if _ends_with_number(text, start) else [row]
        yield _cue(start, head, text, name)
        hours, minutes, seconds, fraction = (times[group] or "0" for group in range(1, 5))
        start = int(hours) * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction}")
        head, text = next_head, []
    yield _cue(start, head, text, name)


def _ends_with_number(text: list[Numbered], start: float) -> bool:
    """Whether the last of these rows is the number of the next cue."""
    *before, last = [row.line.text.strip() for row in text[-2:]] or [""]
    return last.isdecimal() and (start < 0 or not any(before))


def _cue(start: float, head: list[Numbered], text: list[Numbered], name: str) -> Cue:
    if start < 0 and any(row.line.text.strip() for row in text):
        first = next(row for row in text if row.line.text.strip())
        raise CorpusError(
            f"{name}, line {first.number}: text before any time such as 00:00:01,000 -->"
            " 00:00:02,000; is this SRT?"
        )
    return Cue(start, head, text)


def srt(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """Entries without a translation: the rows of a cue that go together.

    A row that begins with a dash, or follows a blank one, is somebody else's or another sentence;
    the dash stays. A translation is broken into as many rows as there were.
    """
    for cue in cues(file, name, reading, noticed):
        if cue.head:
            yield b"".join(row.raw for row in cue.head)
        for group in _groups(cue.text):
            raw = b"".join(row.raw for row in group)
            text = " ".join(row.line.text.strip() for row in group)
            dash = _DASH.match(text)
            start, source = (dash[0], text[dash.end() :]) if dash else ("", text)
            if source:
                yield Entry(group[0].number, [source], [], raw, partial(_broken, group, start))
            elif raw:
                yield raw


def _groups(rows: list[Numbered]) -> Iterator[list[Numbered]]:
    group: list[Numbered] = []
    for row in rows:
        text = row.line.text.strip()
        if group and (not text or not group[-1].line.text.strip() or _DASH.match(text)):
            yield group
            group = []
        group.append(row)
    yield group


def _broken(rows: list[Numbered], start: str, translation: Text) -> bytes:
    """A translation in as many rows, of about equal length, after what the first begins with."""
    rest = start + " ".join("".join(translation).split())
    written = b""
    for left, row in zip(range(len(rows), 0, -1), rows, strict=True):
        ideal = len(rest) / left
        spaces = [found.start() for found in _SPACES.finditer(rest)] if left > 1 else []
        cut = min(spaces, key=lambda place: abs(place - ideal), default=len(rest))
        written += (rest[:cut] + row.line.end).encode()
        rest = rest[cut + 1 :]
    return written
