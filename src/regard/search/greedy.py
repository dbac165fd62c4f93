"""The likeliest next piece, again and again."""

from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from regard.search.hypothesis import Hypothesis
from regard.search.protocol import Decoder, Observer, Step
from regard.text.pieces import BOS, EOS


def greedy_search(
    decoder: Decoder,
    state: Any,
    limits: Int[Tensor, " sentences"],
    *,
    observer: Observer | None = None,
) -> list[Hypothesis]:
    """One hypothesis a sentence.

    Args:
        decoder: Says what may come next.
        state: Its state before the first step, one row a sentence.
        limits: The most pieces that each sentence's hypothesis may have, EOS counted.
        observer: Is shown every step.

    Returns:
        The hypotheses, in the order of the sentences; their score is their log-probability.
    """
    pieces: list[list[int]] = [[] for _ in limits]
    log_probs = [0.0] * len(limits)
    ended = [False] * len(limits)
    alive = torch.arange(len(limits), device=limits.device)
    latest = torch.full_like(limits, BOS)
    while len(alive):
        logits, state = decoder.step(latest, state)
        best, latest = logits.max(1)
        gain = best - logits.logsumexp(1)
        if observer:
            log_prob = gain + gain.new_tensor([log_probs[i] for i in alive.tolist()])
            parents = torch.zeros_like(latest)
            observer(Step(alive, parents[:, None], latest[:, None], log_prob[:, None]))
        going = []
        for row, (i, piece) in enumerate(zip(alive.tolist(), latest.tolist(), strict=True)):
            log_probs[i] += float(gain[row])
            if piece == EOS:
                ended[i] = True
                continue
            pieces[i].append(piece)
            if len(pieces[i]) < limits[i]:
                going.append(row)
        if len(going) < len(alive):
            rows = torch.tensor(going, dtype=alive.dtype, device=alive.device)
            alive, latest, state = alive[rows], latest[rows], state.only(rows)
    return [
        Hypothesis(tuple(found), log_prob, log_prob, end)
        for found, log_prob, end in zip(pieces, log_probs, ended, strict=True)
    ]
