"""The base model learns the phrasebook twice, in float32 and in bfloat16: do the losses fall alike?

    python benchmarks/bfloat16.py [--updates N] [--output FILE] [--picture FILE] [--json FILE]

Same initial values, same batches, same dropout; only the type of the matrix products differs.
"""

import argparse
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from chart import chart
from report import files, keep

from regard.train.loop import train
from regard.train.recipe import recipe_of

TOGETHER = 20
"""Updates whose mean is one point of a curve."""


def learn(precision: str, updates: int) -> dict[str, list[float]]:
    """The loss and the seconds of each update."""
    recipe = recipe_of(
        {
            "data": {"phrasebook": {"pairs": 20_000, "shortest": 5, "longest": 60}},
            "pieces": {"size": 4000},
            "training": {
                "updates": updates,
                "batch": 700,
                "warmup": 100,
                "factor": 0.12,
                "average": 0,
                "precision": precision,
            },
            "validation": {"every": updates + 1},
        },
        name=precision,
    )
    found: dict[str, list[float]] = {"loss": [], "seconds": []}

    def listen(event: dict[str, Any]) -> None:
        if event["event"] == "update":
            found["loss"].append(event["unsmoothed"])
            found["seconds"].append(event["seconds"])
            if event["step"] % TOGETHER == 0:
                print(precision, event["step"], round(event["unsmoothed"], 3), flush=True)
            if event["step"] == updates:
                raise StopIteration  # what comes after the last update is not asked for

    with tempfile.TemporaryDirectory() as folder, suppress(StopIteration):
        train(recipe, Path(folder), device=torch.device("cpu"), listeners=[listen])
    return found


def curve(losses: list[float]) -> list[float]:
    """Means of so many updates each."""
    parts = [losses[i : i + TOGETHER] for i in range(0, len(losses), TOGETHER)]
    return [sum(part) / len(part) for part in parts]


def main() -> None:
    """Learn twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--updates", type=int, default=240)
    files(parser)
    given = parser.parse_args()
    found = {name: learn(name, given.updates) for name in ("float32", "bfloat16")}
    curves = {name: curve(run["loss"]) for name, run in found.items()}
    ends = [str(TOGETHER * (i + 1)) for i in range(len(curves["float32"]))]
    lines = [
        f"| mean loss of {TOGETHER} updates up to | " + " | ".join(ends) + " | seconds an update |",
        "| --- |" + " --- |" * (len(ends) + 1),
    ]
    for name, run in found.items():
        seconds = sorted(run["seconds"])[len(run["seconds"]) // 2]
        lines.append(
            f"| {name} | " + " | ".join(f"{loss:.3f}" for loss in curves[name])
            + f" | {seconds:.2f} |"
        )  # fmt: skip
    highest = int(max(map(max, curves.values()))) + 1
    marks = [(float(value), str(value)) for value in range(highest + 1)]
    picture = chart("Loss in nats a piece, over updates", ends, curves, marks)
    keep(given, found, "\n".join(lines), picture)


if __name__ == "__main__":
    main()
