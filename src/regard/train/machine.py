"""What this machine does best: its peak, and whether multiplying in bfloat16 is worth it."""

import time
from functools import cache

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
            _wait(batch.source.ids.device)
            taken.append(time.perf_counter() - started)
            model.zero_grad()
    torch.set_rng_state(states)
    return min(seconds[True][1:]) < WORTH * min(seconds[False][1:])


@cache
def peak(device: torch.device, kind: torch.dtype) -> float:
    """Floating-point operations a second in a product of two large matrices."""
    n = 1024 if device.type == "cpu" else 4096
    a = torch.ones(n, n, device=device, dtype=kind)
    best = 0.0
    for _ in range(4):
        started = time.perf_counter()
        torch.mm(a, a)
        _wait(device)
        best = max(best, 2 * n**3 / (time.perf_counter() - started))
    return best


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
