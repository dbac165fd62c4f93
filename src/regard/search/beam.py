"""Beam search with a length penalty (Wu et al. 2016, section 7; Vaswani et al. 2017, 6.1)."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.search.hypothesis import Hypothesis, SearchOptions
from regard.search.protocol import Decoder, Observer, Step
from regard.text.pieces import BOS, EOS

NEVER = -1e30
"""The log-probability of what must not be chosen; finite, so that no difference is NaN."""


def beam_search(
    decoder: Decoder,
    state: Any,
    limits: Int[Tensor, " sentences"],
    options: SearchOptions,
    *,
    observer: Observer | None = None,
) -> list[Hypothesis]:
    """The best hypothesis of each sentence.

    At each step the 2 * beam likeliest continuations are weighed, as in tensor2tensor. Of the first
    `beam`, those that end are compared with the best that has ended so far; the best `beam` of all
    that do not end go on. A sentence is done when no hypothesis that goes on could still win,
    however long it grows. (tensor2tensor lets those end too that come after the first `beam`; then
    a beam of one would not be greedy search.)

    Args:
        decoder: Says what may come next.
        state: Its state before the first step, one row a sentence.
        limits: The most pieces that each sentence's hypothesis may have, EOS counted.
        options: Beam and length penalty.
        observer: Is shown every step.

    Returns:
        The hypotheses, in the order of the sentences. If none ended within the limit, the best of
        those that were going on, marked as not ended.
    """
    found: list[Hypothesis | None] = [None] * len(limits)
    alive = torch.arange(len(limits), device=limits.device)  # sentences still searched
    sums = torch.zeros(len(limits), 1, device=limits.device)  # sentences hypotheses
    pieces = torch.full((len(limits), 1, 1), BOS, device=limits.device)
    longest: list[int] = limits.tolist()
    length = 0
    while len(alive):
        length += 1
        logits, state = decoder.step(pieces[:, :, -1].flatten(), state)
        parents, nexts, log_probs = _candidates(logits, sums, 2 * options.beam)
        if observer:
            observer(Step(alive, parents, nexts, log_probs))

        ends = nexts == EOS
        for row, rank in ends[:, : options.beam].nonzero().tolist():
            log_prob = float(log_probs[row, rank])
            old = found[int(alive[row])]
            score = options.penalised(log_prob, length)
            if old is None or score > old.score:
                words = pieces[row, parents[row, rank], 1:].tolist()
                found[int(alive[row])] = Hypothesis(tuple(words), log_prob, score, ended=True)

        sums, ranks = log_probs.masked_fill(ends, NEVER).topk(options.beam)
        parents, nexts = parents.gather(1, ranks), nexts.gather(1, ranks)
        first = torch.arange(len(alive), device=alive.device)[:, None]
        state = state.reorder((first * pieces.shape[1] + parents).flatten())
        pieces = torch.cat((pieces[first, parents], nexts[:, :, None]), dim=2)

        going = []
        for row, (i, best) in enumerate(zip(alive.tolist(), sums[:, 0].tolist(), strict=True)):
            old, limit = found[i], longest[i]
            if length < limit:
                if old is None or old.score < options.penalised(best, limit):
                    going.append(row)
            elif old is None:
                score = options.penalised(best, length)
                found[i] = Hypothesis(tuple(pieces[row, 0, 1:].tolist()), best, score, ended=False)
        if len(going) < len(alive):
            rows = torch.tensor(going, dtype=alive.dtype, device=alive.device)
            alive, sums, pieces = alive[rows], sums[rows], pieces[rows]
            state = state.only(rows)
    return [hypothesis for hypothesis in found if hypothesis is not None]


def _candidates(
    logits: Float[Tensor, "rows vocabulary"],
    sums: Float[Tensor, "sentences hypotheses"],
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
    best, nexts = logits.topk(each)
    best = best - logits.logsumexp(1, keepdim=True)
    log_probs = (best.unflatten(0, sums.shape) + sums[:, :, None]).flatten(1)
    nexts = nexts.unflatten(0, sums.shape).flatten(1)
    missing = max(0, count - log_probs.shape[1])
    log_probs = torch.nn.functional.pad(log_probs, (0, missing), value=NEVER)
    nexts = torch.nn.functional.pad(nexts, (0, missing), value=BOS)
    log_probs, places = log_probs.topk(count)
    parents = (places // each).clamp(max=sums.shape[1] - 1)
    return parents, nexts.gather(1, places), log_probs
