"""The states of torch's random numbers: taken, and given back."""

from collections.abc import Mapping

import torch
from torch import Tensor


def random_states(device: torch.device) -> dict[str, Tensor]:
    """All that dropout on a device follows from, as it is now."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def set_random_states(states: Mapping[str, Tensor], device: torch.device, rank: int) -> None:
    """Go on with the random numbers of a checkpoint's process of that rank."""
    torch.set_rng_state(states[f"random/cpu/{rank}"])
    if device.type == "cuda" and f"random/cuda/{rank}" in states:
        torch.cuda.set_rng_state(states[f"random/cuda/{rank}"], device)
