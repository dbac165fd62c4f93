"""places -> vectors that tell one place from another (Vaswani et al. 2017, 3.5)."""

import math
import sys
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn


def sinusoids(
    length: int,
    d_model: int,
    *,
    start: int = 0,
    layout: Literal["interleaved", "halves"] = "interleaved",
    device: torch.device | None = None,
) -> Float[Tensor, "length d_model"]:
    """PE(pos, 2i) = sin(pos / 10000^(2i / d_model)) and PE(pos, 2i+1) = cos(the same).

    Args:
        length: How many places.
        d_model: Width of a place's vector.
        start: The first place.
        layout: "interleaved" as the paper prints it, or "halves" as tensor2tensor has it: all
            sines, then all cosines, with timescales from 1 to exactly 10000.
        device: Where the result lies.
    """
    place = torch.arange(start, start + length, dtype=torch.float32, device=device)[:, None]
    if layout == "halves":
        step = math.log(10000) / max(d_model // 2 - 1, 1)
        angle = place * torch.exp(torch.arange(d_model // 2, device=device) * -step)
        table = torch.cat((angle.sin(), angle.cos()), dim=1)
        return nn.functional.pad(table, (0, d_model % 2))
    step = math.log(10000) / d_model
    angle = place * torch.exp(torch.arange(0, d_model, 2, device=device) * -step)
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)[:, :d_model]


class Sinusoids(nn.Module):
    """The paper's choice: nothing to learn, any length."""

    def __init__(self, d_model: int, layout: Literal["interleaved", "halves"] = "interleaved"):
        super().__init__()
        self.longest = sys.maxsize
        self.d_model = d_model
        self.layout: Literal["interleaved", "halves"] = layout

    def forward(
        self, x: Float[Tensor, "batch length d_model"], start: int = 0
    ) -> Float[Tensor, "batch length d_model"]:
        """Add to each vector its place, the first being `start`."""
        places = sinusoids(
            x.shape[1], self.d_model, start=start, layout=self.layout, device=x.device
        )
        return x + places.to(x.dtype)


class LearnedPositions(nn.Module):
    """A learnt vector for each place (Table 3, row E).

    Raises:
        ValueError: a place at or beyond `longest` is asked for.
    """

    def __init__(self, d_model: int, longest: int):
        super().__init__()
        self.longest = longest
        self.table = nn.Embedding(longest, d_model)

    def forward(
        self, x: Float[Tensor, "batch length d_model"], start: int = 0
    ) -> Float[Tensor, "batch length d_model"]:
        """Add to each vector its place, the first being `start`."""
        places = self.table.weight[start : start + x.shape[1]]
        if len(places) < x.shape[1]:
            last = start + x.shape[1] - 1
            raise ValueError(f"place {last} has no position: {self.longest} are learned")
        return x + places
