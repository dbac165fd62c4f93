"""sentence pairs -> examples (ids), with an account of every pair that was left out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from regard.data.checks import FINDINGS, Checks, bit, bits
from regard.data.examples import Examples, Ragged
from regard.data.pairs import Pair
from regard.errors import CorpusError
from regard.text.normalise import normalise
from regard.text.pieces import EOS, Pieces

NEVER_LEARNT = frozenset({"empty", "too long", "too uneven"})
"""What is left out whatever the filters are; a recipe says how long, and how uneven."""

LONGEST_PIECE = 16
"""Characters of a piece, at most, as sentencepiece learns them."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """What there is in a text, and what became of its pairs: `used + dropped == total`.

    Attributes:
        total: Pairs that were read.
        found: How many of them have each finding of `checks.FINDINGS`, used or not.
        left_out: How many were left out for each; a pair counts for the first.
        words: Of the pairs that are used, source and target.
        pieces: The same, EOS not counted.
        unknown: Those of the pieces that are bytes of what the vocabulary does not know.
    """

    total: int = 0
    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FINDINGS, 0))
    left_out: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FINDINGS, 0))
    words: tuple[int, int] = (0, 0)
    pieces: tuple[int, int] = (0, 0)
    unknown: tuple[int, int] = (0, 0)

    def __add__(self, other: "Report") -> "Report":
        def both(name: str) -> tuple[int, int]:
            (a, b), (c, d) = getattr(self, name), getattr(other, name)
            return a + c, b + d

        return Report(
            total=self.total + other.total,
            found={name: self.found[name] + other.found[name] for name in FINDINGS},
            left_out={name: self.left_out[name] + other.left_out[name] for name in FINDINGS},
            words=both("words"),
            pieces=both("pieces"),
            unknown=both("unknown"),
        )

    @property
    def dropped(self) -> int:
        """Pairs that were left out, for whatever reason."""
        return sum(self.left_out.values())

    @property
    def used(self) -> int:
        """Pairs that became examples."""
        return self.total - self.dropped

    def __str__(self) -> str:
        reasons = ", ".join(f"{count:,} {name}" for name, count in self.left_out.items() if count)
        return f"{self.used:,} of {self.total:,} pairs used" + (
            reasons and f"; left out: {reasons}"
        )


@dataclass(frozen=True)
class Encoded:
    """What became of some pairs.

    Attributes:
        examples: Those that can be learnt from.
        reasons: For each pair 0 if it is used, or the place in `checks.FINDINGS`, counted from 1.
        report: The account.
    """

    examples: Examples
    reasons: np.ndarray
    report: Report


@dataclass(frozen=True, kw_only=True)
class Encoder:
    """Makes examples of pairs.

    Attributes:
        source: The source side's pieces.
        target: The target side's pieces.
        longest: The most pieces that a side may have, EOS counted.
        ratio: How many times longer than the other a side may be.
        filters: What else is left out, of `checks.FINDINGS`.
        checks: Looks at each pair.
    """

    source: Pieces
    target: Pieces
    longest: int
    ratio: float
    filters: Collection[str] = ()
    checks: Checks = field(default_factory=Checks)

    def __call__(self, pairs: Sequence[Pair], repeated: np.ndarray | None = None) -> Encoded:
        """Split pairs into ids and leave out what cannot, or shall not, be learnt from.

        Args:
            pairs: As many as memory holds.
            repeated: True where a pair stands earlier.
        """
        sources, targets = ([normalise(pair[side]) for pair in pairs] for side in (0, 1))
        ids = [self._split(self.source, sources), self._split(self.target, targets)]
        lengths = np.array([list(map(len, side)) for side in ids])
        found = np.array(list(map(self.checks, pairs, sources, targets)), dtype=np.int64)
        if repeated is not None:
            found |= repeated * bit("duplicate")
        found |= (lengths.max(0) >= self.longest) * bit("too long")
        uneven = (lengths.max(0) > self.ratio * lengths.min(0)) & (lengths.min(0) > 0)
        found |= uneven * bit("too uneven")
        reasons = _reasons(found, bits({*NEVER_LEARNT, *self.filters}))
        used = np.flatnonzero(reasons == 0)
        source, target = (_packed(side, used) for side in ids)
        report = Report(
            total=len(pairs),
            found={name: int(np.count_nonzero(found & bit(name))) for name in FINDINGS},
            left_out={
                name: int(np.count_nonzero(reasons == number))
                for number, name in enumerate(FINDINGS, start=1)
            },
            words=(_words(sources, used), _words(targets, used)),
            pieces=(len(source.values) - len(used), len(target.values) - len(used)),
            unknown=(_count(source, self.source.bytes), _count(target, self.target.bytes)),
        )
        return Encoded(Examples(source, target, used + 1), reasons, report)

    def _split(self, pieces: Pieces, texts: Sequence[str]) -> list[list[int]]:
        """The ids; what must be too long by its characters is cut, and still is too long."""
        most = LONGEST_PIECE * self.longest
        return pieces.split_normalised([text[: most + 1] for text in texts])


def _reasons(found: np.ndarray, counted: int) -> np.ndarray:
    """The first of each pair's findings that counts: its place from 1, or 0."""
    found = found & counted
    first = found & -found
    return np.where(first > 0, np.bitwise_count(first - 1) + 1, 0).astype(np.uint8)


def _packed(rows: Sequence[Sequence[int]], used: np.ndarray) -> Ragged:
    return Ragged.of([[*rows[row], EOS] for row in used.tolist()])


def _words(texts: Sequence[str], used: np.ndarray) -> int:
    return sum(texts[row].count(" ") + 1 for row in used.tolist())


def _count(side: Ragged, wanted: range) -> int:
    return int(np.count_nonzero((side.values >= wanted.start) & (side.values < wanted.stop)))


def must_have_some(name: str, report: Report) -> None:
    """Refuse a text of which nothing is left.

    Raises:
        CorpusError: that is so.
    """
    if not report.used:
        raise CorpusError(f"{name}: no pair is left to learn from: {report}")
