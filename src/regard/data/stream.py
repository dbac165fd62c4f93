"""examples -> an endless order of batches that can be left and taken up again."""

from collections.abc import Iterator, Sequence

import numpy as np
from jaxtyping import Int

from regard.data.budget import groups
from regard.data.pairs import Examples


class Stream:
    """Batches of examples, epoch after epoch, in an order that follows from the seed alone.

    A place in the stream is a number of examples seen, whatever the batches' size.

    Args:
        examples: All of them.
        pieces: The most source and the most target pieces in a batch, padding counted.
        seed: What the order follows from.
        weights: How often an epoch has each example: 2.0 twice, 0.5 every other one, those being
            drawn anew each time. All examples of one weight stand together.
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

    def __len__(self) -> int:
        """How many examples an epoch has."""
        return sum(round(count * weight) for count, weight in self._weights)

    def epoch(self, number: int) -> list[Int[np.ndarray, " rows"]]:
        """The rows of each batch of one epoch, in order."""
        generator = np.random.default_rng([self._seed, number])
        batches = groups(
            self.examples.source.lengths,
            self.examples.target.lengths,
            pieces=self._pieces,
            order=generator.permutation(self._chosen(generator)),
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

    def _chosen(self, generator: np.random.Generator) -> Int[np.ndarray, " rows"]:
        """The rows that an epoch has."""
        parts: list[np.ndarray] = []
        start = 0
        for count, weight in self._weights:
            rows = np.arange(start, start + count)
            whole, rest = divmod(round(count * weight), count)
            parts += [rows] * whole
            if rest:
                parts.append(generator.permutation(rows)[:rest])
            start += count
        return np.concatenate(parts)
