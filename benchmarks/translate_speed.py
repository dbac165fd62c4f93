"""a base model, sentences of 25 pieces -> output pieces a second: regard and others.

    python benchmarks/translate_speed.py [--contender NAME ...] [--output FILE] [--json FILE]

Beam 4, every translation forced to 25 pieces, random parameters of the base model's shape. Each
contender runs in processes of its own, in two layouts: one process with two threads, or two
workers with one thread each that share the sentences. Loading and a short warm-up are not timed.
"""

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

import torch
from report import files, keep
from train_speed import conditions, matrix_peak
from translate_contenders import CONTENDERS, LENGTH, sentences

PROGRAMS = ("eole", "opennmt-py")
"""Contenders that are programs of their own."""

NOTES = """\
- **regard**: `Translator.find`, as `regard translate` calls it, with its promise that a sentence's
  answer does not depend on its neighbours. Its two workers are threads of one process.
- **regard bfloat16**: the same with parameters and activations in bfloat16, for comparison; the
  program does not offer it.
- **regard through ctranslate2**: the same, searched by CTranslate2 in the layout (workers of one
  thread) and batches (256 pieces) that we give it, whatever is asked for here.
- **ctranslate2**: the same parameters, exported by `regard.engines`, called plainly.
- **marian**: transformers' `MarianMTModel.generate` with random parameters of the same shape.
- **eole**, **opennmt-py**: their own programs on a model of that shape, trained for one step at
  rate 0, each in a virtual environment of its own, as `train_toolkits.py` makes it; timed is what
  they report as the time of translating.
- Two workers of marian, eole and opennmt-py are two processes, each with half of the sentences.
  The time is that of the slower one.
- Pieces are those of the returned hypotheses, without the end. The peak is `torch.mm` of two
  4096 x 4096 matrices with two threads, in the parent, before the run. Memory is the largest of
  each process, summed."""


def inside(name: str, options: argparse.Namespace) -> None:
    """In a process of its own: load, warm up, wait, translate, tell."""
    workers, threads = map(int, options.layout.split("x"))
    processes = workers if name == "marian" else 1
    torch.set_num_threads(threads * workers // processes)
    decode = CONTENDERS[name](options.batch, workers)
    given = sentences(options.sentences, seed=options.seed)
    if name not in PROGRAMS:
        decode(given[: 4 * workers])
    print("ready", flush=True)
    sys.stdin.readline()
    started = time.perf_counter()
    seconds = decode(given) or time.perf_counter() - started
    who = resource.RUSAGE_CHILDREN if name in PROGRAMS else resource.RUSAGE_SELF
    memory = resource.getrusage(who).ru_maxrss / 1024 * (workers if name in PROGRAMS else 1)
    print(json.dumps({"seconds": seconds, "memory in MB": memory}))


def run(name: str, layout: str, options: argparse.Namespace) -> dict[str, Any]:
    """One contender in one layout: its processes, started together."""
    workers, threads = map(int, layout.split("x"))
    processes = workers if name == "marian" else 1
    command = [sys.executable, __file__, "--inside", name, "--layout", layout, "--batch"]
    environ = {**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
    environ.pop("MKL_NUM_THREADS", None)
    peak = matrix_peak()
    started = [
        subprocess.Popen(
            [*command, str(options.batch), "--seed", str(options.seed + i),
             "--sentences", str(options.sentences // processes)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ,
        )
        for i in range(processes)
    ]  # fmt: skip
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    found = [json.loads(said) for said in go(started)]
    seconds = max(each["seconds"] for each in found)
    return {
        "contender": name,
        "layout": layout,
        "seconds": seconds,
        "pieces per second": options.sentences * LENGTH / seconds,
        "memory in MB": sum(each["memory in MB"] for each in found),
        "peak GFLOP per second": peak,
    }


def go(started: Sequence[subprocess.Popen[str]]) -> list[str]:
    """Let all begin at once, and take what they say in the end."""
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    return [process.communicate()[0] for process in started]


def latency(options: argparse.Namespace) -> dict[str, float]:
    """One sentence at a time by regard with two threads: seconds."""
    torch.set_num_threads(2)
    decode, times = CONTENDERS["regard"](1, 1), []
    for row in sentences(options.single, seed=options.seed):
        started = time.perf_counter()
        decode([row])
        times.append(time.perf_counter() - started)
    times = sorted(times[2:])
    return {
        "median": median(times),
        "99 of 100": times[min(len(times) - 1, int(len(times) * 0.99))],
        "sentences": len(times),
    }


def report(result: dict[str, Any]) -> str:
    """All of it as Markdown."""
    runs = result["runs"]
    lines = ["# Translating: output pieces a second", ""]
    lines += [f"- {key}: {value}" for key, value in result.items() if key != "runs"]
    lines += [
        "",
        "| contender | layout | pieces/s, each run | median | min-max | of regard | peak | MB |",
        "|---|---|---|--:|--:|--:|--:|--:|",
    ]
    ways = dict.fromkeys((each["contender"], each["layout"]) for each in runs)
    of = {
        way: [each for each in runs if (each["contender"], each["layout"]) == way] for way in ways
    }
    middle = {way: median(each["pieces per second"] for each in of[way]) for way in ways}
    ours = max((middle[way] for way in ways if way[0] == "regard"), default=float("nan"))
    for way in ways:
        speeds = [each["pieces per second"] for each in of[way]]
        peaks = [each["peak GFLOP per second"] for each in of[way]]
        memory = max(each["memory in MB"] for each in of[way])
        lines.append(
            f"| {way[0]} | {way[1]} | {', '.join(f'{speed:.0f}' for speed in speeds)}"
            f" | **{middle[way]:.0f}** | {min(speeds):.0f}-{max(speeds):.0f}"
            f" | {middle[way] / ours:.2f} | {', '.join(f'{peak:.0f}' for peak in peaks)}"
            f" | {memory:,.0f} |"
        )
    return "\n".join([*lines, "", NOTES])


def main() -> None:
    """Measure one contender here, or compare them all, taking turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contender", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    parser.add_argument("--layout", nargs="+", choices=("1x2", "2x1"), default=["2x1", "1x2"])
    parser.add_argument("--batch", type=int, default=64, help="sentences at once")
    parser.add_argument("--sentences", type=int, default=256)
    parser.add_argument("--single", type=int, default=0, help="sentences for the latency of one")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", choices=CONTENDERS, help="only this, in this process")
    files(parser, picture=False)
    options = parser.parse_args()
    if options.inside:
        options.layout = options.layout[0]
        inside(options.inside, options)
        return
    runs = []
    for repeat in range(options.repeats):
        for name in options.contender:
            for layout in options.layout:
                runs.append(run(name, layout, options) | {"repeat": repeat})
                speed = runs[-1]["pieces per second"]
                print(f"{name} {layout}: {speed:.0f} pieces/s", file=sys.stderr, flush=True)
    options.threads = 2
    options.keep_memory = False
    told = conditions(options)
    told["command"] = shlex.join(["python", "benchmarks/translate_speed.py", *sys.argv[1:]])
    del told["freed memory"]
    one = {"one sentence, seconds": latency(options)} if options.single else {}
    result = {**told, "sentences": options.sentences, "at once": options.batch, **one, "runs": runs}
    keep(options, result, report(result))


if __name__ == "__main__":
    main()
