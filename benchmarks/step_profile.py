"""a training step -> where its time goes, by kind of operation, and what is left to win.

    python benchmarks/step_profile.py [--output FILE] [--json FILE]

PyTorch's profiler sums the time that each operation spends itself, forward, backward and in Adam,
over the steps of `train_speed.py`'s contender regard.
"""

import argparse
from itertools import islice
from typing import Any

import torch
from report import files, keep
from torch.profiler import ProfilerActivity, profile
from train_contenders import regard_step
from train_speed import SIZES, matrix_peak, synthetic, work

from regard.data.batch import Batch
from regard.data.stream import Stream

KINDS = {
    "matrix products": ("mm", "addmm", "mkldnn_linear"),
    "batched products, attention's": ("bmm", "baddbmm"),
    "fused attention": ("scaled_dot_product",),
    "softmax and exponentials": ("softmax", "exp", "log"),
    "layer normalisation": ("layer_norm",),
    "random numbers": ("random_", "bernoulli"),
    "Adam and the gradient's norm": ("fused_adam", "foreach", "norm"),
    "embedding, gathering, scattering": ("embedding", "index", "gather", "scatter"),
    "sums": ("sum", "amax", "add", "sub", "mean"),
    "products of elements": ("mul", "div", "ge", "threshold", "relu", "where", "masked_fill"),
    "copies and zeros": ("copy", "zero", "fill", "cat", "clone"),
}
"""Parts of an operation's name; the first that fits counts."""


def kind(operation: str) -> str:
    """The kind that an operation belongs to."""
    name = operation.removeprefix("aten::").lower()
    for found, parts in KINDS.items():
        if any(name.startswith(part) or f"_{part}" in name for part in parts):
            return found
    return "all else"


def measure(name: str, threads: int) -> dict[str, Any]:
    """Milliseconds of a step, by kind, and what the products would take at the peak."""
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    size = SIZES[name]
    peak = matrix_peak()
    model, step = regard_step(size)
    model.train()
    examples = synthetic(size.rows, seed=1)
    rows = Stream(examples, pieces=size.pieces, seed=1).batches()
    batches = [Batch.of(examples, each) for each in islice(rows, size.warmup + size.steps)]
    for batch in batches[: size.warmup]:
        step(batch)
    with profile(activities=[ProfilerActivity.CPU]) as found:
        for batch in batches[size.warmup :]:
            step(batch)
    kinds = dict.fromkeys([*KINDS, "all else"], 0.0)
    for event in found.key_averages():
        kinds[kind(event.key)] += event.self_cpu_time_total / 1e3 / size.steps
    flop = sum(work(batch, size)[2] for batch in batches[size.warmup :]) / size.steps
    return {"size": name, "milliseconds": kinds, "at the peak": flop / peak / 1e6, "peak": peak}


def table(runs: list[dict[str, Any]]) -> str:
    """A column for each size."""
    lines = [
        "| ms a step | " + " | ".join(run["size"] for run in runs) + " |",
        "| --- |" + " --: |" * len(runs),
    ]
    totals = [sum(run["milliseconds"].values()) for run in runs]
    for name in runs[0]["milliseconds"]:
        cells = [
            f"{run['milliseconds'][name]:,.0f} ({run['milliseconds'][name] / total:.0%})"
            for run, total in zip(runs, totals, strict=True)
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines.append("| **all** | " + " | ".join(f"**{total:,.0f}**" for total in totals) + " |")
    least = (f"{run['at the peak']:,.0f}" for run in runs)
    lines.append(
        "| the products of real pieces, at the machine's peak | " + " | ".join(least) + " |"
    )
    return "\n".join(lines)


def main() -> None:
    """Measure, and say it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--threads", type=int, default=2)
    files(parser, picture=False)
    given = parser.parse_args()
    runs = [measure(name, given.threads) for name in SIZES]
    keep(given, runs, table(runs))


if __name__ == "__main__":
    main()
