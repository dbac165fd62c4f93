"""corpora -> what must be known of all their pairs before the first can be split into pieces."""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random

import numpy as np

from regard.data.corpus import Corpus
from regard.data.pairs import Pair
from regard.text.normalise import normalise
from regard.text.script import main_script

OFTEN = 500_000
"""Pairs between two words about how far a long reading is."""

SHOWING = 1000
"""Pairs of the sample that show what each side is written in."""


@dataclass(frozen=True)
class Survey:
    """What is known after all pairs were read once.

    Attributes:
        prints: A fingerprint of each corpus, by its name.
        repeated: For each corpus and each of its pairs, whether it stands there earlier. Texts are
            compared as a model sees them, by a hash of 64 bits: that two of a hundred million
            different pairs are held to be the same has a chance of 1 in 3,700.
        sample: Pairs to learn pieces from, in the order of the text.
    """

    prints: dict[str, str]
    repeated: list[np.ndarray]
    sample: list[Pair]

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return sum(map(len, self.repeated))

    @property
    def scripts(self) -> list[str]:
        """What most letters of the source and of the target are."""
        few = self.sample[:SHOWING]
        return [main_script(pair[side] for pair in few) for side in (0, 1)]

    @classmethod
    def of(
        cls, corpora: Sequence[Corpus], *, characters: int, tell: Callable[[str], None]
    ) -> "Survey":
        """Read all pairs; the sample has at most so many characters.

        Raises:
            CorpusError: what cannot be read.
        """
        prints: dict[str, str] = {}
        repeats: list[np.ndarray] = []
        sample = Sample(characters)
        for corpus in corpora:
            own, hashes = Print(), array("q")
            for pair in spoken_of(own.of(corpus.read(tell)), corpus.name, "read", tell):
                hashes.append(hash(tuple(map(normalise, pair))))
                sample.add(pair)
            prints[corpus.name] = str(own)
            repeats.append(repeated(np.array(hashes)))
        return cls(prints, repeats, sample.pairs)


class Print:
    """A fingerprint: the same for the same pairs in the same order, and for no others."""

    def __init__(self):
        self._count = 0
        self._hash = hashlib.sha256()

    def of(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The same pairs, each taken into account as it goes by."""
        for pair in pairs:
            self._count += 1
            self._hash.update(f"{pair.source}\n{pair.target}\n".encode(errors="surrogatepass"))
            yield pair

    def __str__(self) -> str:
        return f"{self._count:,} pairs, sha256 {self._hash.hexdigest()[:16]}"


def fingerprint(pairs: Iterable[Pair]) -> str:
    """The fingerprint of pairs."""
    found = Print()
    for _ in found.of(pairs):
        pass
    return str(found)


class Sample:
    """Pairs drawn at random, as many as have so many characters; all of them if those suffice.

    They are the pairs with the smallest of random numbers, so that the same text always gives the
    same sample. One that is longer than a hundredth of it is passed over.
    """

    def __init__(self, characters: int):
        self._room = self._most = characters
        self._chance = Random(1)
        self._bound = 1.0
        self._count = 0
        self._drawn: list[tuple[float, int, Pair]] = []

    def add(self, pair: Pair) -> None:
        """Consider one more pair."""
        number, length = self._chance.random(), len(pair.source) + len(pair.target)
        if number >= self._bound or 100 * length > self._most:
            return
        self._count += 1
        heappush(self._drawn, (-number, self._count, pair))
        self._room -= length
        while self._room < 0:
            number, _, pair = heappop(self._drawn)
            self._bound = -number
            self._room += len(pair.source) + len(pair.target)

    @property
    def pairs(self) -> list[Pair]:
        """Those that are drawn, in the order in which they came."""
        return [pair for _, _, pair in sorted(self._drawn, key=lambda drawn: drawn[1])]


def spoken_of(
    pairs: Iterable[Pair], name: str, done: str, tell: Callable[[str], None]
) -> Iterator[Pair]:
    """The same pairs; every now and then somebody is told how many it were."""
    for number, pair in enumerate(pairs, start=1):
        yield pair
        if number % OFTEN == 0:
            tell(f"{name}: {number:,} pairs {done}")


def repeated(hashes: np.ndarray) -> np.ndarray:
    """Whether each stands earlier."""
    again = np.ones(len(hashes), dtype=bool)
    again[np.unique(hashes, return_index=True)[1]] = False
    return again
