"""rows of ids -> tensors: pad, shift, and say which positions are real."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from regard.data.examples import Examples
from regard.text.pieces import BOS, PAD


@dataclass(frozen=True)
class Sentences:
    """Sentences of unequal length side by side; `real` is False where there is only padding."""

    ids: Int[Tensor, "batch length"]
    real: Bool[Tensor, "batch length"]

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[int] | np.ndarray],
        *,
        step: int = 1,
        longest: int = sys.maxsize,
    ) -> "Sentences":
        """Pad rows of ids at the end to the longest of them.

        Args:
            rows: The ids of each sentence.
            step: What the width is a multiple of.
            longest: The width that it is in no case beyond; no row is longer.
        """
        lengths = np.array([len(row) for row in rows])
        real = np.arange(min(-(-lengths.max() // step) * step, longest)) < lengths[:, None]
        ids = np.full(real.shape, PAD, dtype=np.int64)
        ids[real] = np.concatenate(rows)
        return cls(torch.from_numpy(ids), torch.from_numpy(real))

    def to(self, device: torch.device) -> "Sentences":
        """The same on another device."""
        return Sentences(self.ids.to(device), self.real.to(device))


@dataclass(frozen=True)
class Batch:
    """What one step of learning sees: `target_in` is `target_out` shifted right behind BOS."""

    source: Sentences
    target_in: Sentences
    target_out: Sentences

    @classmethod
    def of(cls, examples: Examples, rows: np.ndarray, **padding: int) -> "Batch":
        """The given rows of the examples as one batch; `padding` as for `Sentences.of`."""
        chosen = rows.tolist()
        targets = [examples.target[row] for row in chosen]
        return cls(
            source=Sentences.of([examples.source[row] for row in chosen], **padding),
            target_in=Sentences.of(
                [np.concatenate(([BOS], ids[:-1])) for ids in targets], **padding
            ),
            target_out=Sentences.of(targets, **padding),
        )

    def __len__(self) -> int:
        return len(self.source.ids)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Real source pieces, real target pieces, and places of both sides."""
        sources, targets = self.source.real, self.target_out.real
        return int(sources.sum()), int(targets.sum()), sources.numel() + targets.numel()

    def to(self, device: torch.device) -> "Batch":
        """The same on another device."""
        return Batch(self.source.to(device), self.target_in.to(device), self.target_out.to(device))
