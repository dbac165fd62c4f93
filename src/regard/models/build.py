"""options -> a model with its initial values: the one place where names become parts."""

from collections.abc import Callable
from functools import partial

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

from regard.attention import (
    Additive,
    General,
    Learned,
    MultiHead,
    ReducedRank,
    Score,
    dot,
    scaled_dot,
    window,
)
from regard.attention.scores import reset
from regard.layers import (
    Embedding,
    FeedForward,
    LearnedPositions,
    NormAfter,
    NormBefore,
    Residual,
    Sinusoids,
)
from regard.layers.convolution import CausalConvolution, Convolution
from regard.layers.recurrent import Cell
from regard.layers.residual import EPSILON
from regard.models.config import (
    ByteNetConfig,
    ConvS2SConfig,
    ModelConfig,
    RecurrentConfig,
    ScoreName,
    Tie,
    TransformerConfig,
)
from regard.models.convolutional import ByteBlock, ByteNet, ConvS2S, DecoderBlock, EncoderBlock
from regard.models.encoder_decoder import EncoderDecoder
from regard.models.recurrent import (
    Bahdanau,
    Bottleneck,
    Bridge,
    Cells,
    CS224n,
    Encoder,
    Look,
    Luong,
    Recurrent,
    Step,
)
from regard.models.transformer import DecoderLayer, EncoderLayer, Transformer
from regard.product import Linear


def build(
    config: ModelConfig,
    *,
    source_rows: int,
    target_rows: int,
    generator: torch.Generator | None = None,
) -> EncoderDecoder:
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
    if isinstance(config, TransformerConfig):
        return _transformer(config, source_rows, target_rows, generator)
    if isinstance(config, RecurrentConfig):
        return _recurrent(config, source_rows, target_rows, generator)
    if isinstance(config, ConvS2SConfig):
        return _convs2s(config, source_rows, target_rows, generator)
    return _bytenet(config, source_rows, target_rows, generator)


def _tables(
    tie: Tie, source_rows: int, target_rows: int, d_model: int, *, d_output: int, scaled: bool
) -> tuple[Embedding, Embedding, nn.Linear]:
    """Source embedding, target embedding and output, as many of them one matrix as asked for."""
    target = Embedding(target_rows, d_model, scaled=scaled)
    source = target if tie == "all" else Embedding(source_rows, d_model, scaled=scaled)
    output = Linear(d_output, target_rows, bias=False)
    if tie != "none":
        output.weight = target.table.weight
    return source, target, output


def _transformer(
    config: TransformerConfig, source_rows: int, target_rows: int, generator: torch.Generator | None
) -> Transformer:
    source, target, output = _tables(
        config.tie, source_rows, target_rows, config.d_model, d_output=config.d_model, scaled=True
    )
    model = Transformer(
        source_embedding=source,
        target_embedding=target,
        output=output,
        positions=_positions(config),
        encoder=[_encoder_layer(config) for _ in range(config.encoder_layers)],
        decoder=[_decoder_layer(config) for _ in range(config.decoder_layers)],
        encoder_norm=_last_norm(config),
        decoder_norm=_last_norm(config),
        encoder_rule=None if config.encoder_window is None else window(config.encoder_window),
        dropout=config.dropout,
    )
    _initialise(model, generator, embeddings=config.d_model**-0.5)
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


def _recurrent(
    config: RecurrentConfig, source_rows: int, target_rows: int, generator: torch.Generator | None
) -> Recurrent:
    d = config.d_model
    d_memory = 2 * d if config.bidirectional else d
    source, target, output = _tables(
        config.tie,
        source_rows,
        target_rows,
        d,
        d_output=d_memory + d if config.attention == "cs224n" else d,
        scaled=False,
    )

    def cells(first: int, later: int) -> list[Cell]:
        return [Cell(config.cell, later if i else first, d) for i in range(config.layers)]

    fed = {"luong": d, "cs224n": d_memory}[config.attention] if config.input_feeding else 0
    extra = d_memory if config.attention == "bahdanau" else fed
    parts = 2 if config.cell == "lstm" else 1
    d_last = d if config.attention == "bahdanau" else d_memory
    model = Recurrent(
        source_embedding=source,
        target_embedding=target,
        encoder=Encoder(
            cells(d, d_memory),
            cells(d, d_memory) if config.bidirectional else [],
            dropout=config.dropout,
        ),
        bridge=Bridge(config.layers, parts, d_last, d) if config.bidirectional else nn.Identity(),
        decoder=_step(config, Cells(cells(d + extra, d), dropout=config.dropout), d_memory),
        output=output,
        d_fed=fed,
        dropout=config.dropout,
    )
    _initialise(model, generator, embeddings=0.1)
    for module in model.modules():
        if isinstance(module, Cell):  # Bahdanau et al. 2015, B.1: each gate's matrix is orthogonal
            for gate in module.recur.weight.split(d):
                nn.init.orthogonal_(gate, generator=generator)
    return model


