"""queries, keys -> what a long attention did, without ever holding all its weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.attention.allowed import as_allowed
from regard.attention.attend import Rule, check_temperature
from regard.attention.scores import Additive, Learned, Score, scaled_dot

BLOCK = 1 << 21
"""How many weights exist at once; of an additive score, how many numbers inside it."""

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
    inner = len(score.vector) if isinstance(score, Additive) else 1
    rows = max(1, BLOCK // max(1, shape[:-2].numel() * keys * inner))
    if isinstance(score, Learned):  # its matrices once, not for each block
        query, key, score = score.queries(query), score.keys(key), score.compare
    wide = torch.promote_types(query.dtype, torch.float32)
    top = min(top, keys)

    def empty(*sizes: int, dtype: torch.dtype = wide) -> Tensor:
        return torch.empty(sizes, dtype=dtype, device=query.device)

    found = Summary(
        entropy=empty(*shape[:-1]),
        largest=empty(*shape[:-1], top),
        places=empty(*shape[:-1], top, dtype=torch.int64),
        own=empty(*shape[:-1]),
        watched=empty(*shape[:-1]),
        received=empty(*shape[:-2], keys).zero_(),
    )
    # asking for buffers of this size anew in each block takes longer than what is done in them
    shifted, shares = empty(0), empty(0)
    for start in range(0, queries, rows):
        stop = min(start + rows, queries)
        scores = score(query[..., start:stop, :], key)
        if temperature != 1.0:
            scores = scores / temperature
        if rule is not None:
            table = rule.block(shape, slice(start, stop), slice(0, keys), device=scores.device)
            scores = scores.masked_fill(~table, torch.finfo(scores.dtype).min)
        largest, places = _largest(scores, top)
        peak = largest[..., :1]
        torch.sub(scores, peak, out=shifted.resize_(scores.shape))
        shifted.clamp_(min=torch.finfo(scores.dtype).min)  # 0 times infinity is NaN
        torch.exp(shifted, out=shares.resize_(scores.shape))
        total = shares.sum(-1)
        somewhere = peak[..., 0] > torch.finfo(scores.dtype).min
        norm = torch.where(somewhere, 1 / total, 0)  # weights are shares * norm
        # -sum p log p, where p = exp(shifted) / total
        spread = shifted.mul_(shares).sum(-1) * norm
        own = torch.arange(start, stop, device=scores.device) + keys - queries
        place = own.clamp(min=0).expand(norm.shape)[..., None]
        here = slice(start, stop)
        found.entropy[..., here] = (total.log() - spread) * somewhere
        found.largest[..., here, :] = (largest - peak).exp() * norm[..., None]
        found.places[..., here, :] = places
        found.own[..., here] = shares.gather(-1, place)[..., 0] * norm * (own >= 0)
        found.watched[..., here] = shares[..., list(watch)].sum(-1) * norm
        found.received.add_((norm[..., None, :] @ shares)[..., 0, :])
    return found


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
