"""contender, synthetic pairs -> real pieces a second of a whole training step, beside its peers.

A step is: draw a batch, forward, loss with label smoothing, backward, Adam. Every contender gets
the very same batches, padding included, in a process of its own; the contenders take turns, and
the machine's float32 peak is measured in each process, so that a slow hour of the machine is seen.
"""

import argparse
import json
import math
import os
import platform
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.data.batch import Batch
from regard.data.pairs import Examples, Ragged
from regard.data.stream import Stream
from regard.layers import sinusoids
from regard.models.build import TransformerConfig, build
from regard.models.sizes import multiplications
from regard.text.pieces import BOS, EOS, PAD, UNK
from regard.train.memory import keep_freed_memory
from regard.train.optimiser import adam
from regard.train.step import update

RATE, SMOOTHING, LONGEST = 1e-4, 0.1, 150
DISTURBED = 0.05  # cores used by other processes

Step = Callable[[Batch], float]
"""One whole update; returns the smoothed loss per target piece that it saw."""


@dataclass(frozen=True)
class Size:
    """A model's shape, its vocabulary and batches, and how many steps a measurement takes."""

    config: TransformerConfig
    rows: int
    pieces: int
    warmup: int
    steps: int


LITTLE = TransformerConfig(d_model=128, d_ff=256, heads=4, encoder_layers=4, decoder_layers=4)
SIZES = {
    "tiny": Size(LITTLE, rows=8_000, pieces=4_096, warmup=4, steps=40),
    "base": Size(TransformerConfig.base(), rows=32_000, pieces=2_000, warmup=2, steps=8),
}

NOTES = """\
- **regard**: `regard.train.step.update`; logits at real positions only. Its label smoothing is \
shared among V - 1 pieces, the others' among V. It also computes the gradient's norm.
- **torch**: a plain loop over `torch.nn.Transformer`; logits at padding too, left out by \
`ignore_index`. The module has one dropout for everything and closing norms; here attention and \
inner dropout are set to 0 and the closing norms taken off after construction, so that the work is \
the same. Untouched, it would do more.
- **marian**: transformers' `MarianMTModel` with PyTorch's fused attention; logits at padding too, \
and a bias that is always zero is added to them.
- All: dropout 0.1 on embeddings and sub-layers, none on attention weights or inside the networks; \
one matrix for both embeddings and the output; post-norm; float32; the same fused Adam.
- Pieces are real ones, source and target, EOS counted. FLOP are those of real pieces alone: six a \
multiply-add (forward, and two products backward). The peak is that of `torch.mm`, 4096 x 4096, \
best of 3, in the same process, after the steps. Memory is the process's largest, PyTorch included.
- (d): disturbed, other processes used more than 0.05 cores during the steps."""


def synthetic(rows: int, *, pairs: int = 20_000, seed: int = 1) -> Examples:
    """Pairs that are like text in their lengths (mean 25, log-normal) and in Zipf's law."""
    generator = np.random.default_rng(seed)
    source = generator.lognormal(math.log(25) - 0.55**2 / 2, 0.55, pairs)
    target = source * generator.lognormal(0.03, 0.15, pairs)
    chances = 1 / (np.arange(rows - UNK - 1) + 2.7)
    chances /= chances.sum()

    def side(lengths: np.ndarray) -> Ragged:
        lengths = lengths.round().clip(1, LONGEST).astype(int)
        ids = UNK + 1 + generator.choice(len(chances), size=lengths.sum(), p=chances)
        return Ragged.of([[*row, EOS] for row in np.split(ids, lengths.cumsum()[:-1])])

    return Examples(side(source), side(target))


def regard_step(size: Size) -> tuple[nn.Module, Step]:
    """Regard, as `regard train` runs it."""
    keep_freed_memory()
    model = build(size.config, source_rows=size.rows, target_rows=size.rows).train()
    optimiser = adam(model)

    def step(batch: Batch) -> float:
        result = update(
            model, [batch], optimiser, rate=RATE, label_smoothing=SMOOTHING, clip=0.0
        )  # fmt: skip
        return result.loss

    return model, step


