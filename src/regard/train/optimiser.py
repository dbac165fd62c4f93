"""parameters -> Adam (Kingma and Ba 2015), as the paper sets it (section 5.3), and its state."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

BETAS = (0.9, 0.98)
EPSILON = 1e-9


def adam(model: nn.Module) -> torch.optim.Adam:
    """Adam with the paper's constants; the learning rate is set before each update."""
    return torch.optim.Adam(model.parameters(), lr=0.0, betas=BETAS, eps=EPSILON, fused=True)


def moments(model: nn.Module, optimiser: torch.optim.Adam) -> dict[str, Tensor]:
    """Adam's memory of each parameter, by name."""
    return {
        f"{name}/{key}": value.detach().cpu().clone()
        for name, parameter in model.named_parameters()
        for key, value in optimiser.state[parameter].items()
    }


def remember(model: nn.Module, optimiser: torch.optim.Adam, given: Mapping[str, Tensor]) -> None:
    """Give Adam the memory that `moments` returned; before the first step it has none."""
    for name, parameter in model.named_parameters():
        if f"{name}/step" in given:
            optimiser.state[parameter] = {
                key: given[f"{name}/{key}"].to(parameter.device)
                for key in ("step", "exp_avg", "exp_avg_sq")
            }
