"""weights -> what a head does, in a few numbers; where attention came from through all layers."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from regard.trace.record import Attended, Kind
from regard.trace.trace import Trace

MOST = 0.4
"""The share of its attention by which a head is called after one thing."""


@dataclass(frozen=True)
class Measures:
    """What one head does, on average over its queries.

    Attributes:
        entropy: Of the weights, in nats.
        sharpness: 1 less the entropy over that of equal weights on all allowed: 1 looks at one key
            alone, 0 at all alike.
        distance: How many places away it looks, weighted.
        own: The share on the query's own place; None between two sides, as the next two.
        previous: On the place before; over the queries that have one.
        next: On the place after; likewise.
        signs: On signs for begin and end.
        label: What it does most, if that is much.
    """

    entropy: float
    sharpness: float
    distance: float
    own: float | None
    previous: float | None
    next: float | None
    signs: float
    label: str


@dataclass(frozen=True)
class Head:
    """One head of a trace and what it does."""

    kind: Kind
    layer: int
    head: int
    measures: Measures


def measures(trace: Trace, attended: Attended) -> list[Measures]:
    """Of each head."""
    _, keys = trace.sides(attended.kind)
    signs = np.array(keys.special, dtype=bool)
    return [_measures(weights.astype(np.float64), attended, signs) for weights in attended.weights]


def heads(trace: Trace) -> list[Head]:
    """All heads of a trace, sorted by kind, by what they do, and the sharpest first."""
    found = [
        Head(attended.kind, attended.layer, head, measured)
        for attended in trace.attentions
        for head, measured in enumerate(measures(trace, attended))
    ]
    order = {kind: place for place, kind in enumerate(("cross", "decoder", "encoder"))}
    return sorted(found, key=lambda h: (order[h.kind], h.measures.label, -h.measures.sharpness))


def _measures(
    weights: Float[np.ndarray, "queries keys"], attended: Attended, signs: np.ndarray
) -> Measures:
    queries, keys = weights.shape
    logs = np.log(np.where(weights > 0, weights, 1.0))
    entropy = -(weights * logs).sum(1)
    room = np.log(np.maximum(attended.allowed.sum(1), 1))
    sharp = 1 - entropy[room > 0] / room[room > 0]
    places = np.arange(keys) - np.arange(queries)[:, None]
    one_side = attended.kind != "cross"
    shares = {
        "own": _share(weights, 0) if one_side else None,
        "previous": _share(weights, -1) if one_side else None,
        "next": _share(weights, 1) if one_side else None,
        "signs": float(weights[:, signs].sum(1).mean()),
    }
    sharpness = float(np.mean(sharp)) if len(sharp) else 1.0
    most = max(shares, key=lambda name: shares[name] or 0.0)
    named = (shares[most] or 0.0) >= MOST
    return Measures(
        entropy=float(entropy.mean()),
        sharpness=sharpness,
        distance=float((weights * np.abs(places)).sum(1).mean()),
        **shares,
        label=most if named else "sharp" if sharpness >= 0.5 else "spread",
    )


def _share(weights: Float[np.ndarray, "queries keys"], step: int) -> float:
    on = np.diagonal(weights, step)
    return float(on.mean()) if len(on) else 0.0


def rollout(trace: Trace, kind: Kind, residual: float) -> Float[np.ndarray, "queries keys"]:
    """How much of each place came from where, through all layers (Abnar and Zuidema 2020).

    Each layer hands on `residual` of what stood there and 1 - residual of what its heads, on
    average, brought. "cross" gives what a decoder's places have from the source, through its own
    attention and the encoder's; what they have from the target is the rest to 1.

    Raises:
        ValueError: residual is not between 0 and 1.
    """
    if not 0 <= residual <= 1:
        raise ValueError(f"residual {residual} must be between 0 and 1")
    if kind != "cross":
        side = len(trace.sides(kind)[0])
        found = np.eye(side)
        for attended in trace.layers(kind):
            found = _handed_on(found, attended, found, residual)
        return found
    memory = rollout(trace, "encoder", residual)
    queries = len(trace.target_out)
    found = np.zeros((queries, len(trace.source)))
    own = {attended.layer: attended for attended in trace.layers("decoder")}
    for attended in trace.layers("cross"):
        if attended.layer in own:
            found = _handed_on(found, own[attended.layer], found, residual)
        found = _handed_on(found, attended, memory, residual)
    return found


def _handed_on(
    here: np.ndarray, attended: Attended, there: np.ndarray, residual: float
) -> np.ndarray:
    mean = attended.weights.astype(np.float64).mean(0)
    return residual * here + (1 - residual) * (mean @ there)
