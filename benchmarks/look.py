"""How large a page is, how soon it can be worked, how fast it answers a click.

    python benchmarks/look.py [--pieces 128] [--json FILE]

A made-up trace of 6 + 6 layers of 8 heads (18 attentions, each with scores and values of width 64)
is written as a page and opened in Chromium, offline, several times.
"""

import argparse
import json
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from regard.trace import Attended, Side, Trace

LAYERS, HEADS, WIDTH = 6, 8, 64
TIMES = 5
CLICK = """place => new Promise(done => {
  const button = document.querySelectorAll('[data-side=query] button')[place];
  const started = performance.now();
  button.click();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)));
})"""

READY = """new Promise(
  done => requestAnimationFrame(() => setTimeout(() => done(performance.now())))
)"""


def made_up(pieces: int) -> Trace:
    """Peaky attention, as trained heads have it: scores with a spread of 3."""
    chance = np.random.default_rng(1)
    side = Side.of_texts([f"\u2581word{i}" for i in range(pieces)])
    attentions = []
    for kind in ("encoder", "decoder", "cross"):
        allowed = (
            np.tri(pieces, dtype=bool) if kind == "decoder" else np.ones((pieces, pieces), bool)
        )
        for layer in range(LAYERS):
            scores = (3 * chance.normal(size=(HEADS, pieces, pieces))).astype(np.float32)
            shares = np.where(allowed, np.exp(scores), 0)
            attentions.append(
                Attended(
                    kind=kind, layer=layer, scores=scores, allowed=allowed,
                    weights=(shares / shares.sum(-1, keepdims=True)).astype(np.float32),
                    values=chance.normal(size=(HEADS, pieces, WIDTH)).astype(np.float32),
                )
            )  # fmt: skip
    text = " ".join(side.words)
    return Trace(
        text=text, translation=text, source=side, target_in=side, target_out=side,
        attentions=tuple(attentions),
    )  # fmt: skip


def visit(browser, page_file: Path, pieces: int) -> tuple[float, list[float], float]:
    """Milliseconds until the page can be worked, of each click, of a change of temperature."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True).new_page()
    page.goto(page_file.as_uri(), wait_until="commit")
    page.wait_for_selector(".small-picture")
    ready = page.evaluate(READY)
    clicks = [page.evaluate(CLICK, place) for place in range(3, pieces, max(1, pieces // 20))]
    head = page.evaluate(CLICK.replace("[data-side=query] button", ".small-head"), 9)
    page.context.close()
    return ready, clicks, head


def main() -> None:
    """Measure, print, write."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--pieces", type=int, default=128)
    arguments.add_argument("--json", type=Path)
    given = arguments.parse_args()
    trace = made_up(given.pieces)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "page.html"
        started = time.perf_counter()
        trace.to_html(page_file)
        figures = {
            "pieces": given.pieces,
            "weights": sum(attended.weights.size for attended in trace.attentions),
            "seconds to write": time.perf_counter() - started,
            "page in MB": page_file.stat().st_size / 1e6,
        }
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        visits = [visit(browser, page_file, given.pieces) for _ in range(TIMES)]
        browser.close()
    ready, clicks, heads = zip(*visits, strict=True)
    every = [click for of_one in clicks for click in of_one]
    figures |= {
        "ms until it can be worked": statistics.median(ready),
        "the slowest of them": max(ready),
        "ms for a click on a word": statistics.median(every),
        "the slowest click": max(every),
        "ms for a click on a head": statistics.median(heads),
    }
    for name, value in figures.items():
        print(f"{name:28}{value:>12,.2f}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
