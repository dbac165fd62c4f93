"""pairs -> train, dev and test, so that no sentence of one stands in another."""

from collections.abc import Iterable
from itertools import chain

import numpy as np
from jaxtyping import Bool, Int

from regard.errors import CorpusError


def components(*keys: np.ndarray) -> Int[np.ndarray, " examples"]:
    """For each example the first of those that it hangs together with.

    Two hang together if they have the same key, or if both do so with a third.

    >>> components(np.array([1, 2, 3, 2]), np.array([7, 8, 7, 9])).tolist()
    [0, 1, 0, 1]
    """
    kinds = [np.unique(key, return_inverse=True)[1] for key in keys]
    first = np.arange(len(keys[0]))
    while True:
        before = first
        for kind in kinds:
            least = np.full(len(first), len(first))
            np.minimum.at(least, kind, first)
            first = least[kind]
        first = first[first]
        if np.array_equal(first, before):
            return first


def set_aside(
    first: Int[np.ndarray, " examples"],
    allowed: Bool[np.ndarray, " examples"],
    wanted: Iterable[int],
    *,
    seed: int = 1,
) -> Int[np.ndarray, " examples"]:
    """Which part each example is of: 0 to learn from, 1 for the first of the others, and so on.

    Parts are made of whole components, drawn at random; of those that are large only if there are
    too few that are not, since a part shall be of many sentences.

    Args:
        first: For each example the first of its component.
        allowed: Which examples may be set aside; all of a component have to.
        wanted: How many examples each part shall have.
        seed: What is drawn by.

    Raises:
        CorpusError: there are not as many.
    """
    sizes = np.bincount(first)
    may = np.bincount(first, weights=allowed).astype(np.int64) == sizes
    heads = np.random.default_rng(seed).permutation(np.flatnonzero(may & (sizes > 0)))
    part_of = np.zeros(len(sizes), dtype=np.int64)
    for part, count in enumerate(wanted, start=1):
        left = count
        few = max(1, count // 100)
        free = heads[part_of[heads] == 0]
        for head in chain(free[sizes[free] <= few], free[sizes[free] > few]):
            if left == 0:
                break
            if sizes[head] <= left:
                part_of[head] = part
                left -= int(sizes[head])
        if left:
            raise CorpusError(
                f"{count:,} pairs cannot be set aside, only {count - left:,}: the others share a"
                " sentence with too many; ask for fewer, or have duplicates left out"
            )
    return part_of[first]
