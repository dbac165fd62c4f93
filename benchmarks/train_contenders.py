"""size -> a model and the step that it learns with: regard, and those it is compared with.

All have the same parameters in number and shape, the same dropout at the same places (0.1 on
embeddings and sub-layers, none on attention weights or inside the feed-forward networks), one
matrix for both embeddings and the output, post-norm, sinusoids, label smoothing, and the same Adam.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.data.batch import Batch
from regard.layers import sinusoids
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.text.pieces import BOS, EOS, PAD
from regard.train.compiled import compile_layers
from regard.train.memory import keep_freed_memory
from regard.train.optimiser import adam
from regard.train.step import Learner, update

RATE, SMOOTHING = 1e-4, 0.1
LONGEST = 150
"""The most pieces that a side has, EOS counted."""

Step = Callable[[Batch], float]
"""One whole update; returns the loss per target piece that it minimised."""


@dataclass(frozen=True)
class Size:
    """A model's shape, its vocabulary and batches, and how many steps are run."""

    config: TransformerConfig
    rows: int
    pieces: int
    warmup: int
    steps: int


def regard_step(
    size: Size, *, bfloat16: bool = False, compiled: bool = False
) -> tuple[nn.Module, Step]:
    """Regard, as `regard train` runs it."""
    keep_freed_memory()
    model = build(size.config, source_rows=size.rows, target_rows=size.rows)
    if compiled:
        compile_layers(model)
    learner = Learner(model, label_smoothing=SMOOTHING, bfloat16=bfloat16)
    optimiser = adam(model)

    def step(batch: Batch) -> float:
        result = update(learner, [batch], optimiser, rate=RATE)
        assert result
        return result.loss

    return model, step


class Plain(nn.Module):
    """What one writes around torch.nn.Transformer: embedding, sinusoids, masks, output."""

    def __init__(self, rows: int, config: TransformerConfig):
        super().__init__()
        d = config.d_model
        self.table = nn.Embedding(rows, d)
        nn.init.normal_(self.table.weight, std=d**-0.5)
        self.places = nn.Buffer(sinusoids(LONGEST, d))
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
        """Ids to vectors that know their places."""
        x = self.table(ids) * math.sqrt(self.table.embedding_dim)
        return self.dropout(x + self.places[: ids.shape[1]])

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Logits of each next piece of the target."""
        padding, length = source == PAD, target.shape[1]
        states = self.transformer(
            self.embed(source),
            self.embed(target),
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
            tgt_mask=torch.ones(length, length, dtype=torch.bool).triu(1),
            tgt_is_causal=True,  # padding is at the end: looking back, real places never see it
        )
        return states @ self.table.weight.T


def torch_step(size: Size) -> tuple[nn.Module, Step]:
    """A plain loop over torch.nn.Transformer."""
    model = Plain(size.rows, size.config)
    return model, plain_loop(model, lambda batch: model(batch.source.ids, batch.target_in.ids))


def marian_model(
    shape: TransformerConfig, rows: int, *, longest: int = LONGEST, use_cache: bool = False
) -> nn.Module:
    """transformers' MarianMTModel with random weights."""
    from transformers import MarianConfig, MarianMTModel  # pyright: ignore[reportMissingImports]

    config = MarianConfig(
        vocab_size=rows, d_model=shape.d_model, max_position_embeddings=longest,
        encoder_layers=shape.encoder_layers, decoder_layers=shape.decoder_layers,
        encoder_attention_heads=shape.heads, decoder_attention_heads=shape.heads,
        encoder_ffn_dim=shape.d_ff, decoder_ffn_dim=shape.d_ff, activation_function="relu",
        dropout=shape.dropout, attention_dropout=0.0, activation_dropout=0.0,
        scale_embedding=True, init_std=shape.d_model**-0.5, use_cache=use_cache,
        pad_token_id=PAD, eos_token_id=EOS, bos_token_id=BOS, decoder_start_token_id=BOS,
    )  # fmt: skip
    return MarianMTModel(config)


def marian_step(size: Size) -> tuple[nn.Module, Step]:
    """The same loop over transformers' MarianMTModel."""
    model = marian_model(size.config, size.rows)

    def logits(batch: Batch) -> Tensor:
        ids, real = batch.source.ids, batch.source.real
        return model(ids, attention_mask=real, decoder_input_ids=batch.target_in.ids).logits

    return model, plain_loop(model, logits)


def plain_loop(model: nn.Module, logits: Callable[[Batch], Tensor]) -> Step:
    """The step of a loop as one writes it."""
    optimiser = adam(model)
    optimiser.param_groups[0]["lr"] = RATE

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


CONTENDERS = {
    "regard": regard_step,
    "regard bfloat16": partial(regard_step, bfloat16=True),
    "regard compiled": partial(regard_step, compiled=True),
    "regard compiled bfloat16": partial(regard_step, bfloat16=True, compiled=True),
    "torch": torch_step,
    "marian": marian_step,
}
