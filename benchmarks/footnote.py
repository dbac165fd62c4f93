"""Scores as d_k grows (Vaswani et al. 2017, 3.2.1 and footnote 4), in a Transformer that learns.

    python benchmarks/footnote.py [--output FILE] [--picture FILE] [--json FILE]

A small Transformer with one head learns the phrasebook with each of three scores: the dot product,
the same over sqrt(d_k), and v^T tanh(q + k), which is additive attention, W^Q and W^K being its two
matrices. Nothing else differs. W^Q and W^K begin with values that keep the variance of what goes
through them, so that queries and keys have variance 1, as the footnote assumes.
"""

import argparse
import math
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import torch
from chart import chart
from report import files, keep
from torch import Tensor, nn

from regard.attention import Attention, MultiHead, Score, dot, scaled_dot
from regard.data.batch import Batch
from regard.data.corpus import DataOptions, PhrasebookOptions, held_out_text, training_text
from regard.data.encode import Encoder
from regard.data.examples import Examples
from regard.data.stream import Stream
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.models.encoder_decoder import EncoderDecoder
from regard.text.pieces import Pieces
from regard.train.optimiser import adam
from regard.train.schedule import learning_rate
from regard.train.step import Learner, batch_loss, update

WIDTHS = [4, 16, 64, 256]
UPDATES, BATCH, WARMUP = 400, 600, 200
SEEDS = 2


class Sum(nn.Module):
    """v^T tanh(q + k)."""

    def __init__(self, d_k: int):
        super().__init__()
        self.vector = nn.Parameter(torch.randn(d_k) * d_k**-0.5)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """How well each query and key match."""
        return (query[..., :, None, :] + key[..., None, :, :]).tanh() @ self.vector


SCORES: dict[str, Callable[[int], Score]] = {
    "dot": lambda _d_k: dot,
    "scaled_dot": lambda _d_k: scaled_dot,
    "additive": Sum,
}


def model_with(name: str, d_k: int, rows: int, seed: int) -> EncoderDecoder:
    """The same model but for its scores."""
    config = TransformerConfig(
        d_model=128,
        d_ff=256,
        heads=1,
        d_k=d_k,
        d_v=128,
        encoder_layers=2,
        decoder_layers=2,
        dropout=0.0,
    )
    torch.manual_seed(seed)
    model = build(config, source_rows=rows, target_rows=rows)
    for module in model.modules():
        if isinstance(module, MultiHead):
            nn.init.normal_(module.into_heads.weight[: 2 * d_k].detach(), std=128**-0.5)
    for module in model.modules():
        if isinstance(module, Attention):
            module.score = SCORES[name](d_k)
    return model


def largest_weights(model: EncoderDecoder, batch: Batch) -> float:
    """The mean over all queries of all attentions of a query's largest weight."""
    found: list[Tensor] = []

    def catch(module: Any, inputs: tuple[Tensor, ...], options: dict[str, Any]) -> None:
        found.append(module.weights(*inputs[:2], **options).amax(-1).flatten())

    hooks = [
        module.register_forward_pre_hook(catch, with_kwargs=True)
        for module in model.modules()
        if isinstance(module, Attention)
    ]
    with torch.no_grad():
        model.states(batch)
    for hook in hooks:
        hook.remove()
    return float(torch.cat(found).mean())


def corpus() -> tuple[Examples, Batch, int]:
    """What is learnt, what is judged by, and how many pieces there are."""
    data = DataOptions(phrasebook=PhrasebookOptions(pairs=20_000))
    pairs, held_out = list(training_text(data)[0].read(print)), held_out_text(data, print)["dev"]
    pieces = Pieces.learn([text for pair in pairs for text in pair], size=1500)
    encoder = Encoder(source=pieces, target=pieces, longest=256, ratio=9.0)
    examples, judged = encoder(pairs).examples, encoder(held_out).examples
    return examples, Batch.of(judged, np.arange(len(judged))), len(pieces)


def learn(name: str, d_k: int, seed: int, examples: Examples, judged: Batch, rows: int) -> dict:
    """The largest weights at first, and the perplexity at the end."""
    model = model_with(name, d_k, rows, seed)
    found = {"largest": largest_weights(model, judged)}
    optimiser = adam(model)
    learner = Learner(model, label_smoothing=0.1)
    order = Stream(examples, pieces=BATCH, seed=seed).batches()
    for step, chosen in enumerate(islice(order, UPDATES), start=1):
        rate = learning_rate(step, d_model=128, warmup=WARMUP)
        update(learner, [Batch.of(examples, chosen)], optimiser, rate=rate)
    with torch.no_grad():
        loss = float(batch_loss(model, judged, label_smoothing=0.0).unsmoothed)
    found["perplexity"] = math.exp(loss / int(judged.target_out.real.sum()))
    return found


def as_text(found: dict[str, Any]) -> str:
    """The table of the page of results."""
    lines = [
        "| d_k | score | largest weight at first | perplexity at the end, each run |",
        "| --- | --- | --- | --- |",
    ]
    for d_k in WIDTHS:
        for name in SCORES:
            runs = found[name][str(d_k)]
            perplexities = ", ".join(f"{run['perplexity']:.2f}" for run in runs)
            largest = sum(run["largest"] for run in runs) / len(runs)
            lines.append(f"| {d_k} | {name} | {largest:.2f} | {perplexities} |")
    return "\n".join(lines)


def main() -> None:
    """Learn with each score at each width."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    files(parser)
    given = parser.parse_args()
    examples, judged, rows = corpus()
    found: dict[str, dict[str, list[dict[str, float]]]] = {}
    for d_k in WIDTHS:
        for name in SCORES:
            runs = [learn(name, d_k, seed, examples, judged, rows) for seed in range(SEEDS)]
            found.setdefault(name, {})[str(d_k)] = runs
            print(d_k, name, runs, flush=True)
    logs = {
        name: [
            sum(math.log(run["perplexity"]) for run in runs) / len(runs) for runs in rows.values()
        ]
        for name, rows in found.items()
    }
    marks = [(math.log(value), str(value)) for value in (1, 2, 4, 8, 16, 32, 64)]
    picture = chart(
        "Perplexity after learning, over d_k", [str(d_k) for d_k in WIDTHS], logs, marks
    )
    keep(given, found, as_text(found), picture)


if __name__ == "__main__":
    main()
