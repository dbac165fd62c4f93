"""What a search finds, and how it is asked to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hypothesis:
    """A sequence of pieces that a search has found.

    Attributes:
        pieces: Its ids, without BOS and EOS.
        log_prob: Its log-probability in nats, EOS included if it ended.
        score: What the search ranked it by: `log_prob` over the length penalty.
        ended: Whether it came to EOS within the limit.
    """

    pieces: tuple[int, ...]
    log_prob: float
    score: float
    ended: bool


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How to search; the defaults are the paper's (section 6.1).

    Attributes:
        beam: How many hypotheses are kept; 1 is greedy search.
        alpha: Strength of the length penalty.
        extra: A hypothesis has at most so many pieces more than the source (EOS counted in both).
    """

    beam: int = 4
    alpha: float = 0.6
    extra: int = 50

    def __post_init__(self):
        if self.beam < 1:
            raise ValueError(f"beam {self.beam} must be at least 1")
        if not 0 <= self.alpha <= 10:
            raise ValueError(f"alpha {self.alpha} must be between 0 and 10")
        if self.extra < 0:
            raise ValueError(f"extra {self.extra} must not be negative")
