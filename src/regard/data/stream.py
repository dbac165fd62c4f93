"""examples -> an endless order of batches that can be left and taken up again."""

from collections.abc import Iterator

import numpy as np

from regard.data.batch import Batch
from regard.data.budget import groups
from regard.data.pairs import Examples


class Stream:
    """Batches of examples, epoch after epoch, in an order that follows from the seed alone.

    A place in the stream is a number of examples seen, whatever the batches' size.
    """

    def __init__(self, examples: Examples, *, pieces: int, seed: int):
        self.examples = examples
        self._pieces = pieces
        self._seed = seed

    def epoch(self, number: int) -> list[np.ndarray]:
        """The rows of each batch of one epoch, in order."""
        generator = np.random.default_rng([self._seed, number])
        batches = groups(
            self.examples.source.lengths,
            self.examples.target.lengths,
            pieces=self._pieces,
            order=generator.permutation(len(self.examples)),
        )
        return [batches[i] for i in generator.permutation(len(batches))]

    def batches(self, seen: int = 0) -> Iterator[Batch]:
        """The batches after `seen` examples, without end."""
        number, skipped = divmod(seen, len(self.examples))
        while True:
            for rows in self.epoch(number):
                if skipped <= 0:
                    yield Batch.of(self.examples, rows)
                skipped -= len(rows)
            number, skipped = number + 1, 0
