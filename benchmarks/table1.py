"""Table 1 of the paper, measured: operations, steps that wait for each other, paths, and time.

    python benchmarks/table1.py [--output FILE] [--picture FILE] [--json FILE]

Each kind of layer is built as small as it can be, over n vectors of width d. Operations are what
torch counts while it runs (multiply-adds of matrix products and convolutions). Steps are the calls
of a recurrent matrix, each of which waits for the one before; 1 where no call waits. A path is the
number of layers, or of steps within one, that a gradient passes from the last position to the
first: layer by layer, the places that those reached so far depend on. Time is the median of five
runs, all kinds in turn.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from chart import chart
from report import files, keep
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from regard.attention import weights
from regard.layers.convolution import CausalConvolution, Convolution
from regard.layers.recurrent import Cell

LENGTHS = [16, 64, 256, 1024, 4096]
WIDTHS = [64, 256, 1024]
PATH_LENGTHS = [16, 64, 256]
KERNEL = 3
RADIUS = 8
"""Places to look at on either side; the paper's r counts them all, 2 * RADIUS + 1."""


def attention(x: Tensor, _layer: int = 0) -> Tensor:
    """softmax(X X^T / sqrt(d)) X: what the paper's n^2 d counts, without projections."""
    return weights(x, x) @ x


def restricted(x: Tensor, _layer: int = 0) -> Tensor:
    """The same, each place looking only RADIUS places to either side, and doing no more work."""
    n, d = x.shape
    padded = nn.functional.pad(x, (0, 0, RADIUS, RADIUS))
    around = padded.unfold(0, 2 * RADIUS + 1, 1).mT  # n, neighbours, d
    there = torch.ones(n, dtype=torch.bool)
    there = nn.functional.pad(there, (RADIUS, RADIUS)).unfold(0, 2 * RADIUS + 1, 1)
    scores = torch.bmm(around, x[:, :, None]) / math.sqrt(d)
    shares = scores.masked_fill(~there[:, :, None], -math.inf).softmax(1)
    return torch.bmm(shares.mT, around)[:, 0]


class Recurrence:
    """h_t = tanh(W x_t + U h_{t-1}), step by step."""

    def __init__(self, d: int):
        self.cell = Cell("rnn", d, d)
        self.cell.recur.register_forward_hook(self._count)
        self.steps = 0

    def __call__(self, x: Tensor, _layer: int = 0) -> Tensor:
        """All states."""
        self.steps = 0
        return self.cell.over(x[None], torch.ones(1, len(x), dtype=torch.bool))[0][0]

    def _count(self, _module: nn.Module, _inputs: Any, _output: Any) -> None:
        self.steps += 1


class Contiguous:
    """A convolution of KERNEL places side by side."""

    def __init__(self, d: int):
        self.convolution = Convolution(d, d, KERNEL)

    def __call__(self, x: Tensor, _layer: int = 0) -> Tensor:
        """All places."""
        return self.convolution(x[None])[0]


class Dilated:
    """A convolution of places before one, KERNEL times as far apart with each layer (ByteNet)."""

    def __init__(self, d: int):
        self.convolutions = [
            CausalConvolution(d, d, KERNEL, dilation=KERNEL**layer) for layer in range(8)
        ]

    def __call__(self, x: Tensor, layer: int = 0) -> Tensor:
        """All places."""
        return self.convolutions[layer](x[None])[0][0]


