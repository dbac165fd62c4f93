"""What stands so far -> which pieces must not follow: small objects, one rule each.

A rule takes chances away and gives them to nobody: what is left keeps the log-probability that the
model gave it, so that scores are still those of forced decoding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from regard.search.hypothesis import SearchOptions
from regard.text.pieces import EOS


@dataclass(frozen=True)
class Past:
    """What stands so far.

    Attributes:
        sentences: Which sentences are still being searched.
        pieces: The ids of each of their hypotheses, without BOS.
    """

    sentences: Int[Tensor, " sentences"]
    pieces: Int[Tensor, "sentences hypotheses length"]


@runtime_checkable
class Rule(Protocol):
    """Says what must not come next."""

    def __call__(
        self, past: Past, vocabulary: int
    ) -> Bool[Tensor, "#sentences #hypotheses vocabulary"] | None:
        """True for each piece that must not follow; None where all may."""
        ...


@dataclass(frozen=True)
class AtLeast:
    """No hypothesis ends with fewer pieces than `length`, EOS counted."""

    length: int

    def __call__(self, past: Past, vocabulary: int) -> Bool[Tensor, "1 1 vocabulary"] | None:
        """EOS, for as long as it would come too early."""
        if past.pieces.shape[2] + 1 >= self.length:
            return None
        return (torch.arange(vocabulary, device=past.pieces.device) == EOS)[None, None]


@dataclass(frozen=True)
class NoRepeat:
    """No `length` pieces in a row come twice in a hypothesis (Paulus et al. 2018, 2.5)."""

    length: int

    def __call__(
        self, past: Past, vocabulary: int
    ) -> Bool[Tensor, "sentences hypotheses vocabulary"] | None:
        """What once followed the pieces that are the last now; never EOS."""
        if past.pieces.shape[2] < self.length:
            return None
        runs = past.pieces.unfold(2, self.length, 1)
        last = past.pieces[:, :, past.pieces.shape[2] - self.length + 1 :]
        again = (runs[..., :-1] == last[:, :, None, :]).all(3)
        forbidden = again.new_zeros(*again.shape[:2], vocabulary + 1)
        forbidden.scatter_(2, runs[..., -1].masked_fill(~again, vocabulary), True)
        return forbidden[..., :vocabulary]


@dataclass(frozen=True)
class Begin:
    """Each sentence's hypotheses begin with given pieces."""

    pieces: Sequence[Sequence[int]]

    def __call__(
        self, past: Past, vocabulary: int
    ) -> Bool[Tensor, "sentences 1 vocabulary"] | None:
        """All but the next given piece, where one is left."""
        place = past.pieces.shape[2]
        given = [self.pieces[i] for i in past.sentences.tolist()]
        if all(len(row) <= place for row in given):
            return None
        nexts = [row[place] if place < len(row) else -1 for row in given]
        wanted = torch.tensor(nexts, device=past.pieces.device)[:, None, None]
        ids = torch.arange(vocabulary, device=past.pieces.device)
        return (wanted >= 0) & (wanted != ids)


def rules_of(options: SearchOptions, begin: Sequence[Sequence[int]] = ()) -> list[Rule]:
    """The rules that options ask for, and what each sentence's hypotheses begin with, if given."""
    rules: list[Rule] = []
    if options.shortest > 1:
        rules.append(AtLeast(options.shortest))
    if options.no_repeat:
        rules.append(NoRepeat(options.no_repeat))
    if any(begin):
        rules.append(Begin(begin))
    return rules
