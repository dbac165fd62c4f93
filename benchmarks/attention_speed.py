"""Attention against torch's: the call, the module, the summary.

    python benchmarks/attention_speed.py [--output FILE] [--json FILE]

All ways take turns; a figure is the median of 20 rounds, with the range. Batches hold 4,096 vectors
of width 512, 8 heads, float32. "With weights" is, for torch, `need_weights=True` with a table for
each head; for us, `with_weights`.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

import torch
from report import files, keep
from torch import nn
from torch.nn import functional

from regard.attention import MultiHead, attend, causal, summary

ROUNDS = 20
D_MODEL, HEADS, VECTORS = 512, 8, 4096

Figures = dict[str, tuple[float, float, float]]


def in_turn(ways: Mapping[str, Callable[[], object]]) -> Figures:
    """Median, least and most milliseconds of each way, all ways run in turn."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS + 2):
        for name, way in ways.items():
            started = time.perf_counter()
            way()
            times[name].append(1000 * (time.perf_counter() - started))
    return {n: (statistics.median(t[2:]), min(t[2:]), max(t[2:])) for n, t in times.items()}


def call() -> Figures:
    """What `attend` adds to the fused operation, where that has next to nothing to do."""
    x = torch.randn(1, 1, 2, 8)
    return in_turn(
        {
            "fused": lambda: functional.scaled_dot_product_attention(x, x, x),
            "attend": lambda: attend(x, x, x),
            "fused, causal": lambda: functional.scaled_dot_product_attention(
                x, x, x, is_causal=True
            ),
            "attend, causal": lambda: attend(x, x, x, allowed=causal()),
        }
    )


def modules(length: int) -> Figures:
    """Our multi-head attention and torch's, forward and backward."""
    ours, theirs = (
        MultiHead(D_MODEL, HEADS),
        nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True),
    )
    x = torch.randn(VECTORS // length, length, D_MODEL, requires_grad=True)
    gradient = torch.randn(VECTORS // length, length, D_MODEL)

    def ours_with_weights() -> None:
        found, shares = ours.with_weights(x, x)
        (found * gradient).sum().add(shares.sum()).backward()

    def theirs_with_weights() -> None:
        found, shares = theirs(x, x, x, average_attn_weights=False)
        (found * gradient).sum().add(shares.sum()).backward()

    return in_turn(
        {
            "ours": lambda: ours(x, x).backward(gradient),
            "torch": lambda: theirs(x, x, x, need_weights=False)[0].backward(gradient),
            "ours, with weights": ours_with_weights,
            "torch, with weights": theirs_with_weights,
        }
    )


def summed_up(length: int) -> Figures:
    """The summary of one head, and the fused attention alone."""
    query, key = torch.randn(1, 1, length, 64), torch.randn(1, 1, length, 64)
    ways = {
        "fused": lambda: functional.scaled_dot_product_attention(query, key, key),
        "summary": lambda: summary(query, key),
    }
    with torch.no_grad():
        return in_turn(ways)


MEMORY = """
import torch
from regard.attention import summary, MultiHead
def largest():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
before = largest()
{what}
print(largest() - before)
"""


def memory(what: str) -> float:
    """How many megabytes a process grows by at most while it does something."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY.format(what=what)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) / 1024


def measure() -> dict[str, Figures]:
    """Everything that takes time."""
    found = {"one call, 2 keys": call()}
    for length in (128, 512, 2048):
        found[f"module, n = {length}, forward and backward"] = modules(length)
    found["one head, n = 8192, d = 64"] = summed_up(8192)
    return found


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    files(parser, picture=False)
    given = parser.parse_args()
    torch.manual_seed(1)
    found = measure()
    layer = f"x = torch.randn(2, 2048, {D_MODEL}); "
    sizes = {
        "summary, n = 32768, d = 64": memory("x = torch.randn(32768, 64); summary(x, x)"),
        "our module, 2 x 2048": memory(
            layer + f"m = MultiHead({D_MODEL}, {HEADS}); m(x, x).sum().backward()"
        ),
        "torch's module, 2 x 2048": memory(
            layer + f"m = torch.nn.MultiheadAttention({D_MODEL}, {HEADS}, batch_first=True);"
            " m(x, x, x, need_weights=False)[0].sum().backward()"
        ),
    }
    lines = ["| what | way | median ms | range |", "| --- | --- | --- | --- |"]
    for what, ways in found.items():
        for way, (middle, least, most) in ways.items():
            lines.append(f"| {what} | {way} | {middle:.3f} | {least:.3f} to {most:.3f} |")
    lines += ["", "| what | MB more |", "| --- | --- |"]
    lines += [f"| {what} | {megabytes:.0f} |" for what, megabytes in sizes.items()]
    keep(given, {"times": found, "memory": sizes}, "\n".join(lines))


if __name__ == "__main__":
    main()
