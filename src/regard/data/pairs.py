"""files -> sentence pairs -> examples (ids), with an account of every pair that was left out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np

from regard.errors import CorpusError
from regard.text.lines import read_lines
from regard.text.pieces import EOS, Pieces


class Pair(NamedTuple):
    """A sentence and its translation, as text."""

    source: str
    target: str


def read_pairs(paths: Sequence[Path]) -> Iterator[Pair]:
    """Pairs from two files, line by line, or from one file of tab-separated values.

    Of a tab-separated line the first two columns are taken; one without a tab has no target.

    Raises:
        CorpusError: a file that cannot be read, or two files of unequal length.
    """
    if len(paths) == 1:
        for line in read_lines(paths[0]):
            source, target, *_ = [*line.split("\t"), ""]
            yield Pair(source, target)
        return
    source_path, target_path = paths
    for number, pair in enumerate(zip_longest(*map(read_lines, paths))):
        source, target = pair
        if source is None or target is None:
            longer, shorter = (target_path, source_path) if source is None else paths
            raise CorpusError(
                f"{longer} has {_count(longer)} lines but {shorter} has {number}; a line is missing"
                f" or was split at or before line {number + 1}"
            )
        yield Pair(source, target)


def _count(path: Path) -> int:
    return sum(1 for _ in read_lines(path))


@dataclass(frozen=True)
class Ragged:
    """Rows of unequal length in one array: row i is `values[offsets[i]:offsets[i + 1]]`."""

    values: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> "Ragged":
        """Pack rows of ids."""
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        values = np.fromiter((i for row in rows for i in row), dtype=np.int32, count=offsets[-1])
        return cls(values, offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> np.ndarray:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    @property
    def lengths(self) -> np.ndarray:
        """How many ids each row has."""
        return np.diff(self.offsets)


@dataclass(frozen=True)
class Examples:
    """Pairs as ids, EOS at the end of both sides; `numbers` says which pairs, counted from 1.

    All of them, in their order, where it is not said.
    """

    source: Ragged
    target: Ragged
    numbers: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def __post_init__(self):
        if not self.numbers.size:
            object.__setattr__(self, "numbers", np.arange(1, len(self.source) + 1))

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, kw_only=True)
class Report:
    """What became of the pairs: `used + dropped == total`."""

    total: int
    empty: int
    too_long: int
    too_uneven: int

    @property
    def dropped(self) -> int:
        """Pairs that were left out, for whatever reason."""
        return self.empty + self.too_long + self.too_uneven

    @property
    def used(self) -> int:
        """Pairs that became examples."""
        return self.total - self.dropped

    def __str__(self) -> str:
        return (
            f"{self.used} of {self.total} pairs used; left out: {self.empty} with an empty side,"
            f" {self.too_long} too long, {self.too_uneven} too uneven"
        )


def encode(
    pairs: Iterable[Pair], source: Pieces, target: Pieces, *, longest: int, ratio: float
) -> tuple[Examples, Report]:
    """Split pairs into ids and leave out what cannot be learnt from.

    Args:
        pairs: Sentence pairs.
        source: The source side's pieces.
        target: The target side's pieces.
        longest: The most pieces that a side may have, EOS counted.
        ratio: How many times longer than the other a side may be.

    Raises:
        CorpusError: nothing is left.
    """
    sources: list[list[int]] = []
    targets: list[list[int]] = []
    numbers: list[int] = []
    total = empty = too_long = too_uneven = 0
    for total, pair in enumerate(pairs, start=1):
        ids = source.split(pair.source), target.split(pair.target)
        shorter, longer = sorted(map(len, ids))
        if shorter == 0:
            empty += 1
        elif longer + 1 > longest:
            too_long += 1
        elif longer > ratio * shorter:
            too_uneven += 1
        else:
            sources.append([*ids[0], EOS])
            targets.append([*ids[1], EOS])
            numbers.append(total)
    report = Report(total=total, empty=empty, too_long=too_long, too_uneven=too_uneven)
    if not numbers:
        raise CorpusError(f"no pair is left to learn from: {report}")
    return Examples(Ragged.of(sources), Ragged.of(targets), np.array(numbers)), report
