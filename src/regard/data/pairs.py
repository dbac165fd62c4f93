"""files -> sentence pairs."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from regard.data.shapes import (
    Bad,
    Cue,
    Entry,
    Reading,
    Text,
    cues,
    is_subtitles,
    open_parts,
    shape_of,
    tsv,
)  # fmt: skip
from regard.errors import CorpusError
from regard.text.codes import plain
from regard.text.files import open_bytes
from regard.text.lines import lines, raw_lines
from regard.text.normalise import invisible
from regard.text.noticed import Noticed

SAME_TIME = 0.25
"""Seconds between two subtitles that are each other's translation, at most."""


class Pair(NamedTuple):
    """A sentence and its translation, as text."""

    source: str
    target: str


def read_pairs(
    paths: Sequence[Path],
    reading: Reading | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Pair]:
    """Pairs from files, one file after the other.

    A file whose name says a shape that has both sides (.tsv, .jsonl, .tmx, .po, .mo, .xliff) gives
    its own pairs; any other is the source, line by line, and the one named after it the target;
    two of subtitles (.srt) go together by their times. One file alone, if its name says nothing,
    has tab-separated values. In lines and in tab-separated values, every line is a pair, even if a
    side of it is empty; elsewhere an entry without a translation is none.

    Args:
        paths: Files, each possibly compressed.
        reading: How to read them.
        tell: Is told what was odd in a file, in one line for each of them.

    Raises:
        CorpusError: a file that cannot be read, or two files of unequal length.
    """
    reading = reading or Reading()
    for group in grouped(paths):
        noticed = [Noticed(str(path)) for path in group]
        yield from (_one_file if len(group) == 1 else _two_files)(group, reading, noticed)
        for found in filter(None, noticed):
            tell(str(found))


def grouped(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Files that have both sides, alone, and others two by two: source and target.

    Raises:
        CorpusError: a source without a target.
    """
    if len(paths) == 1 and not is_subtitles(paths[0]):
        return [tuple(paths)]
    groups: list[tuple[Path, ...]] = []
    waiting = iter(paths)
    for path in waiting:
        group = (path,) if shape_of(path) else (path, *islice(waiting, 1))
        if len(group) == 1 and not shape_of(path):
            raise CorpusError(f"{path} has no target: name the file with its translations after it")
        groups.append(group)
    return groups


def _one_file(
    paths: tuple[Path, ...], reading: Reading, noticed: Sequence[Noticed]
) -> Iterator[Pair]:
    ((path,), (odd,)) = paths, noticed
    shape = shape_of(path) or tsv
    for part in open_parts(path, shape, reading, odd):
        if isinstance(part, Entry):
            pair = Pair(_clean(part.source), _clean(part.target))
            if shape is not tsv and not all(map(str.strip, pair)):
                odd.add("entries without a text or its translation, left out", part.line)
                continue
            for text in pair:
                _notice_invisible(text, part.line, odd)
            yield pair
        elif isinstance(part, Bad):
            _bad(part.line, part.reason, reading, odd)


def _clean(text: Text) -> str:
    """A text without its codes, and without halves of surrogate pairs, which JSON can spell."""
    return plain(text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _bad(line: int, reason: str, reading: Reading, noticed: Noticed) -> None:
    if reading.bad == "refuse":
        raise CorpusError(
            f"{noticed.name}, line {line}: {reason}; repair it, or have such entries dropped by"
            ' bad = "drop"'
        )
    noticed.add("entries that cannot be read and were dropped", line)


def _two_files(
    paths: tuple[Path, ...], reading: Reading, noticed: Sequence[Noticed]
) -> Iterator[Pair]:
    if any(map(is_subtitles, paths)):
        yield from _subtitles(paths, reading, noticed)
        return
    sides = [_texts(path, reading, odd) for path, odd in zip(paths, noticed, strict=True)]
    for number, (source, target) in enumerate(zip_longest(*sides)):
        if source is None or target is None:
            longer, shorter = paths if target is None else paths[::-1]
            raise CorpusError(
                f"{longer} has {_count(longer, reading)} lines but {shorter} has {number}; a line"
                f" is missing or was split at or before line {number + 1}"
            )
        yield Pair(source, target)


def _subtitles(
    paths: tuple[Path, ...], reading: Reading, noticed: Sequence[Noticed]
) -> Iterator[Pair]:
    """What is shown at the same time, to a quarter of a second."""
    sides = [_cues(path, reading, odd) for path, odd in zip(paths, noticed, strict=True)]
    cues = [next(side, None) for side in sides]
    while any(cues):
        starts = [cue.start if cue else math.inf for cue in cues]
        alone = starts.index(min(starts)) if abs(starts[0] - starts[1]) > SAME_TIME else None
        if alone is None:
            yield Pair(*(cue.words for cue in cues if cue))
        elif cue := cues[alone]:
            reason = f"nothing in {paths[1 - alone]} is shown at that time"
            _bad(cue.head[-1].number, reason, reading, noticed[alone])
        for side in (0, 1) if alone is None else (alone,):
            cues[side] = next(sides[side], None)


def _cues(path: Path, reading: Reading, noticed: Noticed) -> Iterator[Cue]:
    with open_bytes(path) as file:
        for cue in cues(file, str(path), reading, noticed):
            if cue.words:
                _notice_invisible(cue.words, cue.head[-1].number, noticed)
                yield cue


def _notice_invisible(text: str, line: int, noticed: Noticed) -> None:
    if invisible(text):
        noticed.add("texts with characters that nobody sees, nor the model", line)


def _texts(path: Path, reading: Reading, noticed: Noticed) -> Iterator[str]:
    with open_bytes(path) as file:
        found = lines(raw_lines(file), name=str(path), invalid=reading.invalid, noticed=noticed)
        for number, line in enumerate(found, start=1):
            _notice_invisible(line.text, number, noticed)
            yield line.text


def _count(path: Path, reading: Reading) -> int:
    return sum(1 for _ in _texts(path, reading, Noticed(str(path))))
