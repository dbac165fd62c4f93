"""vectors -> vectors that know their neighbours: convolutions over a sentence.

A convolution of kernel k is one linear map of k vectors side by side. Beyond the ends of a sentence
there are zeros, so padding must be zero before each one.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.product import Linear


def neighbours(
    x: Float[Tensor, "batch length d_in"], kernel: int, dilation: int
) -> Float[Tensor, "batch inner width"]:
    """`kernel` vectors, `dilation` places apart, side by side for each place that has them all."""
    length = x.shape[1] - (kernel - 1) * dilation
    return torch.cat([x[:, i * dilation : i * dilation + length] for i in range(kernel)], dim=2)


class Convolution(nn.Module):
    """Each place sees as many neighbours before it as after it.

    Args:
        d_in: Width of what comes in.
        d_out: Width of what goes out.
        kernel: How many places one sees; odd.
        dilation: How far apart they are.

    Raises:
        ValueError: the kernel is even, or it or the dilation is below 1.
    """

    def __init__(self, d_in: int, d_out: int, kernel: int, *, dilation: int = 1):
        super().__init__()
        _check(kernel, dilation, odd=True)
        self.kernel = kernel
        self.dilation = dilation
        self.linear = Linear(kernel * d_in, d_out)

    def forward(self, x: Float[Tensor, "batch length d_in"]) -> Float[Tensor, "batch length d_out"]:
        """One vector for each place."""
        side = self.kernel // 2 * self.dilation
        padded = nn.functional.pad(x, (0, 0, side, side))
        return self.linear(neighbours(padded, self.kernel, self.dilation))


class CausalConvolution(nn.Module):
    """Each place sees itself and places before it.

    Args:
        d_in: Width of what comes in.
        d_out: Width of what goes out.
        kernel: How many places one sees.
        dilation: How far apart they are.

    Raises:
        ValueError: the kernel or the dilation is below 1.
    """

    def __init__(self, d_in: int, d_out: int, kernel: int, *, dilation: int = 1):
        super().__init__()
        _check(kernel, dilation, odd=False)
        self.kernel = kernel
        self.dilation = dilation
        self.linear = Linear(kernel * d_in, d_out)

    @property
    def reach(self) -> int:
        """How many earlier places one sees at most."""
        return (self.kernel - 1) * self.dilation

    def forward(
        self,
        x: Float[Tensor, "batch length d_in"],
        earlier: Float[Tensor, "batch reach d_in"] | None = None,
    ) -> tuple[Float[Tensor, "batch length d_out"], Float[Tensor, "batch reach d_in"]]:
        """One vector for each place, and the last vectors that came in, for the next places.

        Args:
            x: The places to work on.
            earlier: What a call for the places before them handed on; zeros if None.
        """
        if earlier is None:
            earlier = x.new_zeros(len(x), self.reach, x.shape[2])
        seen = torch.cat((earlier, x), dim=1)
        result = self.linear(neighbours(seen, self.kernel, self.dilation))
        return result, seen[:, seen.shape[1] - self.reach :]


def _check(kernel: int, dilation: int, *, odd: bool) -> None:
    if kernel < 1 or dilation < 1:
        raise ValueError(f"kernel {kernel} and dilation {dilation} must be at least 1")
    if odd and kernel % 2 == 0:
        raise ValueError(f"kernel {kernel} must be odd: a place sees both sides alike")