class Separable:
    """A convolution of each number on its own, then a linear map at each place."""

    def __init__(self, d: int):
        self.each = nn.Conv1d(d, d, KERNEL, padding=KERNEL // 2, groups=d)
        self.point = nn.Linear(d, d)

    def __call__(self, x: Tensor, _layer: int = 0) -> Tensor:
        """All places."""
        return self.point(self.each(x.T[None])[0].T)


KINDS: dict[str, Callable[[int], Callable[..., Tensor]]] = {
    "self-attention": lambda _d: attention,
    "recurrent": Recurrence,
    "convolution, contiguous": Contiguous,
    "convolution, dilated": Dilated,
    "convolution, separable": Separable,
    "self-attention, restricted": lambda _d: restricted,
}

PAPER = {
    "self-attention": ("n^2 d", "1", "1"),
    "recurrent": ("n d^2", "n", "n"),
    "convolution, contiguous": ("k n d^2", "1", "n / k"),
    "convolution, dilated": ("k n d^2", "1", "log_k n"),
    "convolution, separable": ("k n d + n d^2", "1", "n / k"),
    "self-attention, restricted": ("r n d", "1", "n / r"),
}


@torch.no_grad()
def operations(kind: str, n: int, d: int) -> int:
    """Multiply-adds of one layer."""
    layer = KINDS[kind](d)
    with FlopCounterMode(display=False) as counter:
        layer(torch.randn(n, d))
    return counter.get_total_flops() // 2


def steps(kind: str, n: int) -> int:
    """How many steps of one layer wait for each other; 1 where no call waits."""
    layer = KINDS[kind](8)
    layer(torch.randn(n, 8))
    return getattr(layer, "steps", 1)


def path(kind: str, n: int) -> int:
    """Layers, or steps within one, that a gradient passes from the last position to the first."""
    torch.manual_seed(1)
    torch.set_default_dtype(torch.float64)  # a recurrent gradient of 256 steps is 0 in float32
    layer = KINDS[kind](2)
    x = torch.randn(n, 2, requires_grad=True)
    layers = 0
    reached = torch.zeros(n, dtype=torch.bool)
    while not reached[0]:
        layers += 1
        reached = torch.arange(n) == n - 1
        for below in reversed(range(layers)):
            (gradient,) = torch.autograd.grad(layer(x, below)[reached].sum(), x)
            reached = (gradient != 0).any(1)
    torch.set_default_dtype(torch.float32)
    return layers * getattr(layer, "steps", 1)


@torch.no_grad()
def times(n: int, d: int) -> dict[str, float]:
    """Median milliseconds of each kind, in turn."""
    layers = {kind: make(d) for kind, make in KINDS.items()}
    x = torch.randn(n, d)
    taken: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(5):
        for kind, layer in layers.items():
            started = time.perf_counter()
            layer(x)
            taken[kind].append(1000 * (time.perf_counter() - started))
    return {kind: statistics.median(ms) for kind, ms in taken.items()}


def exponents(values: dict[tuple[int, int], float]) -> tuple[float, float]:
    """a and b of the n^a d^b that fits best, on logarithms."""
    rows = np.array([[1, math.log(n), math.log(d)] for n, d in values])
    found = np.linalg.lstsq(rows, np.log(list(values.values())), rcond=None)[0]
    return float(found[1]), float(found[2])


def measure() -> dict[str, Any]:
    """Everything."""
    grid = [(n, d) for n in LENGTHS for d in WIDTHS]
    clock = {}
    for n, d in grid:
        clock[n, d] = times(n, d)
        print(f"n {n}, d {d}", flush=True)
    found: dict[str, Any] = {}
    for kind in KINDS:
        counted = {(n, d): operations(kind, n, d) for n, d in grid}
        taken = {place: ms[kind] for place, ms in clock.items()}
        found[kind] = {
            "operations": {f"{n} x {d}": value for (n, d), value in counted.items()},
            "exponents of operations": exponents({p: float(v) for p, v in counted.items()}),
            "steps": {n: steps(kind, n) for n in PATH_LENGTHS},
            "path": {n: path(kind, n) for n in PATH_LENGTHS},
            "milliseconds": {f"{n} x {d}": round(ms, 3) for (n, d), ms in taken.items()},
            "exponents of time": exponents({p: t for p, t in taken.items() if p[0] >= 256}),
        }
    return found


def as_text(found: dict[str, Any]) -> str:
    """The tables of the page of results."""
    lines = [
        "| layer | paper | operations ~ | time ~ (n from 256) | steps at n = "
        + ", ".join(map(str, PATH_LENGTHS))
        + " | path at the same n | paper |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for kind, row in found.items():
        work, _, far = PAPER[kind]
        a, b = row["exponents of operations"]
        c, e = row["exponents of time"]
        waits = ", ".join(map(str, row["steps"].values()))
        paths = ", ".join(map(str, row["path"].values()))
        lines.append(
            f"| {kind} | O({work}) | n^{a:.2f} d^{b:.2f} | n^{c:.2f} d^{e:.2f} | {waits} |"
            f" {paths} | O({far}) |"
        )
    lines += ["", "| milliseconds, n x d | " + " | ".join(found) + " |"]
    lines.append("| --- |" + " --- |" * len(found))
    for n in LENGTHS:
        for d in WIDTHS:
            cells = (f"{row['milliseconds'][f'{n} x {d}']:.2f}" for row in found.values())
            lines.append(f"| {n} x {d} | " + " | ".join(cells) + " |")
    lines += ["", crossing(found)]
    return "\n".join(lines)


def crossing(found: dict[str, Any]) -> str:
    """Where attention starts to cost more operations than recurrence."""
    own, other = (found[kind]["operations"] for kind in ("self-attention", "recurrent"))
    equal = [place for place in own if own[place] == other[place]]
    less = [place for place in own if own[place] < other[place]]
    assert all(int(place.split(" x ")[0]) < int(place.split(" x ")[1]) for place in less)
    return (
        f"Self-attention and recurrence do the same number of operations at {', '.join(equal)}:"
        f" where n = d. Attention does less at {', '.join(less)}: where n < d."
    )


def picture(found: dict[str, Any]) -> str:
    """Operations over length at one width."""
    width = 256
    lines = {
        kind: [math.log10(row["operations"][f"{n} x {width}"]) for n in LENGTHS]
        for kind, row in found.items()
    }
    marks = [(float(power), f"10^{power}") for power in range(4, 12)]
    return chart(
        f"Multiply-adds of one layer, d = {width}, over n", [*map(str, LENGTHS)], lines, marks
    )


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    files(parser)
    given = parser.parse_args()
    found = measure()
    keep(given, found, as_text(found), picture(found))


if __name__ == "__main__":
    main()
