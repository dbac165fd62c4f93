"""rows, a matrix -> rows, each bit for bit what it would be alone.

How a processor's library adds up a row of a product can depend on how many rows there are: one or
three are added up otherwise than four, or four hundred. A multiple of four is always added up alike
(measured with one or two threads), so while nothing is learnt, rows of zeros fill up to it.

On a processor with AVX-512 they are then multiplied by oneDNN: MKL, torch's usual choice, leaves
half of it aside on processors that are not its maker's, and takes twice as long. oneDNN makes code
for each shape, and it and torch's way to it keep up to a megabyte of each, a thousand shapes unless
they are told otherwise. So there rows are filled up to one of few numbers, and few are kept.
"""

import os

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

ROWS = 4
"""What the number of rows is filled up to a multiple of."""
STEPS = 8
"""How many numbers of rows there are between one power of two and the next, for oneDNN."""

WIDE = torch.backends.mkldnn.is_available() and "AVX512" in torch.backends.cpu.get_cpu_capability()
"""Whether oneDNN multiplies."""

if WIDE:  # both read it when they first multiply
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "128")
    os.environ.setdefault("LRU_CACHE_CAPACITY", "128")


def linear(
    x: Float[Tensor, "*rows d_in"],
    weight: Float[Tensor, "d_out d_in"],
    bias: Float[Tensor, " d_out"] | None = None,
) -> Float[Tensor, "*rows d_out"]:
    """x W^T + b."""
    if torch.is_grad_enabled() or x.device.type != "cpu":
        return functional.linear(x, weight, bias)
    rows = x.shape[:-1].numel()
    flat = settled(x).reshape(rows, x.shape[-1])
    if WIDE and flat.dtype == weight.dtype == torch.float32:
        flat = _filled(flat, _few(rows))
        found = torch.ops.mkldnn._linear_pointwise(flat, weight, bias, "none", [], "")
    else:
        found = functional.linear(_filled(flat, ROWS), weight, bias)
    return found[:rows].view(*x.shape[:-1], len(weight))


def _few(rows: int) -> int:
    """What so many rows are filled up to a multiple of: at most an eighth is added to many."""
    return max(ROWS, (1 << max(0, rows - 1).bit_length()) // (2 * STEPS))


def product(
    x: Float[Tensor, "*batch rows inner"], y: Float[Tensor, "*batch inner columns"]
) -> Float[Tensor, "*batch rows columns"]:
    """X Y."""
    rows, x = x.shape[-2], settled(x)
    if torch.is_grad_enabled() or x.device.type != "cpu":
        return x @ y
    return (_filled(x, ROWS) @ y)[..., :rows, :]


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


def _filled(x: Tensor, step: int) -> Tensor:
    missing = -x.shape[-2] % step
    return functional.pad(x, (0, 0, 0, missing)) if missing else x
