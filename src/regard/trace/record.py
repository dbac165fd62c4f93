"""arrays -> records of what one attention did, checked loudly; where they come from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float

Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")


@dataclass(frozen=True, eq=False, kw_only=True)
class Attended:
    """What one attention did.

    Attributes:
        kind: "encoder" and "decoder" look at their own side, "cross" from target to source.
        layer: Which of that kind, from 0.
        weights: How each query divided its attention.
        allowed: Where a query might look.
        scores: How well query and key match, before the softmax and whoever was allowed.
        values: What was mixed.
    """

    kind: Kind
    layer: int
    weights: Float[np.ndarray, "heads queries keys"]
    allowed: Bool[np.ndarray, "queries keys"]
    scores: Float[np.ndarray, "heads queries keys"] | None = None
    values: Float[np.ndarray, "heads keys d_v"] | None = None

    @property
    def name(self) -> str:
        """As people count: "cross, layer 2"."""
        return f"{self.kind}, layer {self.layer + 1}"


@dataclass(frozen=True)
class Candidate:
    """What a step of the search weighed.

    Attributes:
        parent: Which of the hypotheses before it goes on.
        piece: What it adds.
        text: All that it says so far.
        log_prob: Of the whole, in nats.
        fate: It goes on, has come to its end, or was rejected.
    """

    parent: int
    piece: str
    text: str
    log_prob: float
    fate: Literal["goes on", "ended", "rejected"]


@dataclass(frozen=True, kw_only=True)
class About:
    """Where a trace comes from; what a page says at its foot.

    Attributes:
        model: Its name.
        family: Of which family it is.
        checkpoint: sha256 of its parameters.
        command: What was typed.
        date: When, as ISO 8601.
    """

    model: str = ""
    family: str = ""
    checkpoint: str = ""
    command: str = ""
    date: str = ""


def attended_of(kind: Kind, arrays: Sequence[Any]) -> list[Attended]:
    """Records of given weights, one array a layer.

    Raises:
        ValueError: wrong axes, numbers that are not finite or below 0, rows that do not sum to 1.
    """
    layers = [_checked(f"{kind}, layer {i + 1}", array) for i, array in enumerate(arrays)]
    later = [bool(np.triu(layer, 1).any()) for layer in layers]
    blind = kind == "decoder" and not any(later)
    return [
        Attended(
            kind=kind,
            layer=i,
            weights=layer,
            allowed=np.tri(*layer.shape[1:], dtype=bool)
            if blind
            else np.ones(layer.shape[1:], bool),
        )
        for i, layer in enumerate(layers)
    ]


def _checked(name: str, array: Any) -> Float[np.ndarray, "heads queries keys"]:
    weights = np.asarray(array)
    if weights.ndim == 4 and len(weights) == 1:
        weights = weights[0]
    if weights.ndim != 3:
        raise ValueError(
            f"{name}: weights of shape {list(weights.shape)}, where [heads queries keys] is needed"
        )
    weights = weights.astype(np.float32)
    if not np.isfinite(weights).all():
        head, query, key = np.argwhere(~np.isfinite(weights))[0]
        raise ValueError(
            f"{name}: the weight of head {head}, query {query}, key {key} is"
            f" {weights[head, query, key]}, not a finite number"
        )
    if (weights < 0).any():
        raise ValueError(f"{name}: weights below 0; are these scores? give them after the softmax")
    off = np.abs(weights.sum(-1) - 1)
    if (off > 1e-2).any():
        head, query = np.argwhere(off > 1e-2)[0]
        raise ValueError(
            f"{name}: the weights of head {head}, query {query} sum to"
            f" {weights[head, query].sum():.4f}, not to 1; queries and keys exchanged, or dropout?"
        )
    return weights


def check_shapes(attended: Attended, queries: int, keys: int) -> None:
    """Raise a ValueError unless all arrays fit each other, the queries and the keys."""
    heads = len(attended.weights)
    wanted = {
        "weights": (heads, queries, keys),
        "allowed": (queries, keys),
        "scores": (heads, queries, keys),
    }
    for name, shape in wanted.items():
        array = getattr(attended, name)
        if array is not None and array.shape != shape:
            raise ValueError(
                f"{attended.name}: {name} of shape {list(array.shape)} for {queries} queries and"
                f" {keys} keys, where {list(shape)} is needed"
            )
    if attended.values is not None and attended.values.shape[:2] != (heads, keys):
        raise ValueError(
            f"{attended.name}: values of shape {list(attended.values.shape)} for {heads} heads and"
            f" {keys} keys"
        )
