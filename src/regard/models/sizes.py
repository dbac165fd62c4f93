"""options -> how many parameters and operations: Table 3's last column, recomputed."""

from regard.models.build import TransformerConfig


def parameters(config: TransformerConfig, *, source_rows: int, target_rows: int) -> int:
    """How many numbers a model learns, shared ones counted once.

    Every count of Table 3 but the big model's comes out with one vocabulary of 40,960 rows, which
    is what the paper's code has; the big model has 214 M with the 37,000 of the paper's text.
    """
    d = config.d_model
    norm = 2 * d
    d_k, d_v = _widths(config)
    attention = (d + 1) * config.heads * (2 * d_k + d_v) + (config.heads * d_v + 1) * d
    network = (d + 1) * config.d_ff + (config.d_ff + 1) * d
    last_norms = 2 * norm if config.norm == "pre" else 0
    places = d * config.longest if config.positions == "learned" else 0
    return (
        config.encoder_layers * (attention + network + 2 * norm)
        + config.decoder_layers * (2 * attention + network + 3 * norm)
        + last_norms
        + places
        + d * _rows(config, source_rows, target_rows)
    )


def multiplications(
    config: TransformerConfig, *, source: int, target: int, target_rows: int
) -> int:
    """Multiply-adds of one pass over a sentence pair of so many pieces, output layer included.

    Learning costs three times as much (forward, and two products backward); an operation count in
    FLOPs is twice the multiply-adds.
    """
    d = config.d_model
    d_k, d_v = _widths(config)
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
    return (
        config.encoder_layers * encoder + config.decoder_layers * decoder + target * d * target_rows
    )


def _widths(config: TransformerConfig) -> tuple[int, int]:
    share = config.d_model // config.heads
    return config.d_k or share, config.d_v or share


def _rows(config: TransformerConfig, source_rows: int, target_rows: int) -> int:
    """Rows of all the embedding and output matrices."""
    return {
        "all": target_rows,
        "target": source_rows + target_rows,
        "none": source_rows + 2 * target_rows,
    }[config.tie]
