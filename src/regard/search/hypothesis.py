"""What a search finds, and how it is asked to."""

from dataclasses import dataclass

from regard.search.length import PENALTIES, length_penalty


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
        penalty: "gnmt" as in the paper, "length" for length ** alpha, or "none".
        extra: A hypothesis has at most so many pieces more than the source (EOS counted in both).
        longest: The most pieces of a hypothesis, EOS counted, whatever the source; `extra` then
            says nothing.
    """

    beam: int = 4
    alpha: float = 0.6
    penalty: str = "gnmt"
    extra: int = 50
    longest: int | None = None

    def __post_init__(self):
        if self.beam < 1:
            raise ValueError(f"beam {self.beam} must be at least 1")
        if not 0 <= self.alpha <= 10:
            raise ValueError(f"alpha {self.alpha} must be between 0 and 10")
        if self.penalty not in PENALTIES:
            known = ", ".join(PENALTIES)
            raise ValueError(f"penalty '{self.penalty}' must be one of {known}")
        if self.extra < 0:
            raise ValueError(f"extra {self.extra} must not be negative")
        if self.longest is not None and self.longest < 1:
            raise ValueError(f"longest {self.longest} must be at least 1")

    def penalised(self, log_prob: float, length: int) -> float:
        """The score of a hypothesis of that length, EOS counted."""
        return log_prob / length_penalty(length, self.alpha, self.penalty)

    def most(self, source: int) -> int:
        """The most pieces of a hypothesis for a source of that length, EOS counted in both."""
        return source + self.extra if self.longest is None else self.longest
