"""synthetic pairs -> real pieces a second of a whole training step: regard and four others.

    python benchmarks/train_speed.py [--size tiny] [--only NAME ...] [--output FILE] [--json FILE]

A step is: draw a batch, forward, loss with label smoothing, backward, Adam. Every contender gets
the very same batches, padding included, in a process of its own. The contenders take turns, and
each process measures the machine's float32 peak, so that a slow hour of the machine is seen.
"""

import argparse
import json
import math
import os
import platform
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from train_contenders import CONTENDERS, LONGEST, Size
from train_toolkits import TOOLKITS
from train_toolkits import measure as measure_toolkit

from regard.data.batch import Batch
from regard.data.examples import Examples, Ragged
from regard.data.stream import Stream
from regard.models.config import TransformerConfig
from regard.models.sizes import multiplications
from regard.text.pieces import EOS, UNK
from regard.train.memory import keep_freed_memory

DISTURBED = 0.05
"""Cores used by other processes above which a run does not count as quiet."""

NOTES = """\
- **regard**: `regard.train.step.update`, as `regard train` calls it. Logits at real positions only.
- **torch**: a plain loop over `torch.nn.Transformer`. The module has one dropout for everything and
  closing norms: as it comes its row would not be the same work. Attention and inner dropout are set
  to 0 and the closing norms taken off after construction, which makes it so.
- **marian**: the same loop over transformers' `MarianMTModel`, with PyTorch's fused attention. It
  adds a bias that is always zero to the logits.
- **regard compiled**: with `training.compile`, the layers compiled by torch.compile; that
  happens in the steps before those that are timed.
- **onmt**, **eole**: OpenNMT-py and Eole as PyPI has them, each in an environment of its own, on
  the same sentences as text, started by their own command and as fast as their own log says. They
  make their own batches of the same size, count a source without EOS, are pre-norm, drop inside
  the feed-forward networks what they drop elsewhere, and OpenNMT-py runs on the torch that it asks
  for. Their FLOP are counted as regard's.
- What still differs: torch and marian make logits at padding too, which `ignore_index` leaves out
  of the loss; regard shares label smoothing among V - 1 pieces, the others among V; regard also
  takes the gradient's norm and refuses one that is not finite; marian has the sines and cosines in
  two halves, and 1e-5 instead of 1e-6 in its normalisations, as torch has.
- Freed memory: by default the C library gives large buffers back and clears them anew at each step;
  `regard train` asks it not to, the others do not. `--keep-memory` does it for all, which shows how
  much of a difference is owed to that.
- All: dropout 0.1 on embeddings and sub-layers, none on attention weights or inside the
  feed-forward networks; one matrix for both embeddings and the output; post-norm; sinusoids;
  float32; label smoothing 0.1; the same fused Adam.
- Pieces are real ones, source and target, EOS counted. FLOP are those of real pieces alone: six for
  each multiply-add (forward, and two products backward). The peak is `torch.mm` of two 4096 x 4096
  matrices, in the same process: the best of 3 before the steps and 3 after. Memory is the process's
  largest.
- (d) disturbed: other processes used more than 0.05 cores during the steps."""

TINY = replace(TransformerConfig.tiny(), dropout=0.1)
SIZES = {
    "tiny": Size(TINY, rows=8_000, pieces=4_096, warmup=7, steps=20),
    "base": Size(TransformerConfig.base(), rows=32_000, pieces=2_000, warmup=5, steps=5),
}


def synthetic(rows: int, *, pairs: int = 20_000, seed: int) -> Examples:
    """Pairs that are like text in their lengths (log-normal, mean 25) and frequencies (Zipf)."""
    generator = np.random.default_rng(seed)
    source = generator.lognormal(math.log(25) - 0.55**2 / 2, 0.55, pairs)
    target = source * generator.lognormal(0.03, 0.15, pairs)
    chances = 1 / (np.arange(rows - UNK - 1) + 2.7)
    chances /= chances.sum()

    def side(lengths: np.ndarray) -> Ragged:
        lengths = lengths.round().clip(1, LONGEST - 1).astype(int)
        ids = UNK + 1 + generator.choice(len(chances), size=lengths.sum(), p=chances)
        return Ragged.of([[*row, EOS] for row in np.split(ids, lengths.cumsum()[:-1])])

    return Examples(side(source), side(target))


