"""rows, a matrix -> rows, each bit for bit what it would be alone.

How a processor's library adds up a row of a product can depend on how many rows there are: one or
three are added up otherwise than four, or four hundred. A multiple of four is always added up alike
(measured with one or two threads), so while nothing is learnt, rows of zeros fill up to it. They
are then multiplied by oneDNN: where MKL, torch's usual choice, leaves half of a processor's AVX-512
aside, it is more than twice as fast.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

ROWS = 4
"""What the number of rows is filled up to a multiple of."""


def linear(
    x: Float[Tensor, "*rows d_in"],
    weight: Float[Tensor, "d_out d_in"],
    bias: Float[Tensor, " d_out"] | None = None,
) -> Float[Tensor, "*rows d_out"]:
    """x W^T + b."""
    if torch.is_grad_enabled() or x.device.type != "cpu":
        return functional.linear(x, weight, bias)
    rows = x.shape[:-1].numel()
    flat = _filled(settled(x).reshape(rows, x.shape[-1]))
    if torch.backends.mkldnn.is_available() and flat.dtype == weight.dtype == torch.float32:
        found = torch.ops.mkldnn._linear_pointwise(flat, weight, bias, "none", [], "")
    else:
        found = functional.linear(flat, weight, bias)
    return found[:rows].view(*x.shape[:-1], len(weight))


def product(
    x: Float[Tensor, "*batch rows inner"], y: Float[Tensor, "*batch inner columns"]
) -> Float[Tensor, "*batch rows columns"]:
    """X Y."""
    rows, x = x.shape[-2], settled(x)
    return (_filled(x) @ y)[..., :rows, :] if _missing(rows, x) else x @ y


class Linear(nn.Linear):
    """`torch.nn.Linear` by `linear`."""

    def forward(self, input: Float[Tensor, "*rows d_in"]) -> Float[Tensor, "*rows d_out"]:
        """x W^T + b."""
        return linear(input, self.weight, self.bias)


def settled(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """The same numbers; while nothing is learnt, without gaps.

    What has gaps is copied before a product, but not if it has one sentence.
    """
    return x if torch.is_grad_enabled() else x.contiguous()


def _missing(rows: int, x: Tensor) -> int:
    return 0 if torch.is_grad_enabled() or x.device.type != "cpu" else -rows % ROWS


def _filled(x: Tensor) -> Tensor:
    return functional.pad(x, (0, 0, 0, _missing(x.shape[-2], x)))
