"""a teacher, its students -> BLEU against sentences a second, in one picture.

    python benchmarks/students.py NAME=RUN [NAME=RUN ...] --source FILE --reference FILE
        [--tokenize none] [--output FILE] [--json FILE] [--picture FILE]

Each run translates the file with a beam of five, of two, and greedily; by our own engine, and by
CTranslate2 in int8 (which takes its nearest for the paper's length penalty). All take turns; text
in, text out; loading is not timed.
"""

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

from chart import curves
from ctranslate2_file import exported
from report import files, keep

from regard.engines.ctranslate2 import CTranslate2
from regard.evaluate import bleu
from regard.text.lines import read_lines
from regard.translator import Translator

BEAMS = (5, 2, 1)
ROUNDS = 3


def engines(run: Path) -> dict[str, Translator]:
    """A run as each engine has it."""
    own = Translator.load(run)
    int8 = CTranslate2(exported(own, run, "int8"), own.source, own.target, approximate=True)
    return {"regard": own, "int8": own.through(int8)}


def measure(runs: dict[str, Path], texts: list[str], wanted: list[str], tokenize: str) -> Any:
    """For each run, engine and beam: BLEU, and sentences a second of each round."""
    ways = {
        (name, engine, beam): translator.with_search(beam=beam)
        for name, run in runs.items()
        for engine, translator in engines(run).items()
        for beam in BEAMS
    }
    rates: dict[tuple[str, str, int], list[float]] = {way: [] for way in ways}
    score: dict[tuple[str, str, int], float] = {}
    for turn in range(ROUNDS + 1):
        for way, translator in ways.items():
            started = time.perf_counter()
            found = translator.translate(texts)
            seconds = time.perf_counter() - started
            if turn:  # the first one warms up
                rates[way].append(len(texts) / seconds)
            else:
                outputs = [each.text for each in found]
                score[way] = bleu(outputs, wanted, tokenize=tokenize).score
    return [
        {"run": way[0], "engine": way[1], "beam": way[2], "bleu": score[way], "rates": rates[way]}
        for way in ways
    ]


def as_text(found: list[dict[str, Any]]) -> str:
    """The table of the page of results."""
    lines = [
        "| run | engine | beam | BLEU | sentences a second | range |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in found:
        rates = row["rates"]
        lines.append(
            f"| {row['run']} | {row['engine']} | {row['beam']} | {row['bleu']:.2f} |"
            f" {statistics.median(rates):.0f} | {min(rates):.0f} to {max(rates):.0f} |"
        )
    return "\n".join(lines)


def picture(found: list[dict[str, Any]]) -> str:
    """A line for each run and engine, its points the beams."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in found:
        point = statistics.median(row["rates"]), row["bleu"]
        lines.setdefault(f"{row['run']}, {row['engine']}", []).append(point)
    return curves("BLEU against sentences a second; from the left: beam 5, 2, 1", lines)


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--tokenize", default="none", help="as sacreBLEU names it")
    files(parser)
    given = parser.parse_args()
    runs = {name: Path(run) for name, run in (each.split("=", 1) for each in given.runs)}
    texts, wanted = (list(read_lines(path)) for path in (given.source, given.reference))
    found = measure(runs, texts, wanted, given.tokenize)
    keep(given, found, as_text(found), picture(found))


if __name__ == "__main__":
    main()
