"""a model, a batch -> whether multiplying in bfloat16 is worth it here."""

import time

import torch

from regard.data.batch import Batch
from regard.models.encoder_decoder import EncoderDecoder
from regard.train.step import batch_loss

WORTH = 0.9
"""bfloat16 is less exact: it has to take less than this share of float32's time."""


def faster_in_bfloat16(model: EncoderDecoder, batch: Batch, *, repeats: int = 2) -> bool:
    """Measure: loss and gradients of one batch, in both types, in turns; nothing is changed."""
    states = torch.get_rng_state()
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(repeats + 1):  # the first of each warms up
        for bfloat16, taken in seconds.items():
            started = time.perf_counter()
            loss = batch_loss(model, batch, label_smoothing=0.1, bfloat16=bfloat16)
            loss.smoothed.backward()
            if batch.source.ids.is_cuda:
                torch.cuda.synchronize()
            taken.append(time.perf_counter() - started)
            model.zero_grad()
    torch.set_rng_state(states)
    return min(seconds[True][1:]) < WORTH * min(seconds[False][1:])
