"""lines, translated in batches of several sizes and orders -> whether it made a difference."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from regard.translation import Translation
    from regard.translator import Translator

SIZES = (1, 2, 7, 64)


def check_invariance(translator: "Translator", texts: Sequence[str]) -> int:
    """Say for each way of batching how many lines it changed; 0 if none, else 1."""
    wanted, total = translator.translate(texts), 0
    for name, changed in changes(translator, texts, wanted).items():
        total += len(changed)
        what = f"{len(changed):,} changed: {', '.join(map(str, changed[:10]))}" if changed else ""
        typer.echo(f"{name}: {what or 'the same, bit for bit'} ({len(texts):,} lines)")
    return min(total, 1)


def changes(
    translator: "Translator", texts: Sequence[str], wanted: Sequence["Translation"]
) -> dict[str, list[int]]:
    """The numbers of the lines that each way of batching changed.

    Compared are text, pieces, scores bit for bit, and the order of the n best, with what is wanted:
    the translations of all lines at once.
    """
    shuffled = random.Random(1).sample(range(len(texts)), len(texts))
    ways: dict[str, tuple[Sequence[int], int]] = {
        f"in batches of {size}": (range(len(texts)), size) for size in SIZES
    }
    ways["shuffled"] = (shuffled, max(SIZES))
    changed: dict[str, list[int]] = {}
    for name, (order, size) in ways.items():
        found: dict[int, Any] = {}
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            batch = translator.translate([texts[i] for i in chosen])
            found |= zip(chosen, batch, strict=True)
        changed[name] = [i + 1 for i in range(len(texts)) if found[i] != wanted[i]]
    return changed
