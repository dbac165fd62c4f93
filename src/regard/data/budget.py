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
    ranked = order[np.lexsort((uneven[order], longer[order]))]
    starts = [0]
    widest = 0
    for place, length in enumerate(longer[ranked].tolist()):
        widest = max(widest, length)
        if (place - starts[-1] + 1) * widest > pieces:
            starts.append(place)
            widest = length
    return np.split(ranked, starts[1:])