class Plain(nn.Module):
    """What one writes around torch.nn.Transformer: embeddings, sinusoids, masks, output."""

    places: Tensor

    def __init__(self, rows: int, config: TransformerConfig):
        super().__init__()
        d = config.d_model
        self.table = nn.Embedding(rows, d)
        nn.init.normal_(self.table.weight, std=d**-0.5)
        self.register_buffer("places", sinusoids(LONGEST + 1, d))
        self.dropout = nn.Dropout(config.dropout)
        layers = config.encoder_layers, config.decoder_layers
        self.transformer = nn.Transformer(
            d, config.heads, *layers, config.d_ff, config.dropout, batch_first=True
        )
        self.transformer.encoder.norm = self.transformer.decoder.norm = None
        for part in self.transformer.modules():
            if isinstance(part, nn.MultiheadAttention):
                part.dropout = 0.0
            elif isinstance(part, (nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)):
                part.dropout.p = 0.0

    def embed(self, ids: Tensor) -> Tensor:
        """Ids to vectors with their places."""
        x = self.table(ids) * math.sqrt(self.table.embedding_dim)
        return self.dropout(x + self.places[: ids.shape[1]])

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Logits at every position of the target."""
        padding = source == PAD
        states = self.transformer(
            self.embed(source),
            self.embed(target),
            tgt_mask=torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1),
            tgt_is_causal=True,  # no padding mask: a causal look from a real place meets no padding
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        return states @ self.table.weight.T


def torch_step(size: Size) -> tuple[nn.Module, Step]:
    """A plain loop over torch.nn.Transformer."""
    model = Plain(size.rows, size.config)
    return model, plain_loop(model, lambda batch: model(batch.source.ids, batch.target_in.ids))


def marian_step(size: Size) -> tuple[nn.Module, Step]:
    """The same loop over transformers' MarianMTModel."""
    from transformers import MarianConfig, MarianMTModel  # pyright: ignore[reportMissingImports]

    c = size.config
    config = MarianConfig(
        vocab_size=size.rows, d_model=c.d_model, max_position_embeddings=LONGEST + 1,
        encoder_layers=c.encoder_layers, encoder_attention_heads=c.heads, encoder_ffn_dim=c.d_ff,
        decoder_layers=c.decoder_layers, decoder_attention_heads=c.heads, decoder_ffn_dim=c.d_ff,
        activation_function="relu", scale_embedding=True, dropout=c.dropout,
        attention_dropout=c.attention_dropout, activation_dropout=c.activation_dropout,
        pad_token_id=PAD, eos_token_id=EOS, bos_token_id=BOS, decoder_start_token_id=BOS,
        use_cache=False,
    )  # fmt: skip
    model = cast("nn.Module", MarianMTModel(config).train())

    def logits(batch: Batch) -> Tensor:
        source = batch.source
        return model(
            input_ids=source.ids, attention_mask=source.real, decoder_input_ids=batch.target_in.ids
        ).logits

    return model, plain_loop(model, logits)


def plain_loop(model: nn.Module, logits: Callable[[Batch], Tensor]) -> Step:
    """The step of a good user's loop."""
    optimiser = adam(model)
    for group in optimiser.param_groups:
        group["lr"] = RATE

    def step(batch: Batch) -> float:
        loss = functional.cross_entropy(
            logits(batch).flatten(0, 1),
            batch.target_out.ids.flatten(),
            ignore_index=PAD,
            label_smoothing=SMOOTHING,
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        return loss.item()

    return step


CONTENDERS = {"regard": regard_step, "torch": torch_step, "marian": marian_step}


def measure(name: str, size: Size, *, threads: int, seed: int, keep: bool) -> dict[str, Any]:
    """Warm up, take the time of some steps, and look at what else the machine was doing."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    if keep:
        keep_freed_memory()
    model, step = CONTENDERS[name](size)
    stream = Stream(synthetic(size.rows, seed=seed), pieces=size.pieces, seed=seed)
    batches = stream.batches()
    first_loss = [step(next(batches)) for _ in range(size.warmup)][0]
    seen, moments, before = [], [time.perf_counter()], cpu_seconds()
    for _ in range(size.steps):
        seen.append(next(batches))
        step(seen[-1])
        moments.append(time.perf_counter())
    after, memory = cpu_seconds(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = moments[-1] - moments[0]
    pieces = sum(int(side.real.sum()) for b in seen for side in (b.source, b.target_out))
    places = sum(side.ids.numel() for b in seen for side in (b.source, b.target_out))
    flop = sum(map(lambda batch: operations(batch, size), seen))
    del model, step
    return {
        "contender": name,
        "parameters": 0,
        "pieces_per_second": pieces / seconds,
        "step_seconds": [later - earlier for earlier, later in zip(moments, moments[1:], strict=False)],
        "first_loss": first_loss,
        "pieces_per_step": pieces / size.steps,
        "padding": 1 - pieces / places,
        "flop_per_piece": flop / pieces,
        "gflop_per_second": flop / seconds / 1e9,
        "peak_gflop_per_second": matrix_peak(),
        "memory_mb": memory / 1024,
        "cores_used_by_others": None,
    }
