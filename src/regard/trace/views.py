"""weights of pieces -> weights of words; without signs; the strongest of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

from regard.trace.record import Attended
from regard.trace.sides import Side

Signs = Literal["keep", "hide", "renormalise"]


@dataclass(frozen=True)
class Link:
    """One weight, and what it lies between."""

    query: int
    key: int
    weight: float
    query_text: str
    key_text: str


def merged(attended: Attended, queries: Side, keys: Side) -> Attended:
    """Of words: the sum over a key's pieces, the mean over a query's.

    A query word may look at a key word if one of its pieces may at one of the other's. Scores and
    values have no such sum, and are left out.
    """
    table = attended.allowed[None].astype(np.float32)
    sums = _by_word(_by_word(attended.weights, keys, 2), queries, 1)
    counts = np.bincount(queries.word_of, minlength=len(queries.words))
    return replace(
        attended,
        weights=(sums / counts[None, :, None]).astype(np.float32),
        allowed=_by_word(_by_word(table, keys, 2), queries, 1)[0] > 0,
        scores=None,
        values=None,
    )


def without(
    attended: Attended, queries: Sequence[int], keys: Sequence[int], *, renormalise: bool
) -> Attended:
    """Only these queries and keys; with rows that sum to 1 again, or to what is left."""
    weights = attended.weights[:, queries][:, :, keys]
    if renormalise:
        sums = weights.sum(-1, keepdims=True)
        weights = weights / np.where(sums > 0, sums, 1)
    return replace(
        attended,
        weights=weights,
        allowed=attended.allowed[queries][:, keys],
        scores=None,
        values=None if attended.values is None else attended.values[:, keys],
    )


def strongest(
    weights: Float[np.ndarray, "queries keys"], queries: Side, keys: Side, top: int
) -> list[list[Link]]:
    """Each query's largest weights, the largest first; those as large as the last of them too."""
    found = []
    for query, row in enumerate(weights):
        order = np.argsort(-row, kind="stable")
        last = row[order[min(top, len(order)) - 1]] if len(order) and top > 0 else np.inf
        found.append(
            [
                Link(query, int(key), float(row[key]), queries.pieces[query], keys.pieces[key])
                for key in order
                if row[key] > 0 and row[key] >= last
            ]
        )
    return found


def _by_word(
    x: Float[np.ndarray, "heads queries keys"], side: Side, axis: int
) -> Float[np.ndarray, "heads _queries _keys"]:
    member: Bool[np.ndarray, "words pieces"] = np.arange(len(side.words))[:, None] == np.array(
        side.word_of
    )
    return np.moveaxis(np.tensordot(member.astype(np.float64), x, axes=(1, axis)), 0, axis)
