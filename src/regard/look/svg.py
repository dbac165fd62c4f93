"""weights, words -> a picture that stands alone: squares, words on two sides, a legend 0 to 1."""

import re
from collections.abc import Sequence
from html import escape

import numpy as np
from jaxtyping import Bool, Float

CELL = 26
MARGIN = 130
FOOT = 46
RAMP = ((247, 249, 252), (107, 154, 196), (16, 42, 84))
"""From 0 over 0.5 to 1: lighter to darker in any kind of sight, and in print."""


def picture(
    weights: Float[np.ndarray, "queries keys"],
    allowed: Bool[np.ndarray, "queries keys"],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
) -> str:
    """A row for each query; what is forbidden is hatched, not light."""
    width = MARGIN + CELL * max(len(keys), 8) + 20
    height = MARGIN + CELL * len(queries) + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" font-family="system-ui, sans-serif" font-size="13">',
        f"<title>{_text(title)}</title>",
        '<defs><pattern id="forbidden" width="6" height="6" patternUnits="userSpaceOnUse">'
        '<path d="M0 6L6 0" stroke="#9aa3ad" stroke-width="1"/></pattern></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="22" font-weight="600">{_text(title)}</text>',
    ]
    for column, key in enumerate(keys):
        x, y = MARGIN + CELL * (column + 0.65), MARGIN - 6
        parts.append(f'<text transform="rotate(-60 {x:.1f} {y})" x="{x:.1f}" y="{y}">'
                     f"{_text(_cut(key))}</text>")  # fmt: skip
    rows: list[list[float]] = weights.tolist()
    for row, query in enumerate(queries):
        y = MARGIN + CELL * (row + 0.68)
        parts.append(f'<text x="{MARGIN - 8}" y="{y:.1f}" text-anchor="end">'
                     f"{_text(_cut(query))}</text>")  # fmt: skip
        for column, key in enumerate(keys):
            fill = colour(rows[row][column]) if allowed[row, column] else "url(#forbidden)"
            says = f"{rows[row][column]:.3f}" if allowed[row, column] else "forbidden"
            parts.append(
                f'<rect x="{MARGIN + CELL * column}" y="{MARGIN + CELL * row}" width="{CELL - 1}"'
                f' height="{CELL - 1}" fill="{fill}"><title>{_text(query)} \u2192 {_text(key)}:'
                f" {says}</title></rect>"
            )
    parts += _legend(height - FOOT + 18)
    return "\n".join([*parts, "</svg>"]) + "\n"


def colour(weight: float) -> str:
    """Of a weight between 0 and 1."""
    place = min(max(weight, 0.0), 1.0) * 2
    below, above = (RAMP[0], RAMP[1]) if place < 1 else (RAMP[1], RAMP[2])
    share = place if place < 1 else place - 1
    mixed = (round(a + (b - a) * share) for a, b in zip(below, above, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _legend(y: int) -> list[str]:
    steps = [
        f'<rect x="{MARGIN + 8 * i}" y="{y}" width="8" height="10" fill="{colour(i / 20)}"/>'
        for i in range(21)
    ]
    ends = f'<text x="{MARGIN - 8}" y="{y + 10}" text-anchor="end">0</text>'
    return [*steps, ends, f'<text x="{MARGIN + 174}" y="{y + 10}">1</text>']


def _cut(name: str) -> str:
    return name if len(name) <= 14 else name[:13] + "\u2026"


def _text(name: str) -> str:
    """As XML may hold it."""
    return escape(re.sub("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]", "\ufffd", name))
