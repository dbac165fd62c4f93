"""Parts of a training step against the alternative: why each is written as it is.

    python benchmarks/parts.py [--output FILE] [--json FILE]

Each pair is timed in turn, forward and backward, with two threads; the figures are the median and
the range of so many rounds, in milliseconds.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.attention import attend, weights
from regard.layers.dropout import Dropout
from regard.train.loss import output_loss
from regard.train.memory import keep_freed_memory

ROUNDS = 15


def in_turn(*ways: Callable[[], object]) -> list[tuple[float, float, float]]:
    """Median, least and most milliseconds of each way, all ways run in turn."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(ROUNDS + 2):
        for way, taken in zip(ways, times, strict=True):
            started = time.perf_counter()
            way()
            taken.append(1000 * (time.perf_counter() - started))
    return [(statistics.median(t[2:]), min(t[2:]), max(t[2:])) for t in times]


def dropout() -> dict[str, list[tuple[float, float, float]]]:
    """Our draw against torch's."""
    x = torch.randn(270, 15, 128, requires_grad=True)
    gradient = torch.randn(270, 15, 128)
    ours, theirs = Dropout(0.1), nn.Dropout(0.1)
    found = in_turn(lambda: ours(x).backward(gradient), lambda: theirs(x).backward(gradient))
    return {"dropout of 518,400 numbers | ours | torch": found}


def attention() -> dict[str, list[tuple[float, float, float]]]:
    """The plain path against the fused one, over lengths, with padding."""
    found = {}
    for length in (8, 16, 32, 64, 128, 256):
        rows = max(1, 4096 // length)
        x = torch.randn(rows, length, 3 * 128, requires_grad=True)
        allowed = torch.ones(rows, 1, 1, length, dtype=torch.bool)
        allowed[::3, ..., -2:] = False

        def heads(x: Tensor = x) -> list[Tensor]:
            return [part.unflatten(-1, (4, 32)).transpose(1, 2) for part in x.chunk(3, dim=-1)]

        def plain(heads: Callable = heads, allowed: Tensor = allowed) -> None:
            query, key, value = heads()
            (weights(query, key, allowed=allowed) @ value).sum().backward()

        def fused(heads: Callable = heads, allowed: Tensor = allowed) -> None:
            attend(*heads(), allowed=allowed).sum().backward()

        name = f"attention, {rows} x {length} pieces, 4 heads of 32 | plain | fused"
        found[name] = in_turn(plain, fused)
    return found


def loss() -> dict[str, list[tuple[float, float, float]]]:
    """Output layer and loss: ours in blocks against torch's."""
    found = {}
    for pieces, d_model, rows in ((4000, 128, 10_000), (1800, 512, 32_000)):
        states = torch.randn(pieces, d_model, requires_grad=True)
        table = torch.randn(rows, d_model).mul_(d_model**-0.5).requires_grad_()
        target = torch.randint(rows, (pieces,))

        def ours(states: Tensor = states, table: Tensor = table, target: Tensor = target) -> None:
            output_loss(states, table, target, smoothing=0.1).smoothed.backward()

        def theirs(states: Tensor = states, table: Tensor = table, target: Tensor = target) -> None:
            logits = functional.linear(states, table)
            functional.cross_entropy(logits, target, label_smoothing=0.1).backward()

        name = f"output and loss, {pieces} x {d_model} x {rows} | in blocks | cross_entropy"
        found[name] = in_turn(ours, theirs)
    return found


def main() -> None:
    """Time everything, first as the C library has it, then with freed memory kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="write the table there")
    parser.add_argument("--json", type=Path, help="write the figures there")
    options = parser.parse_args()
    torch.set_num_threads(2)
    figures = {}
    for kept in (False, True):
        if kept:
            keep_freed_memory()
        for part in (dropout, attention, loss):
            for name, found in part().items():
                figures[f"{name} | {'kept' if kept else 'given back'}"] = found
    lines = [
        "| part | first | second | freed memory | first, ms | second, ms |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, found in figures.items():
        spans = (f"{median:.1f} ({least:.1f}-{most:.1f})" for median, least, most in found)
        lines.append(f"| {name} | {' | '.join(spans)} |")
    table = "\n".join(lines)
    print(table)
    if options.output:
        options.output.write_text(table + "\n")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
