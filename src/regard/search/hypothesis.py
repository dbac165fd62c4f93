"""What a search finds, and how it is asked to."""

from dataclasses import dataclass

from regard.search.length import PENALTIES, length_penalty

STOPS = ("safe", "first")
"""When a sentence is done, as in tensor2tensor: once nothing that goes on could still be among the
best asked for; or already once nothing could be better than the best of all."""


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
        best: How many of those that ended are returned.
        penalty: "gnmt" as in the paper, "length" for length ** alpha, or "none".
        alpha: Strength of the length penalty.
        extra: A hypothesis has at most so many pieces more than the source (EOS counted in both).
        shortest: How many pieces it has at least, EOS counted.
        longest: How many it has at most, EOS counted, whatever the source; `extra` then says
            nothing.
        no_repeat: How many pieces in a row must not come twice; any may if 0.
        stop: "safe", or "first", which may give the second best and those after it up too early.
    """

    beam: int = 4
    best: int = 1
    penalty: str = "gnmt"
    alpha: float = 0.6
    extra: int = 50
    shortest: int = 0
    longest: int | None = None
    no_repeat: int = 0
    stop: str = "safe"

    def __post_init__(self):
        if self.beam < 1:
            raise ValueError(f"beam {self.beam} must be at least 1")
        if not 1 <= self.best <= self.beam:
            raise ValueError(f"best {self.best} must be between 1 and beam, {self.beam}")
        if not 0 <= self.alpha <= 10:
            raise ValueError(f"alpha {self.alpha} must be between 0 and 10")
        if self.penalty not in PENALTIES:
            known = ", ".join(PENALTIES)
            raise ValueError(f"penalty '{self.penalty}' must be one of {known}")
        for name in ("extra", "shortest", "no_repeat"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} {getattr(self, name)} must not be negative")
        if self.longest is not None and self.longest < max(1, self.shortest):
            least = f"shortest, {self.shortest}" if self.shortest > 1 else "1"
            raise ValueError(f"longest {self.longest} must be at least {least}")
        if self.stop not in STOPS:
            raise ValueError(f"stop '{self.stop}' must be one of {', '.join(STOPS)}")

    def penalised(self, log_prob: float, length: int) -> float:
        """The score of a hypothesis of that length, EOS counted."""
        return log_prob / length_penalty(length, self.alpha, self.penalty)

    def most(self, source: int) -> int:
        """The most pieces of a hypothesis for a source of that length, EOS counted in both."""
        return source + self.extra if self.longest is None else self.longest