def _step(config: RecurrentConfig, cells: Cells, d_memory: int) -> Step:
    d = config.d_model
    if config.attention == "none":
        return Bottleneck(cells)
    look = Look(score(config.score, d, d_memory, config.d_score or d))
    if config.attention == "bahdanau":
        return Bahdanau(cells, look, d, d_memory)
    if config.attention == "luong":
        return Luong(cells, look, d, d_memory)
    return CS224n(cells, look)


def score(name: ScoreName, d_query: int, d_key: int, width: int) -> Score:
    """The score of that name for queries and keys of these widths; `width` is its own."""
    if name == "general":
        return General(d_query, d_key)
    if name == "reduced_rank":
        return ReducedRank(d_query, d_key, width)
    if name == "additive":
        return Additive(d_query, d_key, width)
    return {"dot": dot, "scaled_dot": scaled_dot}[name]


def _convs2s(
    config: ConvS2SConfig, source_rows: int, target_rows: int, generator: torch.Generator | None
) -> ConvS2S:
    source, target, output = _tables(
        config.tie, source_rows, target_rows, config.d_model, d_output=config.d_model, scaled=False
    )
    model = ConvS2S(
        source_embedding=source,
        target_embedding=target,
        source_positions=LearnedPositions(config.d_model, config.longest),
        target_positions=LearnedPositions(config.d_model, config.longest),
        encoder=[
            EncoderBlock(config.d_hidden, config.kernel, dropout=config.dropout)
            for _ in range(config.encoder_layers)
        ],
        decoder=[
            DecoderBlock(config.d_model, config.d_hidden, config.kernel, dropout=config.dropout)
            for _ in range(config.decoder_layers)
        ],
        output=output,
        d_hidden=config.d_hidden,
        dropout=config.dropout,
    )
    _initialise(model, generator, embeddings=0.1)
    gated = {
        id(m.linear) for m in model.modules() if isinstance(m, Convolution | CausalConvolution)
    }
    for module in list(model.modules()):  # Gehring et al. 2017, 3.5, and weight normalisation
        if isinstance(module, nn.Linear) and module is not output:
            kept = (1 - config.dropout) * (4 if id(module) in gated else 1)
            std = (kept / module.in_features) ** 0.5
            nn.init.normal_(module.weight, std=std, generator=generator)
            weight_norm(module)
    return model


def _bytenet(
    config: ByteNetConfig, source_rows: int, target_rows: int, generator: torch.Generator | None
) -> ByteNet:
    source, target, output = _tables(
        config.tie, source_rows, target_rows, config.d_model, d_output=config.d_model, scaled=False
    )
    half = config.d_model // 2

    def blocks(kind: type[Convolution] | type[CausalConvolution], sets: int) -> list[ByteBlock]:
        return [
            ByteBlock(
                config.d_model,
                kind(half, half, config.kernel, dilation=dilation),
                dropout=config.dropout,
            )
            for dilation in config.dilations * sets
        ]

    model = ByteNet(
        source_embedding=source,
        target_embedding=target,
        encoder=blocks(Convolution, config.encoder_sets),
        decoder=blocks(CausalConvolution, config.decoder_sets),
        output=output,
        columns=config.columns,
        dropout=config.dropout,
    )
    _initialise(model, generator, embeddings=0.1)
    return model


def _initialise(
    model: EncoderDecoder, generator: torch.Generator | None, *, embeddings: float
) -> None:
    """Glorot-uniform matrices, normal embeddings, no biases: tensor2tensor's choice.

    The paper names none. W^Q, W^K and W^V count as one matrix, as in tensor2tensor's first version;
    its embeddings have a standard deviation of d_model^-0.5.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear) and module is not model.output:
            nn.init.xavier_uniform_(module.weight, generator=generator)
            if getattr(module, "bias", None) is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding | nn.Linear):
            nn.init.normal_(module.weight, std=embeddings, generator=generator)
        elif isinstance(module, Learned):
            reset(module, generator)
