"""batches -> one update of the parameters."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import nn

from regard.data.batch import Batch
from regard.models.encoder_decoder import EncoderDecoder
from regard.train.loss import Loss, output_loss


@dataclass(frozen=True)
class Update:
    """What one update saw.

    Attributes:
        loss: Smoothed cross-entropy in nats per target piece: what was minimised.
        unsmoothed: The same without smoothing; perplexity is its exponential.
        gradient_norm: Length of the gradient, before clipping.
        pieces: Real source and target pieces.
        padding: The share of all places that hold no piece.
    """

    loss: float
    unsmoothed: float
    gradient_norm: float
    pieces: int
    padding: float

    @property
    def finite(self) -> bool:
        """Whether loss and gradient were numbers; if not, no step was taken."""
        return math.isfinite(self.loss + self.gradient_norm)


class Learner:
    """A model as an update sees it: alone on one device (`several.py` has the other kind).

    Args:
        model: What learns.
        label_smoothing: Probability that is taken off the right piece.
        bfloat16: Whether matrices are multiplied in bfloat16; parameters, their gradients, moments
            and the sums of the loss stay float32.
    """

    def __init__(self, model: EncoderDecoder, *, label_smoothing: float, bfloat16: bool = False):
        self.model = model
        self.label_smoothing = label_smoothing
        self.bfloat16 = bfloat16

    def loss(self, batch: Batch, *, last: bool) -> Loss:
        """The loss of one batch, `last` of those that make an update."""
        del last
        return batch_loss(
            self.model, batch, label_smoothing=self.label_smoothing, bfloat16=self.bfloat16
        )

    def total(self, numbers: Sequence[float]) -> list[float]:
        """Each number, summed over all that learn together."""
        return list(numbers)


def update(
    learner: Learner,
    batches: Sequence[Batch],
    optimiser: torch.optim.Optimizer,
    *,
    rate: float,
    clip: float = 0.0,
    interrupted: Callable[[], object] = lambda: False,
) -> Update | None:
    """Learn from batches as from one: the loss is per real target piece of all of them.

    No step is taken where the loss or the gradient is not a finite number, and none, with None as
    the answer, where `interrupted` after a batch: the parameters are then as they were.
    """
    counts = torch.tensor([batch.counts for batch in batches], dtype=torch.float64).sum(0)
    sources, targets, places = learner.total(counts.tolist())
    smoothed = unsmoothed = 0.0
    for left, batch in zip(range(len(batches) - 1, -1, -1), batches, strict=True):
        loss = learner.loss(batch, last=not left)
        (loss.smoothed / targets).backward()
        smoothed += float(loss.smoothed.detach())
        unsmoothed += float(loss.unsmoothed)
        if interrupted():
            optimiser.zero_grad()
            return None
    smoothed, unsmoothed = learner.total([smoothed, unsmoothed])
    parameters = list(learner.model.parameters())
    norm = nn.utils.get_total_norm(p.grad for p in parameters if p.grad is not None)
    result = Update(
        loss=smoothed / targets,
        unsmoothed=unsmoothed / targets,
        gradient_norm=float(norm),
        pieces=int(sources + targets),
        padding=1 - (sources + targets) / places,
    )
    if result.finite:
        if clip:
            nn.utils.clip_grads_with_norm_(parameters, clip, norm)
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.step()
    optimiser.zero_grad()
    return result


def batch_loss(
    model: EncoderDecoder, batch: Batch, *, label_smoothing: float, bfloat16: bool = False
) -> Loss:
    """The loss over a batch's real target pieces; padding never reaches the output layer."""
    real = batch.target_out.real
    with torch.autocast(real.device.type, dtype=torch.bfloat16, enabled=bfloat16):
        states = model.states(batch)[real]
    return output_loss(
        states.to(torch.bfloat16) if bfloat16 else states,
        model.output.weight,
        batch.target_out.ids[real],
        smoothing=label_smoothing,
    )
