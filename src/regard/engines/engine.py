"""ids -> hypotheses: what an engine is, whoever wrote it."""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from regard.search import Hypothesis, SearchOptions


@runtime_checkable
class Engine(Protocol):
    """A way from ids to hypotheses."""

    longest: int
    """The most pieces of a source, EOS counted."""

    def check(self, options: SearchOptions) -> None:
        """Raise a RecipeError if there is a rule that it lacks."""
        ...

    def find(
        self, rows: Sequence[Sequence[int]], options: SearchOptions
    ) -> Iterator[tuple[int, list[Hypothesis]]]:
        """Each row's number and its best hypotheses, in any order; a row of ids ends in EOS."""
        ...
