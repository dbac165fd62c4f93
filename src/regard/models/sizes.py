"""options -> how many parameters and operations: Table 3's last column, recomputed.

Both functions count in pairs: what is learnt, and what is multiplied for a sentence pair.
"""

from dataclasses import dataclass

from regard.models.config import (
    ByteNetConfig,
    ConvS2SConfig,
    ModelConfig,
    RecurrentConfig,
    TransformerConfig,
)


def parameters(config: ModelConfig, *, source_rows: int, target_rows: int) -> int:
    """How many numbers a model learns, shared ones counted once.

    Every count of Table 3 but the big model's comes out with one vocabulary of 40,960 rows, which
    is what the paper's code has; the big model has 214 M with the 37,000 of the paper's text.
    """
    if isinstance(config, TransformerConfig):
        own = _transformer_parameters(config)
    elif isinstance(config, RecurrentConfig):
        own = _recurrent_parameters(config)
    elif isinstance(config, ConvS2SConfig):
        own = _convs2s_parameters(config)
    else:
        own = _bytenet_parameters(config)
    embeddings = target_rows if config.tie == "all" else source_rows + target_rows
    untied = _output_width(config) * target_rows if config.tie == "none" else 0
    return own + config.d_model * embeddings + untied


def multiplications(config: ModelConfig, *, source: int, target: int, target_rows: int) -> int:
    """Multiply-adds of one pass over a sentence pair of so many pieces, output layer included.

    Learning costs three times as much (forward, and two products backward); an operation count in
    FLOPs is twice the multiply-adds.
    """
    if isinstance(config, TransformerConfig):
        own = _transformer_work(config, source, target)
    elif isinstance(config, RecurrentConfig):
        own = _recurrent_work(config, source, target)
    elif isinstance(config, ConvS2SConfig):
        own = _convs2s_work(config, source, target)
    else:
        own = _bytenet_work(config, source, target)
    return own + target * _output_width(config) * target_rows


def _transformer_parameters(config: TransformerConfig) -> int:
    d = config.d_model
    norm = 2 * d
    d_k, d_v = _head_widths(config)
    attention = (d + 1) * config.heads * (2 * d_k + d_v) + (config.heads * d_v + 1) * d
    network = (d + 1) * config.d_ff + (config.d_ff + 1) * d
    last_norms = 2 * norm if config.norm == "pre" else 0
    places = d * config.longest if config.positions == "learned" else 0
    return (
        config.encoder_layers * (attention + network + 2 * norm)
        + config.decoder_layers * (2 * attention + network + 3 * norm)
        + last_norms
        + places
    )


def _transformer_work(config: TransformerConfig, source: int, target: int) -> int:
    d = config.d_model
    d_k, d_v = _head_widths(config)
    queries, keys = d * config.heads * d_k, d * config.heads * (d_k + d_v)
    out = config.heads * d_v * d
    network = 2 * d * config.d_ff
    each_pair = config.heads * (d_k + d_v)
    encoder = source * (queries + keys + out + network) + source**2 * each_pair
    decoder = (
        target * (queries + keys + out + network)
        + target**2 * each_pair
        + target * (queries + out)
        + source * keys
        + source * target * each_pair
    )
    return config.encoder_layers * encoder + config.decoder_layers * decoder


def _head_widths(config: TransformerConfig) -> tuple[int, int]:
    share = config.d_model // config.heads
    return config.d_k or share, config.d_v or share


@dataclass(frozen=True)
class _RecurrentParts:
    """A recurrent model's matrices, as (width in, width out, biases)."""

    of_source: list[tuple[int, int, int]]  # used once for each source position
    of_target: list[tuple[int, int, int]]  # used once for each target position
    once: list[tuple[int, int, int]]  # used once for a sentence
    vector: int  # of an additive score
    each_pair: int  # multiply-adds for each source and target position


