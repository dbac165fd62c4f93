"""Beam search with a length penalty (Wu et al. 2016, section 7; Vaswani et al. 2017, 6.1)."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.search.hypothesis import Hypothesis, SearchOptions
from regard.search.protocol import Decoder, Observer, Step
from regard.search.rules import Past, Rule
from regard.text.pieces import BOS, EOS

NEVER = -1e30
"""The log-probability of what must not be chosen; finite, so that no difference is NaN."""
IDLE = 8
"""Sentences that are done leave when they are one in so many: each time, all others are copied."""
CACHED = 32
"""Rows that are summed at once: few enough to stay near the processor."""
STRETCH = 64
"""Pieces of the vocabulary that are first represented by the likeliest of them."""


def beam_search(
    decoder: Decoder,
    state: Any,
    limits: Int[Tensor, " sentences"],
    options: SearchOptions,
    *,
    rules: Sequence[Rule] = (),
    observer: Observer | None = None,
) -> list[list[Hypothesis]]:
    """The best hypotheses of each sentence; a beam of one is greedy search.

    At each step the 2 * beam likeliest continuations are weighed, as in tensor2tensor. Of the first
    `beam`, those that end are compared with the best that have ended so far; the best `beam` of all
    that do not end go on. A sentence is done when no hypothesis that goes on could still be among
    the best, however long it grows. (tensor2tensor lets those end too that come after the first
    `beam`; then a beam of one would not be greedy search.)

    Args:
        decoder: Says what may come next.
        state: Its state before the first step, one row a sentence.
        limits: The most pieces that each sentence's hypothesis may have, EOS counted.
        options: Beam, how many are asked for, length penalty, and when to stop.
        rules: What must not come next.
        observer: Is shown every step.

    Returns:
        The hypotheses of each sentence, best first: at most `options.best`, at least one. If none
        ended within the limit, they are the best of those that were going on, marked as not ended.
    """
    found: list[list[Hypothesis]] = [[] for _ in limits]
    longest: list[int] = limits.tolist()
    open_ = [True] * len(longest)
    alive = torch.arange(len(longest), device=limits.device)  # sentences still searched
    sums = torch.zeros(len(longest), 1, device=limits.device)  # sentences hypotheses
    pieces = torch.full((len(longest), 1, 1), BOS, device=limits.device)
    weighed = 2 * options.beam if options.beam > 1 else 1
    asked = options.best if options.stop == "safe" else 1
    length = 0

    while len(alive):
        length += 1
        logits, state = decoder.step(pieces[:, :, -1].flatten(), state)
        past = Past(alive, pieces[:, :, 1:])
        parents, nexts, log_probs = _weigh(logits, sums, past, rules, weighed)
        if observer:
            observer(Step(alive, parents, nexts, log_probs))

        before, ids = (sums, pieces), alive.tolist()
        ends = nexts == EOS
        for row, rank in (ends & (log_probs > NEVER / 2))[:, : options.beam].nonzero().tolist():
            if open_[ids[row]]:
                log_prob = float(log_probs[row, rank])
                words = pieces[row, parents[row, rank], 1:].tolist()
                score = options.penalised(log_prob, length)
                best = [*found[ids[row]], Hypothesis(tuple(words), log_prob, score, ended=True)]
                best.sort(key=lambda hypothesis: -hypothesis.score)
                found[ids[row]] = best[: options.best]

        sums, ranks = log_probs.masked_fill(ends, NEVER).topk(options.beam)
        parents, nexts = parents.gather(1, ranks), nexts.gather(1, ranks)
        first = torch.arange(len(alive), device=alive.device)[:, None]
        state = state.reorder((first * pieces.shape[1] + parents).flatten())
        pieces = torch.cat((pieces[first, parents], nexts[:, :, None]), dim=2)

        for row, (i, best) in enumerate(zip(ids, sums[:, 0].tolist(), strict=True)):
            if not open_[i]:
                continue
            dead = not best > NEVER / 2
            if length < longest[i] and not dead:
                bound = options.penalised(best, longest[i])
                open_[i] = len(found[i]) < asked or found[i][asked - 1].score < bound
                continue
            open_[i] = False
            if not found[i]:
                left = before if dead else (sums, pieces)
                found[i] = _unended(left[0][row], left[1][row, :, 1:], options)
        going = [row for row, i in enumerate(ids) if open_[i]]
        if not going or (len(alive) - len(going)) * (1 if observer else IDLE) >= len(alive):
            rows = torch.tensor(going, dtype=alive.dtype, device=alive.device)
            alive, sums, pieces = alive[rows], sums[rows], pieces[rows]
            state = state.only(rows)
    return found


def _unended(
    sums: Float[Tensor, " hypotheses"],
    pieces: Int[Tensor, "hypotheses length"],
    options: SearchOptions,
) -> list[Hypothesis]:
    return [
        Hypothesis(tuple(ids), log_prob, options.penalised(log_prob, max(1, len(ids))), ended=False)
        for ids, log_prob in zip(pieces.tolist()[: options.best], sums.tolist(), strict=False)
        if not log_prob <= NEVER / 2  # what is not a number is shown too
    ]


def _weigh(
    logits: Float[Tensor, "rows vocabulary"],
    sums: Float[Tensor, "sentences hypotheses"],
    past: Past,
    rules: Sequence[Rule],
    count: int,
) -> tuple[
    Int[Tensor, "sentences candidates"],
    Int[Tensor, "sentences candidates"],
    Float[Tensor, "sentences candidates"],
]:
    """Parent, next piece and log-probability of the likeliest continuations, best first.

    There are always `count`: a small vocabulary is filled up with what must not be chosen.
    """
    each = min(count, logits.shape[1])
    total = torch.cat([part.logsumexp(1, keepdim=True) for part in logits.split(CACHED)])
    best, nexts = top(lawful(logits, past, rules), each)
    log_probs = ((best - total).unflatten(0, sums.shape) + sums[:, :, None]).flatten(1)
    nexts = nexts.unflatten(0, sums.shape).flatten(1)
    missing = max(0, count - log_probs.shape[1])
    log_probs = torch.nn.functional.pad(log_probs, (0, missing), value=NEVER)
    nexts = torch.nn.functional.pad(nexts, (0, missing), value=BOS)
    log_probs, places = log_probs.topk(count)
    parents = (places // each).clamp(max=sums.shape[1] - 1)
    return parents, nexts.gather(1, places), log_probs


def lawful(
    logits: Float[Tensor, "rows vocabulary"], past: Past, rules: Sequence[Rule]
) -> Float[Tensor, "rows vocabulary"]:
    """The logits, with `NEVER` for what a rule forbids."""
    for rule in rules:
        forbidden = rule(past, logits.shape[1])
        if forbidden is not None:
            table = logits.unflatten(0, past.pieces.shape[:2]).masked_fill(forbidden, NEVER)
            logits = table.flatten(0, 1)
    return logits


def top(
    x: Float[Tensor, "rows vocabulary"], count: int
) -> tuple[Float[Tensor, "rows candidates"], Int[Tensor, "rows candidates"]]:
    """`x.topk(count)`; long rows are first reduced to the stretches with the largest maxima.

    Each of the `count` largest numbers is in one of the `count` stretches whose maxima are largest.
    """
    stretches = x.shape[1] // STRETCH
    if stretches <= 2 * count or x.device.type != "cpu":
        return x.topk(count)
    whole = x[:, : stretches * STRETCH].unflatten(1, (stretches, STRETCH))
    chosen = whole.amax(2).topk(count, sorted=False).indices[:, :, None]
    places = chosen * STRETCH + torch.arange(STRETCH)
    rest = torch.arange(stretches * STRETCH, x.shape[1]).expand(len(x), -1)
    places = torch.cat((places.flatten(1), rest), dim=1)
    best, order = x.gather(1, places).topk(count)
    return best, places.gather(1, order)
