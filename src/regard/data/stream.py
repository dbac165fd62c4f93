"""examples -> an endless order of batches that can be left and taken up again."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import Int

from regard.data.budget import groups
from regard.data.examples import Examples


class Stream:
    """Batches of examples, epoch after epoch, in an order that follows from the seed alone.

    A place in the stream is a number of examples seen, whatever the batches' size. `epoch(number)`
    gives the rows of each batch of one epoch, in order.

    Args:
        examples: All of them.
        pieces: The most source and the most target pieces in a batch, padding counted.
        seed: What the order follows from.
        weights: How many examples each corpus has, one corpus after the other, and how often an
            epoch has each of them: 2.0 twice; 0.5 every other one, the others being next.
    """

    def __init__(
        self,
        examples: Examples,
        *,
        pieces: int,
        seed: int,
        weights: Sequence[tuple[int, float]] = (),
    ):
        self.examples = examples
        self._pieces = pieces
        self._seed = seed
        self._weights = list(weights) or [(len(examples), 1.0)]
        self._shares = [round(count * weight) for count, weight in self._weights]
        self.counts = np.array([count for count, _ in self._weights])
        self.epoch = lru_cache(maxsize=1)(self._epoch)

    def __len__(self) -> int:
        """How many examples an epoch has."""
        return sum(self._shares)

    def _epoch(self, number: int) -> list[Int[np.ndarray, " rows"]]:
        generator = np.random.default_rng([self._seed, number])
        batches = groups(
            self.examples.source.lengths,
            self.examples.target.lengths,
            pieces=self._pieces,
            order=generator.permutation(self._chosen(number)),
        )
        return [batches[i] for i in generator.permutation(len(batches))]

    def batches(self, seen: int = 0) -> Iterator[Int[np.ndarray, " rows"]]:
        """The rows of each batch after `seen` examples, without end."""
        number, skipped = divmod(seen, len(self))
        while True:
            for rows in self.epoch(number):
                if skipped <= 0:
                    yield rows
                skipped -= len(rows)
            number, skipped = number + 1, 0

    def place(self, seen: int) -> int:
        """The end of the batch that a place lies in: itself, unless the text has changed since."""
        number, within = divmod(seen, len(self))
        ends = np.cumsum([0, *map(len, self.epoch(number))])
        return number * len(self) + int(ends[np.searchsorted(ends, within)])

    def passed(self, seen: int) -> Int[np.ndarray, " corpora"]:
        """How many examples of each corpus are among the first `seen`, repeated ones counted."""
        number, within = divmod(seen, len(self))
        rows = np.concatenate(self.epoch(number))[:within]
        return number * np.array(self._shares) + self.count(rows)

    def count(self, rows: Int[np.ndarray, " rows"]) -> Int[np.ndarray, " corpora"]:
        """How many of some rows are of each corpus."""
        ends = np.cumsum(self.counts)
        return np.bincount(np.searchsorted(ends, rows, "right"), minlength=len(ends))

    def _chosen(self, number: int) -> Int[np.ndarray, " rows"]:
        """The rows that an epoch has: of each corpus as many as its weight says."""
        parts: list[np.ndarray] = []
        start = 0
        for place, ((count, _), share) in enumerate(zip(self._weights, self._shares, strict=True)):
            if share % count:
                parts += [start + part for part in self._next(place, number * share, share)]
            else:
                parts += [np.arange(start, start + count)] * (share // count)
            start += count
        return np.concatenate(parts)

    def _next(self, place: int, begin: int, share: int) -> Iterator[Int[np.ndarray, " rows"]]:
        """A share of a corpus, from where the epoch before stopped in an order of its own."""
        count, _ = self._weights[place]
        end = begin + share
        for passed in range(begin // count, (end - 1) // count + 1):
            order = np.random.default_rng([self._seed, passed, place]).permutation(count)
            yield order[max(0, begin - passed * count) : end - passed * count]
