"""queries, keys, values -> context: scores, who may look where, softmax, mix.

`weights` is the path to be read, `attend` the one to be run; a test holds them together for every
score, type and rule. A query that may look nowhere gets no weight at all: its context is zero, and
its gradients are finite.
"""

import math

from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional

from regard.attention.allowed import Allowed, Causal, as_allowed
from regard.attention.scores import Score, as_dot, scaled_dot
from regard.product import product

Rule = Allowed | Bool[Tensor, "..."]
"""Who may look where: a record of `allowed.py`, or a tensor that is True where a query may."""


def weights(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    *,
    score: Score = scaled_dot,
    allowed: Rule | None = None,
    temperature: float = 1.0,
) -> Float[Tensor, "*batch queries keys"]:
    """How each query divides its attention over the keys (Vaswani et al. 2017, 3.2.1, eq. 1).

    Args:
        query: What is asked.
        key: What is compared with it.
        score: How well the two match; the paper's q . k / sqrt(d_k) by default.
        allowed: Where a query may look; everywhere if None.
        temperature: One more divisor of the scores: below 1 the largest weight grows, above 1 all
            become alike.

    Returns:
        Weights that sum to 1 in each row, or to 0 in a row that may look nowhere.

    Raises:
        ValueError: the widths do not fit the score, `allowed` does not fit the scores, or the
            temperature is not above 0.
    """
    check_temperature(temperature)
    scores = score(query, key)
    if temperature != 1.0:
        scores = scores / temperature
    if allowed is None:
        return scores.softmax(-1).to(query.dtype)
    table = as_allowed(allowed).dense(scores.shape, device=scores.device)
    shares = scores.masked_fill(~table, -math.inf).softmax(-1)
    return shares.masked_fill(~table, 0.0).to(query.dtype)  # softmax over nothing is NaN


def attend(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_v"],
    *,
    score: Score = scaled_dot,
    allowed: Rule | None = None,
    temperature: float = 1.0,
) -> Float[Tensor, "*batch queries d_v"]:
    """The values, mixed by `weights` of the same arguments.

    A score that is a dot product, whatever came before it, is one fused operation, which never
    holds all weights at once; the additive score is not. Keys and values must be finite even where
    nobody may look: 0 times NaN is NaN.

    Raises:
        ValueError: as for `weights`; or there are not as many values as keys.
    """
    check_temperature(temperature)
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"{key.shape[-2]} keys need as many values, got {value.shape[-2]}")
    fused = as_dot(score, query, key)
    if fused is None or not key.shape[-2]:
        shares = weights(query, key, score=score, allowed=allowed, temperature=temperature)
        return product(shares, value)
    query, key, scale = fused
    table, straight = None, False
    if isinstance(allowed, Causal) and query.shape[-2] == key.shape[-2]:
        straight = True
    elif allowed is not None:
        shape = (*query.shape[:-1], key.shape[-2])
        table = as_allowed(allowed).dense(shape, device=query.device)
        table = _with_heads(table[(None,) * (query.ndim - table.ndim)])
    context = functional.scaled_dot_product_attention(
        _with_heads(query),
        _with_heads(key),
        _with_heads(value),
        attn_mask=table,
        is_causal=straight,
        scale=scale / temperature,
    )
    return context.view(*query.shape[:-1], value.shape[-1])


def _with_heads(x: Tensor) -> Tensor:
    """The fused kernels want two leading axes, and are left aside without them."""
    return x if x.ndim >= 4 else x[None, None] if x.ndim == 2 else x[:, None]


def check_temperature(temperature: float) -> None:
    """Raise a ValueError unless one may divide by it."""
    if not 0 < temperature < math.inf:
        raise ValueError(f"temperature {temperature} must be above 0, and finite")
