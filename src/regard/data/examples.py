"""rows of ids of unequal length, packed into arrays that may lie in memory or on a disk."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np


@dataclass(frozen=True)
class Ragged:
    """Rows of unequal length in one array: row i is `values[offsets[i]:offsets[i + 1]]`."""

    values: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> "Ragged":
        """Pack rows of ids."""
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        values = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=offsets[-1])
        return cls(values, offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> np.ndarray:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    @property
    def lengths(self) -> np.ndarray:
        """How many ids each row has."""
        return np.diff(self.offsets)

    def lengths_of(self, rows: np.ndarray) -> np.ndarray:
        """The same of some rows; of all of them it is a look at the whole."""
        return self.offsets[rows + 1] - self.offsets[rows]


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