def measure(name: str, size: Size, options: argparse.Namespace) -> dict[str, Any]:
    """Warm up, time the steps, and look at what else the machine was doing."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    peak = matrix_peak()
    if options.keep_memory:
        keep_freed_memory()
    model, step = CONTENDERS[name](size)
    model.train()
    examples = synthetic(size.rows, seed=options.seed)
    order = Stream(examples, pieces=size.pieces, seed=options.seed).batches()
    batches = (Batch.of(examples, rows) for rows in order)
    losses = [step(batch) for batch in islice(batches, options.warmup or size.warmup)]
    seen, moments, before = [], [time.perf_counter()], cpu_seconds()
    for batch in islice(batches, options.steps or size.steps):
        step(batch)
        seen.append(batch)
        moments.append(time.perf_counter())
    after, seconds = cpu_seconds(), moments[-1] - moments[0]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pieces, places, flop = map(sum, zip(*(work(batch, size) for batch in seen), strict=True))
    return {
        "contender": name,
        "pieces per second": pieces / seconds,
        "seconds of each step": [round(end - start, 4) for start, end in pairwise(moments)],
        "pieces per step": pieces / len(seen),
        "padding": 1 - pieces / places,
        "FLOP per piece": flop / pieces,
        "GFLOP per second": flop / seconds / 1e9,
        "peak GFLOP per second": max(peak, matrix_peak()),
        "memory in MB": memory,
        "cores used by others": max(0.0, after - before) / seconds,
        "parameters": sum(p.numel() for p in model.parameters() if p.requires_grad),
        "first loss": losses[0],
    }


def work(batch: Batch, size: Size) -> tuple[int, int, int]:
    """Real pieces of a batch, its places with padding, and the FLOP of learning from the pieces."""
    lengths = [side.real.sum(1).tolist() for side in (batch.source, batch.target_out)]
    flop = sum(
        6 * multiplications(size.config, source=source, target=target, target_rows=size.rows)
        for source, target in zip(*lengths, strict=True)
    )
    places = batch.source.ids.numel() + batch.target_out.ids.numel()
    return sum(map(sum, lengths)), places, flop


def cpu_seconds() -> float:
    """CPU seconds used by others since the machine started, stolen ones too.

    Others are all but this process and those of its children that have ended.
    """
    user, nice, system, _idle, _wait, *interrupts = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    own = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    ticks = user + nice + system + sum(interrupts)
    return ticks / os.sysconf("SC_CLK_TCK") - sum(used.ru_utime + used.ru_stime for used in own)


def matrix_peak(n: int = 4096) -> float:
    """GFLOP/s of a large float32 matrix product: what this machine can do just now."""
    left, right = torch.rand(n, n), torch.rand(n, n)
    out = left @ right

    def once() -> float:
        started = time.perf_counter()
        torch.mm(left, right, out=out)
        return time.perf_counter() - started

    return 2 * n**3 / min(once() for _ in range(3)) / 1e9


def run(name: str, size: str, options: argparse.Namespace) -> dict[str, Any]:
    """`measure` in a new process."""
    command = [sys.executable, __file__, "--contender", name, "--size", size, "--json", "-"]
    for option in ("threads", "seed", "warmup", "steps"):
        command += [f"--{option}", str(getattr(options, option))]
    command += ["--keep-memory"] if options.keep_memory else []
    environment = {**os.environ, "OMP_NUM_THREADS": str(options.threads), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment)
    return {"size": size, **json.loads(done.stdout)}


def run_toolkit(name: str, size: str, options: argparse.Namespace, flop: float) -> dict[str, Any]:
    """A toolkit's own trainer, as fast as it says itself; `flop` is a piece's."""
    shape = SIZES[size]
    torch.set_num_threads(options.threads)
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    peak, before = matrix_peak(), cpu_seconds()
    with tempfile.TemporaryDirectory() as folder:
        found = measure_toolkit(
            name, shape, synthetic(shape.rows, seed=options.seed), Path(folder),
            warmup=options.warmup or shape.warmup, steps=options.steps or shape.steps,
            seed=options.seed,
        )  # fmt: skip
    others = max(0.0, cpu_seconds() - before) / found["seconds in all"]
    return {
        "size": size,
        **found,
        "GFLOP per second": found["pieces per second"] * flop / 1e9,
        "peak GFLOP per second": max(peak, matrix_peak()),
        "cores used by others": others,
    }


def table(name: str, runs: Sequence[dict[str, Any]]) -> list[str]:
    """A size's Markdown table; the others are compared with the first contender, regard."""
    size, shape = SIZES[name], SIZES[name].config
    contenders = dict.fromkeys(run["contender"] for run in runs)
    of = {each: [run for run in runs if run["contender"] == each] for each in contenders}
    middle = {each: median(run["pieces per second"] for run in of[each]) for each in contenders}
    first = runs[0]
    return [
        f"## {name}",
        "",
        f"d_model {shape.d_model}, d_ff {shape.d_ff}, {shape.heads} heads, {shape.encoder_layers} +"
        f" {shape.decoder_layers} layers, {size.rows:,} rows. Batches of at most {size.pieces:,} +"
        f" {size.pieces:,} places: {first['pieces per step']:,.0f} real pieces a step,"
        f" {first['padding']:.1%} padding, {first['FLOP per piece'] / 1e6:.1f} MFLOP a real piece.",
        "",
        "| contender | pieces/s, each run | median | min-max | of regard | GFLOP/s | peak | of peak"
        " | memory MB | others' cores | first loss |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(row(of[each], middle[each] / middle[first["contender"]]) for each in contenders),
        "",
    ]