def _recurrent_parts(config: RecurrentConfig) -> _RecurrentParts:
    d = config.d_model
    d_memory = 2 * d if config.bidirectional else d
    gates = {"rnn": 1, "gru": 3, "lstm": 4}[config.cell]
    ways = 2 if config.bidirectional else 1

    def cells(first: int, later: int) -> list[tuple[int, int, int]]:
        widths = [later if layer else first for layer in range(config.layers)]
        return [(d_in, gates * d, 1) for width in widths for d_in in (width, d)]

    fed = {"luong": d, "cs224n": d_memory}.get(config.attention, 0) * config.input_feeding
    of_target = cells(d + (d_memory if config.attention == "bahdanau" else fed), d)
    of_source = cells(d, d_memory) * ways
    bridges = config.layers * (2 if config.cell == "lstm" else 1) if config.bidirectional else 0
    d_last = d if config.attention == "bahdanau" else d_memory
    once = [(d_last, d, 1)] * bridges
    if config.attention == "none":
        return _RecurrentParts(of_source, of_target, once, 0, 0)
    width = config.d_score or d
    if config.attention == "bahdanau":
        of_target.append((2 * d + d_memory, 2 * d, 1))
    elif config.attention == "luong":
        of_target.append((d_memory + d, d, 0))
    if config.score == "general":
        of_source.append((d_memory, d, 0))
    elif config.score in ("reduced_rank", "additive"):
        of_source.append((d_memory, width, 0))
        of_target.append((d, width, 0))
    compared = width if config.score in ("reduced_rank", "additive") else d
    vector = width if config.score == "additive" else 0
    return _RecurrentParts(of_source, of_target, once, vector, compared + d_memory)


def _recurrent_parameters(config: RecurrentConfig) -> int:
    parts = _recurrent_parts(config)
    matrices = parts.of_source + parts.of_target + parts.once
    return sum((d_in + bias) * d_out for d_in, d_out, bias in matrices) + parts.vector


def _recurrent_work(config: RecurrentConfig, source: int, target: int) -> int:
    parts = _recurrent_parts(config)

    def work(matrices: list[tuple[int, int, int]]) -> int:
        return sum(d_in * d_out for d_in, d_out, _ in matrices)

    return (
        source * work(parts.of_source)
        + target * work(parts.of_target)
        + work(parts.once)
        + source * target * parts.each_pair
    )


def _convs2s_parameters(config: ConvS2SConfig) -> int:
    d, h = config.d_model, config.d_hidden

    def linear(d_in: int, d_out: int) -> int:
        return (d_in + 2) * d_out  # a bias and a length for each row (weight normalisation)

    convolution = linear(config.kernel * h, 2 * h)
    ends = linear(d, h) + linear(h, d)
    return (
        config.encoder_layers * convolution
        + config.decoder_layers * (convolution + ends)
        + 2 * ends
        + 2 * d * config.longest
    )


def _convs2s_work(config: ConvS2SConfig, source: int, target: int) -> int:
    d, h = config.d_model, config.d_hidden
    convolution = config.kernel * h * 2 * h
    ends = 2 * d * h
    encoder = source * (ends + config.encoder_layers * convolution)
    block = target * (convolution + ends) + source * target * 2 * d
    return encoder + target * ends + config.decoder_layers * block


def _bytenet_parameters(config: ByteNetConfig) -> int:
    d, h = config.d_model, config.d_model // 2
    blocks = len(config.dilations) * (config.encoder_sets + config.decoder_sets)
    norms = 2 * d + 4 * h
    block = (d + 1) * h + (config.kernel * h + 1) * h + (h + 1) * d + norms
    return blocks * block + (2 * d + 1) * d + 2 * d


def _bytenet_work(config: ByteNetConfig, source: int, target: int) -> int:
    d, h = config.d_model, config.d_model // 2
    block = d * h + config.kernel * h * h + h * d
    sets = config.columns(source) * config.encoder_sets + target * config.decoder_sets
    return len(config.dilations) * block * sets + target * 2 * d * d


def _output_width(config: ModelConfig) -> int:
    """Numbers that the output layer sees at each position."""
    if isinstance(config, RecurrentConfig) and config.attention == "cs224n":
        return config.d_model * (3 if config.bidirectional else 2)
    return config.d_model
