"""How fast, and in how little memory, does a corpus of the paper's size become a store?

    python benchmarks/store.py --folder FOLDER [--pairs N] [--output FILE] [--json FILE]
    python benchmarks/store.py --folder FOLDER --learn base [--set KEY=VALUE]

Makes as many pairs as WMT 2014 English-German has from a seed, unless they lie in the folder; has
`regard prepare` build the store, with the 37,000 joint pieces of `recipes/base.toml`; then has
`regard train` start on it, with a small model whose steps take a moment only. Both are processes of
their own, whose memory is watched from outside. With `--learn` the paper's base or big model makes
three updates from the store that is there.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from report import files, keep

PAIRS = 4_500_000
SYLLABLES = [f"{a}{b}{c}" for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "st")]
RECIPE = """
extends = "{base}"

[data]
folder = "{folder}"
valid = ["valid.en", "valid.de"]
"""
SMALL = ["model.d_model=64", "model.d_ff=64", "model.heads=1", "model.encoder_layers=1",
         "model.decoder_layers=1", "training.accumulate=1", "training.updates=60",
         "training.average=0"]  # fmt: skip
WATCHED = 0.05
"""Seconds between two looks at a process's memory."""


def words(count: int, generator: np.random.Generator) -> np.ndarray:
    """So many words of one to four syllables, the first of them short."""
    made: dict[str, None] = {}
    while len(made) < count:
        size = 1 + min(3, int(len(made) ** 0.11 * generator.random() * 1.6))
        made["".join(SYLLABLES[i] for i in generator.integers(len(SYLLABLES), size=size))] = None
    return np.array(list(made), dtype=object)


def lines(known: np.ndarray, lengths: np.ndarray, generator: np.random.Generator) -> Iterator[str]:
    """Sentences of these lengths, their words as frequent as Zipf's law says."""
    chances = 1 / (np.arange(len(known)) + 2.7)
    ends = np.cumsum(lengths)
    drawn = known[np.searchsorted(np.cumsum(chances / chances.sum()), generator.random(ends[-1]))]
    for start, end in zip(ends - lengths, ends, strict=True):
        yield " ".join(drawn[start:end].tolist()) + " .\n"


def make(folder: Path, pairs: int) -> None:
    """Write the corpus: sentences of some 24 words, the sides alike in length."""
    generator = np.random.default_rng(1)
    known = [words(200_000, generator) for _ in range(2)]
    with (folder / "train.en").open("w") as source, (folder / "train.de").open("w") as target:
        for start in range(0, pairs, 50_000):
            count = min(50_000, pairs - start)
            lengths = np.clip(generator.lognormal(3.0, 0.6, count).astype(int), 1, 150)
            other = np.clip((lengths * generator.lognormal(-0.05, 0.15, count)).astype(int), 1, 170)
            source.writelines(lines(known[0], lengths, generator))
            target.writelines(lines(known[1], other, generator))
    for ending in ("en", "de"):
        with (folder / f"train.{ending}").open() as text:
            (folder / f"valid.{ending}").write_text("".join(next(text) for _ in range(20)))


class Watched:
    """`regard` in a process of its own; what it says is kept with the second in which it came."""

    def __init__(self, *arguments: str):
        self.said: list[tuple[float, str]] = []
        self.megabytes = 0.0
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "regard", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        watching = threading.Thread(target=self._watch, daemon=True)
        watching.start()
        assert self._process.stdout
        for line in self._process.stdout:
            self.said.append((time.perf_counter() - self.started, line.rstrip()))
        if self._process.wait():
            sys.exit("\n".join(line for _, line in self.said))
        self.seconds = time.perf_counter() - self.started
        watching.join()

    def _watch(self) -> None:
        status = Path(f"/proc/{self._process.pid}/status")
        while self._process.poll() is None:
            if found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text()):
                self.megabytes = max(self.megabytes, int(found[1]) / 1024)
            time.sleep(WATCHED)

    def second(self, pattern: str) -> float:
        """When it first said something like that."""
        return next(second for second, line in self.said if re.search(pattern, line))


def built(recipe: Path, run: Path) -> dict[str, Any]:
    """The seconds of each part of building a store, and the most memory."""
    shutil.rmtree(run, ignore_errors=True)
    figures = run.with_suffix(".json")
    told = Watched("prepare", str(recipe), "--run", str(run), "--json", str(figures))
    report = json.loads(figures.read_text())["texts"]["training"]
    learning = told.second("pieces are learnt")
    splitting = told.second("pairs are split")
    return {
        "seconds": told.seconds,
        "reading": learning,
        "learning": splitting - learning,
        "splitting": told.seconds - splitting,
        "megabytes": told.megabytes,
        "bytes": sum(file.stat().st_size for file in (run / "store").iterdir()),
        "pairs": report["total"],
        "pieces": report["pieces"],
        "words": report["words"],
    }


