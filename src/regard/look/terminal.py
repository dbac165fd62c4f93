"""weights, words -> shaded blocks for a terminal."""

import unicodedata
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

SHADES = " \u2591\u2592\u2593\u2588"
WIDEST = 12


def blocks(
    weights: Float[np.ndarray, "queries keys"],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
) -> str:
    """A row for each query; a block is the darker, the nearer its weight is to 1.

    The shades begin at 0.1, 0.3, 0.6 and 0.9.
    """
    names = [_cut(name) for name in queries]
    heads = [_cut(name) for name in keys]
    margin = max(map(columns, names), default=0)
    widths = [max(columns(head), 2) for head in heads]
    lines = [title, " ".join([" " * margin, *map(_filled, heads, widths)]).rstrip()]
    for name, row in zip(names, weights.tolist(), strict=True):
        blocks = [_shade(weight) * width for weight, width in zip(row, widths, strict=True)]
        lines.append(" ".join([" " * (margin - columns(name)) + name, *blocks]).rstrip())
    return "\n".join(lines) + "\n"


def columns(name: str) -> int:
    """How many columns of a terminal a text fills."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in name
    )  # fmt: skip


def _shade(weight: float) -> str:
    return SHADES[int(np.searchsorted((0.1, 0.3, 0.6, 0.9), weight, side="right"))]


def _cut(name: str) -> str:
    name = "".join(c if c.isprintable() else "\ufffd" for c in name)
    cut = name
    while columns(cut) > WIDEST:
        cut = cut[:-1]
    return name if cut == name else cut[:-1] + "\u2026"


def _filled(name: str, width: int) -> str:
    return name + " " * (width - columns(name))
