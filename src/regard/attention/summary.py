"""queries, keys -> what a long attention did, without ever holding all its weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.attention.allowed import as_allowed
from regard.attention.attend import Rule, check_temperature
from regard.attention.scores import Score, scaled_dot

BLOCK = 1 << 19
"""How many weights exist at once: few enough to stay near the processor."""

CHUNK = 64
"""The largest weights are sought among chunks of so many keys, then within the best chunks."""


@dataclass(frozen=True)
class Summary:
    """What each query looked at, and how much each key was looked at.

    Attributes:
        entropy: Of each query's weights, in nats: 0 for one key alone, log(keys) for all alike.
        largest: Each query's largest weights, the largest first.
        places: The keys that they belong to.
        own: The weight on the query's own place (queries are the last of the places).
        watched: The weight on the places asked for, summed.
        received: For each key, the weights of all queries, summed.
    """

    entropy: Float[Tensor, "*batch queries"]
    largest: Float[Tensor, "*batch queries top"]
    places: Int[Tensor, "*batch queries top"]
    own: Float[Tensor, "*batch queries"]
    watched: Float[Tensor, "*batch queries"]
    received: Float[Tensor, "*batch keys"]


@torch.no_grad()
def summary(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    *,
    score: Score = scaled_dot,
    allowed: Rule | None = None,
    temperature: float = 1.0,
    top: int = 5,
    watch: Sequence[int] = (),
) -> Summary:
    """Sum up `weights` of the same arguments; memory grows with the keys, not with their square.

    Args:
        query: What is asked.
        key: What is compared with it.
        score: How well the two match.
        allowed: Where a query may look; everywhere if None.
        temperature: One more divisor of the scores.
        top: How many of the largest weights to report; fewer if there are not so many keys.
        watch: Places of interest, as the first one, or punctuation.

    Raises:
        ValueError: as for `weights`; or `top` is below 1, or a place is not a key's.
    """
    check_temperature(temperature)
    queries, keys = query.shape[-2], key.shape[-2]
    if not keys:
        raise ValueError("there are no keys to look at")
    if top < 1:
        raise ValueError(f"top {top} must be at least 1")
    if not all(0 <= place < keys for place in watch):
        raise ValueError(f"watch {list(watch)} must be places of {keys} keys")
    shape = torch.Size((*query.shape[:-1], keys))
    rule = None if allowed is None else as_allowed(allowed)
    rows = max(1, BLOCK // max(1, shape[:-2].numel() * keys))
    parts: list[tuple[Tensor, ...]] = []
    received = key.new_zeros(())
    for start in range(0, queries or 1, rows):
        stop = min(start + rows, queries)
        scores = score(query[..., start:stop, :], key)
        if temperature != 1.0:
            scores = scores / temperature
        if rule is not None:
            table = rule.block(shape, range(start, stop), range(keys), device=scores.device)
            scores = scores.masked_fill(~table, torch.finfo(scores.dtype).min)
        largest, places = _largest(scores, min(top, keys))
        peak = largest[..., :1]
        shifted = scores - peak
        shares = shifted.exp()
        total = shares.sum(-1, keepdim=True)
        somewhere = peak > torch.finfo(scores.dtype).min
        norm = torch.where(somewhere, 1 / total, 0)
        # -sum p log p, where p = exp(shifted) / total
        spread = torch.linalg.vecdot(shares, shifted)[..., None]
        entropy = (total.log() - spread * norm) * somewhere
        own = torch.arange(start, stop, device=scores.device) + keys - queries
        place = own.clamp(min=0).expand(shares.shape[:-1])[..., None]
        itself = shares.gather(-1, place) * norm * (own >= 0)[:, None]
        watched = (shares[..., list(watch)] * norm).sum(-1, keepdim=True)
        received = received + (norm.mT @ shares).squeeze(-2)
        parts.append((entropy, (largest - peak).exp() * norm, places, itself, watched))
    entropy, largest, places, itself, watched = map(
        partial(torch.cat, dim=-2), zip(*parts, strict=True)
    )
    return Summary(
        entropy.squeeze(-1), largest, places, itself.squeeze(-1), watched.squeeze(-1), received
    )


def _largest(
    scores: Float[Tensor, "*batch queries keys"], top: int
) -> tuple[Float[Tensor, "*batch queries top"], Int[Tensor, "*batch queries top"]]:
    """`scores.topk(top)`, several times as fast: the best are within the chunks with the best."""
    keys = scores.shape[-1]
    whole = keys - keys % CHUNK
    if whole <= top * CHUNK:
        best, places = scores.topk(top)
        return best, places
    chunks = scores[..., :whole].unflatten(-1, (-1, CHUNK)).amax(-1).topk(top).indices
    within = torch.arange(CHUNK, device=scores.device)
    candidates = (chunks[..., None] * CHUNK + within).flatten(-2)
    tail = torch.arange(whole, keys, device=scores.device)
    candidates = torch.cat((candidates, tail.expand(*candidates.shape[:-1], -1)), dim=-1)
    best, ranks = scores.gather(-1, candidates).topk(top)
    return best, candidates.gather(-1, ranks)
