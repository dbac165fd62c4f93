"""Trace -> what a page reads: JSON with the weights as codes of 16 or 8 bits.

A weight w becomes the code round(sqrt(-log w) / scale), so that large weights are kept more finely
than small ones; the largest code there is says "forbidden". With the scores' offset a page has the
scores too: score = log w + offset, since a softmax forgets only a constant. ::

    {"format": 1, "error": 0.00004, "view": "pieces", "text": ..., "translation": ...,
     "forced": ..., "log_prob": ..., "about": {"model", "family", "checkpoint", "command", "date"},
     "source" | "target_in" | "target_out":
        {"pieces": [...], "words": [...], "word_of": [...], "special": [...]},
     "attentions": [{"kind": "encoder" | "decoder" | "cross", "layer": 0,
        "shape": [heads, queries, keys], "bits": 16, "scale": ..., "codes": base64,
        "offset": base64 of float32 [heads queries] or null,
        "norms": base64 of float32 [heads keys] or null,     what |value| is
        "mixed": base64 of float32 [heads queries] or null,  what |sum of weight times value| is
        "values": base64 of float16 [heads keys d_v] or null,
        "measures": [{"entropy", "sharpness", "distance", "own", "previous", "next", "signs",
                      "label"}, one for each head]}, ...],
     "steps": [[{"parent", "piece", "text", "log_prob", "fate"}, ...], ...]}

Numbers are little-endian. `web/src/trace.ts` reads it.
"""

import base64
from dataclasses import asdict
from typing import Any

import numpy as np
from jaxtyping import Float

from regard.trace.measures import measures
from regard.trace.record import Attended
from regard.trace.trace import Trace

LARGE = 3_000_000
"""Weights beyond which a code has 8 bits."""
VALUES = 300_000
"""Numbers up to which the values go along as they are, and not their norms alone."""
DEEPEST = 80.0
"""Weights below e to the minus this are kept as that."""


def packed(trace: Trace) -> dict[str, Any]:
    """What a page reads of a trace."""
    weights = sum(attended.weights.size for attended in trace.attentions)
    numbers = sum(a.values.size for a in trace.attentions if a.values is not None)
    bits = 8 if weights > LARGE else 16
    attentions, errors = [], [0.0]
    for attended in trace.attentions:
        entry, error = _packed(attended, bits=bits, with_values=numbers <= VALUES)
        entry["measures"] = [asdict(found) for found in measures(trace, attended)]
        attentions.append(entry)
        errors.append(error)
    return {
        "format": 1,
        "error": max(errors),
        "view": trace.view,
        "text": trace.text,
        "translation": trace.translation,
        "forced": trace.forced,
        "log_prob": trace.log_prob,
        "about": asdict(trace.about),
        **{name: asdict(getattr(trace, name)) for name in ("source", "target_in", "target_out")},
        "attentions": attentions,
        "steps": [[asdict(candidate) for candidate in step] for step in trace.steps],
    }


def decoded(entry: dict[str, Any]) -> Float[np.ndarray, "heads queries keys"]:
    """The weights of an entry of "attentions", as a page has them: rows sum to 1 again."""
    codes = np.frombuffer(base64.b64decode(entry["codes"]), f"<u{entry['bits'] // 8}")
    weights = np.exp(-np.square(codes * entry["scale"]))
    weights = np.where(codes == 2 ** entry["bits"] - 1, 0.0, weights).reshape(entry["shape"])
    sums = weights.sum(-1, keepdims=True)
    return weights / np.where(sums > 0, sums, 1)


def _packed(attended: Attended, *, bits: int, with_values: bool) -> tuple[dict[str, Any], float]:
    logs, offset = _logs(attended)
    depth = np.sqrt(np.clip(-logs, 0, DEEPEST))
    forbidden = 2**bits - 1
    scale = float(max(depth.max(initial=0.0), 1e-3)) / (forbidden - 1)
    codes = np.rint(depth / scale)
    codes = np.where(attended.allowed, codes, forbidden).astype(f"<u{bits // 8}")
    values = attended.values
    entry = {
        "kind": attended.kind,
        "layer": attended.layer,
        "shape": list(attended.weights.shape),
        "bits": bits,
        "scale": scale,
        "codes": _base64(codes),
        "offset": None if offset is None else _base64(offset.astype("<f4")),
        "norms": None,
        "mixed": None,
        "values": None,
    }
    if values is not None:
        entry["norms"] = _base64(np.linalg.norm(values, axis=-1).astype("<f4"))
        mixed = attended.weights @ values
        entry["mixed"] = _base64(np.linalg.norm(mixed, axis=-1).astype("<f4"))
        entry["values"] = _base64(values.astype("<f2")) if with_values else None
    error = np.abs(decoded(entry) - attended.weights).max(initial=0.0)
    return entry, float(error)


def _logs(
    attended: Attended,
) -> tuple[Float[np.ndarray, "heads queries keys"], Float[np.ndarray, "heads queries"] | None]:
    """Logarithms of the weights, and what they are below the scores."""
    if attended.scores is None:
        return np.log(np.maximum(attended.weights.astype(np.float64), 1e-35)), None
    scores = np.where(attended.allowed, attended.scores.astype(np.float64), -np.inf)
    largest = np.where(attended.allowed.any(-1), scores.max(-1, initial=-1e30), 0.0)
    sums = np.exp(scores - largest[..., None]).sum(-1)
    offset = largest + np.log(np.where(sums > 0, sums, 1.0))
    return scores - offset[..., None], offset


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
