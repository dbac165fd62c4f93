"""a recipe's text -> an account of it, its cleaned pairs, and parts that share no sentence."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from regard.checkpoint import newest
from regard.data.checks import FINDINGS, Checks, HeldOut
from regard.data.corpus import Tell
from regard.data.encode import Encoder, Report
from regard.data.pairs import Pair
from regard.data.split import components, set_aside
from regard.data.store import Store
from regard.data.survey import repeated
from regard.text.normalise import normalise
from regard.train.begin import claimed
from regard.train.material import Text, stored
from regard.train.recipe import Recipe

PARTS = ("train", "dev", "test")


@dataclass(frozen=True)
class Sorted:
    """A pair, and where it belongs.

    Attributes:
        text: The text that it is of.
        number: Which of its pairs it is, from 1.
        pair: The pair as it was read.
        reason: Why it is left out; "" if it is used.
        part: Which part it is of: "train", "dev" or "test".
    """

    text: str
    number: int
    pair: Pair
    reason: str
    part: str


@dataclass(frozen=True)
class Account:
    """What there is in a recipe's text.

    Attributes:
        text: What the recipe names.
        store: The same as ids.
        reports: The account of each text, those held out after those that are learnt from.
    """

    text: Text
    store: Store
    reports: dict[str, Report]

    @classmethod
    def of(cls, recipe: Recipe, run: Path, tell: Tell) -> "Account":
        """Build the store in a run's folder, if it is not there, and look at the held-out text.

        Raises:
            RegardError: what cannot be read or written.
        """
        text = Text.of(recipe, tell)
        with claimed(run) as sign:
            sign()
            begun, _ = newest(run)
            store = stored(recipe, text, run / "store", begun, accept=lambda _: None, tell=tell)
        encoder = Encoder(
            source=store.source,
            target=store.target,
            longest=recipe.data.longest,
            ratio=recipe.data.ratio,
        )
        return cls(text, store, store.reports | dict(_held_out(text, store, encoder)))

    def as_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "texts": {
                name: {**asdict(report), "used": report.used, "dropped": report.dropped}
                for name, report in self.reports.items()
            },
            "vocabulary": [len(self.store.source), len(self.store.target)],
            **self.store.about,
        }

    def sorted(self, aside: Sequence[int] = ()) -> "Iterator[Sorted]":
        """Every pair of the text to learn from, and where it belongs.

        Args:
            aside: How many pairs of the first text to set aside for dev and for test, so that none
                shares a sentence, whatever the case, with a pair to learn from.

        Raises:
            CorpusError: there are not as many.
        """
        parts = self._parts(aside) if aside else np.zeros(len(self.store.reasons), np.int8)
        start = 0
        for corpus in self.text.corpora:
            for number, pair in enumerate(corpus.read(_told_before)):
                reason = self.store.reasons[start + number]
                yield Sorted(
                    text=corpus.name,
                    number=number + 1,
                    pair=pair,
                    reason=FINDINGS[reason - 1] if reason else "",
                    part=PARTS[parts[start + number]],
                )
            start += self.reports[corpus.name].total

    def _parts(self, aside: Sequence[int]) -> np.ndarray:
        """Which part each pair is of; what is left out is of the first."""
        hashes = array("q"), array("q")
        pairs = chain.from_iterable(corpus.read(_told_before) for corpus in self.text.corpora)
        for pair, reason in zip(pairs, self.store.reasons, strict=True):
            if not reason:
                for own, text in zip(hashes, pair, strict=True):
                    own.append(hash(normalise(text).casefold()))
        used = self.store.examples.numbers - 1
        of_first = used < next(iter(self.reports.values())).total
        parts = np.zeros(len(self.store.reasons), np.int8)
        parts[used] = set_aside(components(*map(np.array, hashes)), of_first, aside)
        return parts


def _held_out(text: Text, store: Store, encoder: Encoder) -> Iterator[tuple[str, Report]]:
    """The account of what is not learnt from; what one of them shares with the other is found."""
    for name, pairs in text.held_out.items():
        others = [HeldOut(other, own) for other, own in text.held_out.items() if other != name]
        checks = Checks(others, store.about["scripts"])
        hashes = np.array([hash(tuple(map(normalise, pair))) for pair in pairs])
        yield name, replace(encoder, checks=checks)(pairs, repeated(hashes)).report


def _told_before(_words: str) -> None:
    """What is odd in a file was told when the store was built."""
