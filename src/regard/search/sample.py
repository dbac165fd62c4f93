"""Pieces drawn by chance, each as likely as the model says: sampling."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.search.beam import NEVER, lawful
from regard.search.hypothesis import Hypothesis, SearchOptions
from regard.search.protocol import Decoder, Observer, Step
from regard.search.rules import Past, Rule
from regard.text.pieces import BOS, EOS


@dataclass(frozen=True, kw_only=True)
class SampleOptions:
    """What is drawn from.

    Attributes:
        temperature: What logits are divided by: below 1 the likeliest grow likelier.
        top_k: Only so many of the likeliest pieces; all if 0 (Fan et al. 2018).
        top_p: Only the likeliest that together have this probability (Holtzman et al. 2020).
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self):
        if not 0.001 <= self.temperature <= 1000:
            raise ValueError(f"temperature {self.temperature} must be between 0.001 and 1000")
        if self.top_k < 0:
            raise ValueError(f"top_k {self.top_k} must not be negative")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p {self.top_p} must be above 0 and at most 1")


def sample(
    decoder: Decoder,
    state: Any,
    limits: Int[Tensor, " sentences"],
    options: SearchOptions,
    sampling: SampleOptions,
    generators: Sequence[torch.Generator],
    *,
    rules: Sequence[Rule] = (),
    observer: Observer | None = None,
) -> list[list[Hypothesis]]:
    """`options.best` hypotheses of each sentence, drawn independently.

    Args:
        decoder: Says what may come next.
        state: Its state before the first step, one row a sentence.
        limits: The most pieces that each sentence's hypothesis may have, EOS counted.
        options: How many are asked for, and the length penalty.
        sampling: What is drawn from.
        generators: One a sentence, on the CPU, so that neighbours do not matter.
        rules: What must not come next.
        observer: Is shown every step.

    Returns:
        The hypotheses of each sentence, best first; those that met the limit are marked. Their
        log-probabilities are the model's, whatever was drawn from.
    """
    found: list[list[Hypothesis]] = [[] for _ in limits]
    longest: list[int] = limits.tolist()
    alive = torch.arange(len(longest), device=limits.device)
    state = state.reorder(alive.repeat_interleave(options.best))
    sums = torch.zeros(len(longest), options.best, device=limits.device)
    pieces = torch.full((*sums.shape, 1), BOS, device=limits.device)
    gone = torch.zeros_like(sums, dtype=torch.bool)  # sentences hypotheses
    parents = torch.arange(options.best, device=limits.device)
    length = 0
    while len(alive):
        length += 1
        logits, state = decoder.step(pieces[:, :, -1].flatten(), state)
        ids = alive.tolist()
        chances = _chances(lawful(logits, Past(alive, pieces[:, :, 1:]), rules), sampling)
        points = [torch.rand(options.best, 1, generator=generators[i]) for i in ids]
        nexts = _at(chances, torch.cat(points).to(chances)).view(sums.shape)
        log_probs = logits.log_softmax(1).gather(1, nexts.view(-1, 1)).view(sums.shape)
        sums = sums + log_probs
        pieces = torch.cat((pieces, nexts[:, :, None]), dim=2)
        if observer:
            observer(Step(alive, parents.expand(sums.shape), nexts, sums))
        limit = limits[alive, None] <= length
        ends = (nexts == EOS) & ~gone
        for row, rank in ((ends | limit) & ~gone).nonzero().tolist():
            ended = bool(ends[row, rank])
            words = pieces[row, rank, 1 : length + 1 - ended].tolist()
            log_prob = float(sums[row, rank])
            score = options.penalised(log_prob, length)
            found[ids[row]].append(Hypothesis(tuple(words), log_prob, score, ended))
        gone = gone | ends | limit
        if gone.all(1).any():
            rows = (~gone.all(1)).nonzero().flatten()
            alive, sums, pieces, gone = alive[rows], sums[rows], pieces[rows], gone[rows]
            state = state.only(rows)
    return [sorted(several, key=lambda hypothesis: -hypothesis.score) for several in found]


def _chances(
    logits: Float[Tensor, "rows vocabulary"], sampling: SampleOptions
) -> Float[Tensor, "rows vocabulary"]:
    """What is drawn from, in the order of the vocabulary; not yet normalised."""
    logits = (logits / sampling.temperature).clamp(min=NEVER)
    if sampling.top_k and sampling.top_k < logits.shape[1]:
        least = logits.topk(sampling.top_k).values[:, -1:]
        logits = logits.masked_fill(logits < least, NEVER)
    chances = logits.softmax(1)
    if sampling.top_p < 1:
        ranked, order = chances.sort(dim=1, descending=True, stable=True)
        beyond = ranked.cumsum(1) - ranked >= sampling.top_p
        chances = chances.scatter(1, order, ranked.masked_fill(beyond, 0.0))
    return chances


def _at(
    chances: Float[Tensor, "rows vocabulary"], points: Float[Tensor, "rows 1"]
) -> Int[Tensor, "rows 1"]:
    """The piece in whose share of the whole a point of [0, 1) lies."""
    reached = chances.double().cumsum(1)
    return torch.searchsorted(reached, points.double() * reached[:, -1:], right=True).clamp(
        max=chances.shape[1] - 1
    )
