"""options -> a model with its initial values: the one place where names become parts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from torch import nn

from regard.attention import MultiHead
from regard.layers import (
    Embedding,
    FeedForward,
    LearnedPositions,
    NormAfter,
    NormBefore,
    Residual,
    Sinusoids,
)
from regard.layers.residual import EPSILON
from regard.models.transformer import DecoderLayer, EncoderLayer, Transformer


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """A Transformer's shape; the defaults are the paper's base model (Table 3).

    Attributes:
        d_model: Width of every vector between layers.
        d_ff: Width inside the feed-forward networks.
        heads: Attentions side by side.
        d_k: Width of a head's queries and keys; d_model / heads if 0.
        d_v: Width of a head's values; d_model / heads if 0.
        encoder_layers: N of the encoder.
        decoder_layers: N of the decoder.
        dropout: P_drop of section 5.4.
        attention_dropout: The same on attention weights; not in section 5.4.
        activation_dropout: The same after the ReLU; not in the paper.
        norm: "post" as in the paper, "pre" as in tensor2tensor's later versions.
        positions: "sinusoids" as printed, "halves" as in tensor2tensor, or "learned".
        longest: How many positions are learned, if they are.
        tie: Which of source embedding, target embedding and output are one matrix: "all" (section
            3.4), "target" (the latter two) or "none".
    """

    d_model: int = 512
    d_ff: int = 2048
    heads: int = 8
    d_k: int = 0
    d_v: int = 0
    encoder_layers: int = 6
    decoder_layers: int = 6
    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    norm: Literal["post", "pre"] = "post"
    positions: Literal["sinusoids", "halves", "learned"] = "sinusoids"
    longest: int = 512
    tie: Literal["all", "target", "none"] = "all"

    def __post_init__(self):
        for name in ("d_model", "d_ff", "heads", "encoder_layers", "decoder_layers", "longest"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} must be at least 1")
        for name in ("dropout", "attention_dropout", "activation_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} is not a chance: 0 <= p < 1")
        if self.d_k < 0 or self.d_v < 0:
            raise ValueError(f"d_k {self.d_k} and d_v {self.d_v} must not be negative")
        if self.d_model % self.heads and not (self.d_k and self.d_v):
            raise ValueError(
                f"d_model {self.d_model} cannot be shared by {self.heads} heads; give d_k and d_v"
            )

    @classmethod
    def base(cls) -> "TransformerConfig":
        """The paper's base model (Table 3)."""
        return cls()

    @classmethod
    def big(cls) -> "TransformerConfig":
        """The paper's big model (Table 3)."""
        return cls(d_model=1024, d_ff=4096, heads=16, dropout=0.3)

    @classmethod
    def tiny(cls) -> "TransformerConfig":
        """A model for small corpora and two cores (Wu et al. 2021 use it on Multi30k)."""
        return cls(d_model=128, d_ff=256, heads=4, encoder_layers=4, decoder_layers=4, dropout=0.3)


def build(
    config: TransformerConfig,
    *,
    source_rows: int,
    target_rows: int,
    generator: torch.Generator | None = None,
) -> Transformer:
    """A new model.

    Args:
        config: Its shape.
        source_rows: Size of the source vocabulary.
        target_rows: Size of the target vocabulary.
        generator: Where the initial values come from; torch's own if None.

    Raises:
        ValueError: one matrix is asked for and the vocabularies differ in size.
    """
    if config.tie == "all" and source_rows != target_rows:
        raise ValueError(
            f"tie = 'all' needs one vocabulary, but the source has {source_rows} rows and the"
            f" target {target_rows}; learn joint pieces or set tie = 'target'"
        )
    target = Embedding(target_rows, config.d_model)
    source = target if config.tie == "all" else Embedding(source_rows, config.d_model)
    output = nn.Linear(config.d_model, target_rows, bias=False)
    if config.tie != "none":
        output.weight = target.table.weight
    model = Transformer(
        source_embedding=source,
        target_embedding=target,
        output=output,
        positions=_positions(config),
        encoder=[_encoder_layer(config) for _ in range(config.encoder_layers)],
        decoder=[_decoder_layer(config) for _ in range(config.decoder_layers)],
        encoder_norm=_last_norm(config),
        decoder_norm=_last_norm(config),
        dropout=config.dropout,
    )
    _initialise(model, config, generator)
    return model


def _encoder_layer(config: TransformerConfig) -> EncoderLayer:
    return EncoderLayer(_attention(config), _feed_forward(config), _residual(config))


def _decoder_layer(config: TransformerConfig) -> DecoderLayer:
    return DecoderLayer(
        _attention(config), _attention(config), _feed_forward(config), _residual(config)
    )


def _attention(config: TransformerConfig) -> MultiHead:
    return MultiHead(
        config.d_model,
        config.heads,
        d_k=config.d_k or None,
        d_v=config.d_v or None,
        dropout=config.attention_dropout,
    )


def _feed_forward(config: TransformerConfig) -> FeedForward:
    return FeedForward(config.d_model, config.d_ff, dropout=config.activation_dropout)


def _residual(config: TransformerConfig) -> Callable[[], Residual]:
    kind = NormAfter if config.norm == "post" else NormBefore
    return partial(kind, config.d_model, dropout=config.dropout)


def _last_norm(config: TransformerConfig) -> nn.Module:
    if config.norm == "post":
        return nn.Identity()
    return nn.LayerNorm(config.d_model, eps=EPSILON)


def _positions(config: TransformerConfig) -> Sinusoids | LearnedPositions:
    if config.positions == "learned":
        return LearnedPositions(config.d_model, config.longest)
    layout = "interleaved" if config.positions == "sinusoids" else "halves"
    return Sinusoids(config.d_model, layout)


def _initialise(
    model: Transformer, config: TransformerConfig, generator: torch.Generator | None
) -> None:
    """Glorot-uniform matrices, embeddings N(0, 1/d_model), no biases: tensor2tensor's choice.

    The paper names none. W^Q, W^K and W^V count as one matrix, as in tensor2tensor's first version.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear) and module is not model.output:
            nn.init.xavier_uniform_(module.weight, generator=generator)
            nn.init.zeros_(module.bias)
        elif isinstance(module, (nn.Embedding, nn.Linear)):
            nn.init.normal_(module.weight, std=config.d_model**-0.5, generator=generator)