def begun(recipe: Path, run: Path, changes: Sequence[str]) -> dict[str, Any]:
    """How soon a training learns from the store, and how long its steps wait for text."""
    for path in (run / "record.jsonl", run / "checkpoints"):
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
    settings = [word for change in changes for word in ("--set", change)]
    begin = time.time()
    told = Watched("train", str(recipe), "--run", str(run), "--device", "cpu", *settings)
    events = [json.loads(line) for line in (run / "record.jsonl").read_text().splitlines()]
    updates = [event for event in events if event["event"] == "update"]
    (start,) = [event["time"] - begin for event in events if event["event"] == "start"]
    return {
        "start": start,
        "first": updates[0]["time"] - begin,
        "megabytes": told.megabytes,
        "updates": len(updates),
        "seconds": [event["seconds"] for event in updates],
        "waited": [event["waited"] for event in updates],
        "pieces": [event["pieces"] for event in updates],
        "loss": [event["loss"] for event in updates],
    }


def told(store: dict[str, Any], small: dict[str, Any]) -> str:
    """The figures as Markdown."""
    minute = 60 * store["pairs"]
    waited = np.array(small["waited"][1:])
    steps = np.array(small["seconds"][1:])
    rows = [
        ("pairs", f"{store['pairs']:,}"),
        ("words a side", " and ".join(f"{w / store['pairs']:.1f}" for w in store["words"])),
        ("pieces a side", " and ".join(f"{p / store['pairs']:.1f}" for p in store["pieces"])),
        ("built in", f"{store['seconds']:.0f} s"),
        ("of it reading once", f"{store['reading']:.0f} s"),
        ("of it learning pieces", f"{store['learning']:.0f} s"),
        ("of it splitting and writing", f"{store['splitting']:.0f} s"),
        ("pairs a minute, all of it", f"{minute / store['seconds']:,.0f}"),
        (
            "pairs a minute, without learning pieces",
            f"{minute / (store['seconds'] - store['learning']):,.0f}",
        ),
        ("most memory, building", f"{store['megabytes']:,.0f} MB"),
        ("store", f"{store['bytes'] / 1e6:,.0f} MB"),
        ("training: model begins to learn after", f"{small['start']:.1f} s"),
        ("training: first update made after", f"{small['first']:.1f} s"),
        ("training: most memory", f"{small['megabytes']:,.0f} MB"),
        ("steps, median", f"{1000 * np.median(steps):.0f} ms"),
        ("waits for text, median", f"{1000 * np.median(waited):.2f} ms"),
        ("waits for text, longest", f"{1000 * waited.max():.1f} ms"),
    ]
    return "\n".join(["| what | figure |", "| --- | --: |", *(f"| {a} | {b} |" for a, b in rows)])


def learnt(name: str, found: dict[str, Any]) -> str:
    """Three updates of one of the paper's models as Markdown."""
    each = ", ".join(f"{seconds:.0f} s" for seconds in found["seconds"])
    losses = ", ".join(f"{loss:.3f}" for loss in found["loss"])
    return (
        f"{name}: updates of {each} and {', '.join(f'{n:,}' for n in found['pieces'])} pieces, loss"
        f" {losses}; most memory {found['megabytes']:,.0f} MB; first update"
        f" {found['first'] - found['seconds'][0]:.1f} s after the start; waits for text of at most"
        f" {1000 * max(found['waited'][1:]):.1f} ms"
    )


def main() -> None:
    """Make the corpus, build its store, learn from it for a moment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where the corpus is, or goes")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--learn", choices=["base", "big"], help="only make three updates")
    parser.add_argument("--set", action="append", default=[], help="change a key for that")
    files(parser, picture=False)
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "valid.de").exists():
        make(folder, given.pairs)
    base = Path(__file__).resolve().parents[1] / "recipes" / f"{given.learn or 'base'}.toml"
    recipe = folder / "store.toml"
    recipe.write_text(RECIPE.format(base=base, folder=folder))
    if given.learn:
        changes = ["training.updates=3", "training.average=0", *given.set]
        found = begun(recipe, folder / "run", changes)
        keep(given, found, learnt(given.learn, found))
        return
    store = built(recipe, folder / "run")
    small = begun(recipe, folder / "run", SMALL)
    keep(given, {"store": store, "small": small}, told(store, small))


if __name__ == "__main__":
    main()
