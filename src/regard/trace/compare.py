"""Trace, Trace -> where they differ: two sentences, two checkpoints, two models."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

from regard.trace.record import Kind
from regard.trace.trace import Trace, written


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two traces side by side.

    Attributes:
        first: The one.
        second: The other.
    """

    first: Trace
    second: Trace

    @property
    def same_pieces(self) -> bool:
        """Whether they stand on the same pieces, so that weights can be subtracted."""
        return all(
            getattr(self.first, side).pieces == getattr(self.second, side).pieces
            for side in ("source", "target_in", "target_out")
        )

    def difference(
        self, kind: Kind = "cross", *, layer: int = -1, head: int | None = None
    ) -> Float[np.ndarray, "queries keys"]:
        """The second's weights less the first's; of one head, or the mean of all.

        Raises:
            ValueError: they stand on different pieces, or one has no such attention.
        """
        queries, keys = self.first.sides(kind)
        others = self.second.sides(kind)
        if (queries.pieces, keys.pieces) != (others[0].pieces, others[1].pieces):
            raise ValueError(
                "the two stand on different pieces; trace both with the same target, or compare"
                " what their heads do: trace.heads()"
            )
        one, other = (
            trace.weights(kind, layer=layer, head=head) for trace in (self.first, self.second)
        )
        return other - one

    def to_html(self, path: str | Path | None = None) -> str:
        """One page with both; written to a file if one is named."""
        return written(path, self.first.page(self.second))

    def _repr_html_(self) -> str:
        return self.first.framed(self.second)


def compare(first: Trace, second: Trace) -> Comparison:
    """Two traces side by side.

    Raises:
        ValueError: they are different views, such as words and pieces.
    """
    if first.view != second.view:
        raise ValueError(
            f"one shows {first.view!r}, the other {second.view!r}; take the same view of both"
        )
    return Comparison(first, second)
