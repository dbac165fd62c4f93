"""What every family is: an encoder, a decoder that goes one piece further, an output layer."""

import sys
from abc import ABC, abstractmethod
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from regard.data.batch import Batch, Sentences

BLOCK = 1 << 23
"""How many logits exist at once."""


class EncoderDecoder(nn.Module, ABC):
    """A model that learns from whole batches and is searched step by step.

    Attributes:
        output: What the decoder shows, to logits.
    """

    output: nn.Linear

    @property
    def longest(self) -> int:
        """How many positions a sentence may have; as many as there are, unless they are learnt."""
        return sys.maxsize

    def forward(self, batch: Batch) -> Float[Tensor, "batch target vocabulary"]:
        """Logits of each next piece of the target, all positions at once."""
        return self.output(self.states(batch))

    def log_probs(self, batch: Batch) -> Float[Tensor, "batch target"]:
        """Log-probability in nats of each piece of `target_out`, given all before it.

        What stands at padding says nothing.
        """
        states, wanted = self.states(batch).flatten(0, 1), batch.target_out.ids.flatten()
        rows = max(1, BLOCK // self.output.out_features)
        found = [
            self.output(part).log_softmax(-1).gather(1, ids[:, None])
            for part, ids in zip(states.split(rows), wanted.split(rows), strict=True)
        ]
        return torch.cat(found).view_as(batch.target_out.ids)

    @abstractmethod
    def states(self, batch: Batch) -> Float[Tensor, "batch target d_output"]:
        """What `output` turns into logits."""

    @abstractmethod
    def encode(self, source: Sentences) -> Any:
        """What the decoder may know of the source."""

    @abstractmethod
    def start(self, memory: Any) -> Any:
        """A decoder's state before the first step, one row a sentence."""

    @abstractmethod
    def step(
        self, pieces: Int[Tensor, " rows"], state: Any
    ) -> tuple[Float[Tensor, "rows vocabulary"], Any]:
        """Logits of what follows `pieces`, the latest piece of each hypothesis."""


def rows_of(sentences: Int[Tensor, " sentences"], of_each: int) -> Int[Tensor, " rows"]:
    """The rows of some sentences' hypotheses, so many each, side by side."""
    within = torch.arange(of_each, device=sentences.device)
    return (sentences[:, None] * of_each + within).flatten()
