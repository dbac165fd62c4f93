"""queries, keys -> what a long attention did, without ever holding all its weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.attention.allowed import as_allowed
from regard.attention.attend import Rule, check_temperature
from regard.attention.scores import Score, scaled_dot

BLOCK = 1 << 21
"""How many weights exist at once."""

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
    wide = torch.promote_types(query.dtype, torch.float32)
    room = [torch.empty(0, dtype=wide, device=query.device) for _ in range(2)]
    received = torch.zeros(*shape[:-2], keys, dtype=wide, device=query.device)
    parts = []
    for start in range(0, queries or 1, rows):
        stop = min(start + rows, queries)
        scores = score(query[..., start:stop, :], key)
        if temperature != 1.0:
            scores = scores / temperature
        if rule is not None:
            table = rule.block(shape, range(start, stop), range(keys), device=scores.device)
            scores = scores.masked_fill(~table, torch.finfo(scores.dtype).min)
        own = torch.arange(start, stop, device=scores.device) + keys - queries
        *found, norm, shares = _of_block(scores, own, min(top, keys), list(watch), *room)
        received += (norm.mT @ shares).squeeze(-2)
        parts.append(found)
    entropy, largest, places, itself, watched = (
        torch.cat(part, dim=-2) for part in zip(*parts, strict=True)
    )
    return Summary(
        entropy.squeeze(-1), largest, places, itself.squeeze(-1), watched.squeeze(-1), received
    )


def _of_block(
    scores: Float[Tensor, "*batch queries keys"],
    own: Int[Tensor, " queries"],
    top: int,
    watch: list[int],
    shifted: Tensor,
    shares: Tensor,
) -> tuple[Float[Tensor, "*batch queries _"] | Int[Tensor, "*batch queries _"], ...]:
    """Entropy, largest weights, their places, weight on itself, on those watched; norm and shares.

    Weights are `shares` times `norm`. The two last arguments are room to work in: buffers that are
    asked for anew in each block take longer than what is done in them.
    """
    largest, places = _largest(scores, top)
    peak = largest[..., :1]
    torch.sub(scores, peak, out=shifted.resize_(scores.shape))
    torch.exp(shifted, out=shares.resize_(scores.shape))
    total = shares.sum(-1, keepdim=True)
    somewhere = peak > torch.finfo(scores.dtype).min
    norm = torch.where(somewhere, 1 / total, 0)
    # -sum p log p, where p = exp(shifted) / total
    spread = shifted.mul_(shares).sum(-1, keepdim=True) * norm
    entropy = (total.log() - spread) * somewhere
    place = own.clamp(min=0).expand(shares.shape[:-1])[..., None]
    itself = shares.gather(-1, place) * norm * (own >= 0)[:, None]
    watched = (shares[..., watch] * norm).sum(-1, keepdim=True)
    return entropy, (largest - peak).exp() * norm, places, itself, watched, norm, shares


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
