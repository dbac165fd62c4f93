"""several models -> one that says what they say on average."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


@dataclass(frozen=True)
class States:
    """What each model keeps."""

    each: tuple[Any, ...]

    def reorder(self, rows: Int[Tensor, " rows"]) -> "States":
        """Row i goes on from what row rows[i] was, a row of the same sentence."""
        return States(tuple(state.reorder(rows) for state in self.each))

    def only(self, sentences: Int[Tensor, " sentences"]) -> "States":
        """Only these sentences stay, in this order."""
        return States(tuple(state.only(sentences) for state in self.each))


class Ensemble(nn.Module):
    """Models of any family over one vocabulary; a piece's probability is the mean of theirs."""

    def __init__(self, models: Sequence[nn.Module]):
        super().__init__()
        self.models = cast("Sequence[Any]", nn.ModuleList(models))

    @property
    def longest(self) -> int:
        """How many positions a sentence may have: as many as each model has."""
        return min(model.longest for model in self.models)

    def encode(self, source: Any) -> tuple[Any, ...]:
        """What each decoder may know of the source."""
        return tuple(model.encode(source) for model in self.models)

    def start(self, memory: tuple[Any, ...]) -> States:
        """The decoders' states before the first step, one row a sentence."""
        return States(
            tuple(model.start(part) for model, part in zip(self.models, memory, strict=True))
        )

    def step(
        self, pieces: Int[Tensor, " rows"], state: States
    ) -> tuple[Float[Tensor, "rows vocabulary"], States]:
        """Log-probabilities of what follows each row's latest piece, and the states after it."""
        found = [
            model.step(pieces, part) for model, part in zip(self.models, state.each, strict=True)
        ]
        logits = [logits.log_softmax(1) for logits, _ in found]
        return _mean(logits), States(tuple(after for _, after in found))

    def log_probs(self, batch: Any) -> Float[Tensor, "batch target"]:
        """Log-probability in nats of each piece of `target_out`, given all before it."""
        return _mean([model.log_probs(batch) for model in self.models])


def _mean(log_probs: Sequence[Tensor]) -> Tensor:
    return torch.stack(list(log_probs)).logsumexp(0) - math.log(len(log_probs))
