"""Does the memory of a translation grow with its file?

    python benchmarks/million.py RUN --text FILE [FILE ...] [--lines N ...] [--output FILE]
        [--json FILE]

The lines of the texts, over and over, each time with another number in front so that no two are the
same, are translated greedily by `regard translate`, a process of its own, once for each size of
file. Memory is the most that the system says a process had in its hands (ru_maxrss).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

from report import files, keep

from regard.text.lines import read_lines

SIZES = (10_000, 100_000, 1_000_000)


def different(texts: list[str]) -> Iterator[str]:
    """The lines without end, no two of which are alike."""
    for turn in count(1):
        for text in texts:
            yield f"{turn} {text}\n"


def translated(run: Path, texts: list[str], lines: int) -> dict[str, Any]:
    """What a translation of so many lines took, and how many came out."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder, "in"), Path(folder, "out")
        with given.open("w", encoding="utf-8") as file:
            file.writelines(islice(different(texts), lines))
        command = [sys.executable, "-m", "regard", "translate", str(run), "--device", "cpu"]
        command += ["--beam", "1", "--input", str(given), "--output", str(found)]
        started = time.perf_counter()
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        if status:
            sys.exit(f"regard translate ended with {os.waitstatus_to_exitcode(status)}")
        return {
            "lines": lines,
            "came_out": found.read_bytes().count(b"\n"),
            "bytes": [given.stat().st_size, found.stat().st_size],
            "megabytes": used.ru_maxrss / 1024,
            "seconds": seconds,
        }


def as_text(found: list[dict[str, Any]]) -> str:
    """The table of the page of results."""
    rows = [
        "| lines in | lines out | MB in | MB out | most memory, MB | more than the first |",
        "| --: " * 6 + "|",
    ]
    for row in found:
        sizes = " | ".join(f"{size / 1e6:.1f}" for size in row["bytes"])
        more = row["megabytes"] - found[0]["megabytes"]
        rows.append(
            f"| {row['lines']:,} | {row['came_out']:,} | {sizes} | {row['megabytes']:.1f}"
            f" | {more:+.1f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Translate, and report."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="files of sentences")
    parser.add_argument("--lines", type=int, nargs="+", default=SIZES)
    files(parser, picture=False)
    given = parser.parse_args()
    texts = [line for path in given.text for line in read_lines(path)]
    found = [translated(given.run, texts, lines) for lines in given.lines]
    keep(given, found, as_text(found))


if __name__ == "__main__":
    main()