def row(runs: Sequence[dict[str, Any]], ratio: float) -> str:
    """A contender's line of the table."""
    speeds = [run["pieces per second"] for run in runs]
    others = [run["cores used by others"] for run in runs]
    marks = ["" if cores <= DISTURBED else " (d)" for cores in others]
    fractions = [run["GFLOP per second"] / run["peak GFLOP per second"] for run in runs]
    cells = [
        runs[0]["contender"],
        ", ".join(f"{speed:,.0f}{mark}" for speed, mark in zip(speeds, marks, strict=True)),
        f"**{median(speeds):,.0f}**",
        f"{min(speeds):,.0f}-{max(speeds):,.0f}",
        f"{ratio:.2f}",
        f"{median(run['GFLOP per second'] for run in runs):.1f}",
        ", ".join(f"{run['peak GFLOP per second']:.0f}" for run in runs),
        f"{median(fractions):.0%}",
        f"{max(run['memory in MB'] for run in runs):,.0f}",
        ", ".join(f"{cores:.2f}" for cores in others),
        f"{runs[0]['first loss']:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def conditions(options: argparse.Namespace) -> dict[str, Any]:
    """What was run, when, and on what."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    commit = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(
        commit, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    packages = ["torch", "numpy", *(["transformers"] if find_spec("transformers") else [])]
    return {
        "command": shlex.join(["python", "benchmarks/train_speed.py", *sys.argv[1:]]),
        "commit": done.stdout.strip() or "unknown",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{processor[1] if processor else platform.machine()}, {os.cpu_count()} cores",
        "threads": options.threads,
        "seed": options.seed,
        "freed memory": f"kept by {'all contenders' if options.keep_memory else 'regard alone'}",
        "versions": ", ".join(
            [f"Python {platform.python_version()}", *(f"{p} {version(p)}" for p in packages)]
        ),
    }


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Every size and contender, the contenders taking turns."""
    wanted = options.only or [*CONTENDERS, *TOOLKITS]
    contenders = [name for name in wanted if name != "marian" or find_spec("transformers")]
    runs = []
    for size in options.size:
        for repeat in range(options.repeats):
            for name in contenders:
                if name in TOOLKITS:
                    flop = next(one["FLOP per piece"] for one in runs if one["size"] == size)
                    found = run_toolkit(name, size, options, flop)
                else:
                    found = run(name, size, options)
                runs.append(found | {"repeat": repeat})
                speed = runs[-1]["pieces per second"]
                print(f"{size} {name} {repeat}: {speed:,.0f} pieces/s", file=sys.stderr)
    return {**conditions(options), "runs": runs}


def report(result: dict[str, Any]) -> str:
    """All of it as Markdown."""
    lines = ["# Training: real pieces a second of a whole step", ""]
    lines += [f"- {key}: {value}" for key, value in result.items() if key != "runs"]
    if not find_spec("transformers"):
        lines += ["- marian is left out; to have it: `pip install 'regard[benchmarks]'`"]
    lines += [""]
    for size in dict.fromkeys(run["size"] for run in result["runs"]):
        lines += table(size, [run for run in result["runs"] if run["size"] == size])
    return "\n".join([*lines, NOTES, ""])


def main() -> None:
    """Measure one contender here, or compare them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument(
        "--only", nargs="+", choices=[*CONTENDERS, *TOOLKITS], help="these, regard first"
    )
    parser.add_argument("--contender", choices=CONTENDERS, help="only this (of one size), here")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--warmup", type=int, default=0, help="steps before; 0: as the size says")
    parser.add_argument("--steps", type=int, default=0, help="steps timed; 0: as the size says")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep-memory", action="store_true", help="let all keep freed memory")
    parser.add_argument("--json", help="a file for the figures, - for standard output")
    parser.add_argument("--output", type=Path, help="a file for the Markdown")
    options = parser.parse_args()
    if options.contender:
        result = measure(options.contender, SIZES[options.size[0]], options)
    else:
        result = compare(options)
        markdown = report(result)
        if options.json != "-":
            print(markdown)
        if options.output:
            options.output.write_text(markdown, encoding="utf-8")
    if options.json == "-":
        print(json.dumps(result))
    elif options.json:
        Path(options.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
