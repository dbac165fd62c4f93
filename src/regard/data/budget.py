"""lengths -> groups: similar lengths together, each group up to so many pieces a side."""

import numpy as np
from jaxtyping import Int

STEP = 8
"""What widths are multiples of where a sentence's padding must not depend on its neighbours."""


def alike(
    source: Int[np.ndarray, " examples"], target: Int[np.ndarray, " examples"], *, pieces: int
) -> list[Int[np.ndarray, " group"]]:
    """Cut examples into groups in which all have the same padded widths, however short they are.

    Args:
        source: The length of each example's source.
        target: The length of each example's target.
        pieces: The most positions a side may have, padding counted; one example may have more.
    """
    found = []
    widths = -(-np.stack((source, target), axis=1) // STEP) * STEP
    for width in np.unique(widths, axis=0):
        rows = np.flatnonzero((widths == width).all(axis=1))
        most = max(1, pieces // int(width.max()))
        found += np.split(rows, range(most, len(rows), most))
    return found


def groups(
    source: Int[np.ndarray, " examples"],
    target: Int[np.ndarray, " examples"],
    *,
    pieces: int,
    order: Int[np.ndarray, " rows"],
) -> list[Int[np.ndarray, " group"]]:
    """Cut examples into groups of at most `pieces` source and `pieces` target pieces, padded.

    Examples are sorted by their longer side; among equals the other side runs up, then down, then
    up again, so that neighbours are alike in both. What is alike in all keeps its place in `order`.

    Args:
        source: The length of each example's source.
        target: The length of each example's target.
        pieces: The most positions a side may have, padding counted.
        order: The examples to be grouped, each as often as it shall be there, in the order that
            breaks ties.

    Raises:
        ValueError: an example is longer than `pieces`.
    """
    longer = np.maximum(source, target)
    if longer.max() > pieces:
        raise ValueError(f"an example of {longer.max()} pieces does not fit into {pieces}")
    uneven = (source - target) * np.where(longer % 2 == 0, 1, -1)
    ranked = order[np.lexsort([_small(key)[order] for key in (uneven, longer)])]
    return np.split(ranked, _starts(longer[ranked], pieces)[1:])


def _small(key: Int[np.ndarray, " examples"]) -> Int[np.ndarray, " examples"]:
    """The same in 16 bits if they can hold it: NumPy sorts such numbers many times faster."""
    return key.astype(np.int16) if np.abs(key).max() < 2**15 else key


def _starts(lengths: Int[np.ndarray, " rows"], pieces: int) -> list[int]:
    """Where each group starts; `lengths` never falls, so that a group's last one is its widest."""
    starts = [0]
    while True:
        start = starts[-1]
        ahead = lengths[start : start + pieces // lengths[start]].astype(np.int64)
        start += int(np.count_nonzero(np.arange(1, len(ahead) + 1) * ahead <= pieces))
        if start == len(lengths):
            return starts
        starts.append(start)
