"""All that a search asks of a model, and all that it tells whoever watches."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from jaxtyping import Float, Int
from torch import Tensor


@runtime_checkable
class State(Protocol):
    """What a decoder keeps between steps, for rows that are hypotheses.

    Every sentence has the same number of rows, side by side.
    """

    def reorder(self, rows: Int[Tensor, " rows"]) -> Any:
        """The state in which row i goes on from row rows[i], a row of the same sentence."""
        ...

    def only(self, sentences: Int[Tensor, " sentences"]) -> Any:
        """The state of these sentences alone, in this order."""
        ...


@runtime_checkable
class Decoder(Protocol):
    """A model that says what may come next."""

    def step(
        self,
        pieces: Int[Tensor, " rows"],
        state: Any,
    ) -> tuple[Float[Tensor, "rows vocabulary"], Any]:
        """Logits of what follows each row's latest piece, and the state after it."""
        ...


@dataclass(frozen=True)
class Step:
    """One step of a search, as an observer sees it: what was weighed, best first.

    Attributes:
        sentences: Which sentences are still being searched.
        parents: The hypothesis that each candidate continues.
        pieces: The piece that each candidate adds.
        log_probs: Log-probability of each candidate as a whole, in nats.
    """

    sentences: Int[Tensor, " sentences"]
    parents: Int[Tensor, "sentences candidates"]
    pieces: Int[Tensor, "sentences candidates"]
    log_probs: Float[Tensor, "sentences candidates"]


Observer = Callable[[Step], None]
