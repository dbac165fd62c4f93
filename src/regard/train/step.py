"""batches -> one update of the parameters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn

from regard.data.batch import Batch
from regard.errors import NotFiniteError
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
    """

    loss: float
    unsmoothed: float
    gradient_norm: float
    pieces: int


def update(
    model: EncoderDecoder,
    batches: Sequence[Batch],
    optimiser: torch.optim.Optimizer,
    *,
    rate: float,
    label_smoothing: float,
    clip: float,
) -> Update:
    """Learn from batches as from one: the loss is per real target piece of all of them.

    Raises:
        NotFiniteError: the loss or the gradient is not a finite number; nothing was changed.
    """
    pieces = sum(int(batch.target_out.real.sum()) for batch in batches)
    smoothed = unsmoothed = 0.0
    for batch in batches:
        loss = batch_loss(model, batch, label_smoothing=label_smoothing)
        (loss.smoothed / pieces).backward()
        smoothed += float(loss.smoothed.detach())
        unsmoothed += float(loss.unsmoothed)
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = nn.utils.get_total_norm(gradients)
    if not math.isfinite(smoothed + float(norm)):
        optimiser.zero_grad()
        raise NotFiniteError(
            f"the loss is {smoothed / pieces} and the gradient's norm {float(norm)}; try a smaller"
            " training.factor, a longer training.warmup, or training.clip = 1.0"
        )
    if clip:
        nn.utils.clip_grads_with_norm_(model.parameters(), clip, norm)
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.step()
    optimiser.zero_grad()
    sources = sum(int(batch.source.real.sum()) for batch in batches)
    return Update(smoothed / pieces, unsmoothed / pieces, float(norm), pieces + sources)


def batch_loss(model: EncoderDecoder, batch: Batch, *, label_smoothing: float) -> Loss:
    """The loss over a batch's real target pieces; padding never reaches the output layer."""
    real = batch.target_out.real
    return output_loss(
        model.states(batch)[real],
        model.output.weight,
        batch.target_out.ids[real],
        smoothing=label_smoothing,
    )
