"""a name -> the device that a model runs on."""

import os
from typing import TYPE_CHECKING

from regard.errors import RecipeError

if TYPE_CHECKING:
    import torch


def choose(name: str) -> "torch.device":
    """The device of that name.

    Raises:
        RecipeError: this machine has none such.
    """
    import torch

    there = {"cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if name == "auto":
        name = next((kind for kind, count in there.items() if count), "cpu")
    if name == "cuda" and "LOCAL_RANK" in os.environ:  # torchrun gives each process its own
        name = f"cuda:{os.environ['LOCAL_RANK']}"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise RecipeError(f"device {name!r} is unknown; use cpu, cuda, mps or auto") from None
    if (device.index or 0) >= {**there, "cpu": 1}.get(device.type, 0):
        raise RecipeError(f"device {name!r} is not there on this machine; use --device cpu")
    return device
