"""Transformer, pieces -> CTranslate2's specification of the same model.

Everything is said that CTranslate2 would otherwise assume: the positions as a table, what the
embeddings are multiplied by, the epsilon of layer normalisation, who adds EOS to the source.
"""

from importlib import import_module
from itertools import pairwise
from typing import Any

import torch
from torch import nn

from regard.attention import MultiHead
from regard.errors import RecipeError
from regard.layers import FeedForward, LearnedPositions, NormAfter, NormBefore, Residual
from regard.layers.residual import EPSILON
from regard.models.encoder_decoder import EncoderDecoder
from regard.models.transformer import DecoderLayer, EncoderLayer, Transformer
from regard.text.pieces import BOS, EOS, UNK, Pieces

TYPES = (
    "float32", "int8", "int8_float32", "int8_float16", "int8_bfloat16", "int16", "float16",
    "bfloat16",
)  # fmt: skip
"""What CTranslate2 can store parameters as."""


def the_engine(name: str = "ctranslate2") -> Any:
    """CTranslate2, or a part of it.

    Raises:
        RecipeError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise RecipeError(
            f"CTranslate2 cannot be loaded ({error}); install it: pip install 'regard[ctranslate2]'"
        ) from None


def specification(
    model: EncoderDecoder, source: Pieces, target: Pieces, *, positions: int, stored_as: str
) -> Any:
    """What CTranslate2 can save.

    Args:
        model: The model.
        source: The pieces of what it reads.
        target: The pieces of what it writes.
        positions: How many places the table of positions has.
        stored_as: One of `TYPES`.

    Raises:
        RecipeError: CTranslate2 has no such model, or type; what it lacks is named.
    """
    if stored_as not in TYPES:
        raise RecipeError(f"quantization '{stored_as}' must be one of {', '.join(TYPES)}")
    if not isinstance(model, Transformer):
        raise RecipeError(
            f"CTranslate2 has no {type(model).__name__}; only Transformers can be exported"
        )
    refused = _refused(model)
    if refused:
        raise RecipeError(f"CTranslate2 cannot express {'; nor '.join(refused)}")
    parts = the_engine("ctranslate2.specs.transformer_spec")
    first = model.encoder[0]
    shape = {
        "num_heads": first.attention.heads,
        "pre_norm": isinstance(first.around_attention, NormBefore),
        "head_dim": first.attention.d_k,
    }
    spec = parts.TransformerSpec(
        parts.TransformerEncoderSpec(len(model.encoder), **shape),
        parts.TransformerDecoderSpec(len(model.decoder), **shape),
    )
    _fill(spec, model, _table(model, positions))
    spec.register_source_vocabulary(_words(source))
    spec.register_target_vocabulary(_words(target))
    spec.config.unk_token = target.piece(UNK)
    spec.config.bos_token = spec.config.decoder_start_token = target.piece(BOS)
    spec.config.eos_token = target.piece(EOS)
    spec.config.add_source_eos = True
    spec.config.layer_norm_epsilon = EPSILON
    spec.validate()
    spec.optimize(quantization=stored_as)
    return spec


def _refused(model: Transformer) -> list[str]:
    """What stands in the way, in words."""
    attention = model.encoder[0].attention
    found = []
    if model.encoder_rule is not None:
        found.append("an encoder that sees a window only (encoder_window)")
    if attention.d_k != attention.d_v:
        found.append(
            f"values of another width than keys (d_k {attention.d_k}, d_v {attention.d_v})"
        )
    return found


def _words(pieces: Pieces) -> list[str]:
    return [pieces.piece(i) for i in range(len(pieces))]


def _table(model: Transformer, positions: int) -> torch.Tensor:
    """The vectors that are added to the first places."""
    if isinstance(model.positions, LearnedPositions):
        return model.positions.table.weight[:positions]
    nothing = torch.zeros(1, positions, model.positions.d_model)
    return model.positions(nothing)[0]


def _fill(spec: Any, model: Transformer, table: torch.Tensor) -> None:
    (embeddings,) = spec.encoder.embeddings
    embeddings.weight = _array(model.source_embedding.table.weight)
    spec.decoder.embeddings.weight = _array(model.target_embedding.table.weight)
    spec.decoder.projection.weight = _array(model.output.weight)
    spec.encoder.scale_embeddings = float(model.source_embedding.scale)
    spec.decoder.scale_embeddings = float(model.target_embedding.scale)
    for side, layers, norm in (
        (spec.encoder, model.encoder, model.encoder_norm),
        (spec.decoder, model.decoder, model.decoder_norm),
    ):
        side.position_encodings.encodings = _array(table)
        for theirs, ours in zip(side.layer, layers, strict=True):
            _fill_layer(theirs, ours)
        if isinstance(norm, nn.LayerNorm):
            _fill_norm(side.layer_norm, norm)


def _fill_layer(spec: Any, layer: EncoderLayer | DecoderLayer) -> None:
    _fill_attention(spec.self_attention, layer.attention, layer.around_attention)
    if isinstance(layer, DecoderLayer):
        _fill_attention(spec.attention, layer.memory_attention, layer.around_memory)
    _fill_network(spec.ffn, layer.feed_forward, layer.around_network)


def _fill_attention(spec: Any, attention: MultiHead, around: Residual) -> None:
    """Queries, keys and values are one matrix in self-attention, keys and values in the other."""
    into = attention.into_heads
    cuts = [0, into.out_features]
    if len(spec.linear) == 3:
        cuts.insert(1, attention.heads * attention.d_k)
    *maps, last = spec.linear
    for theirs, (start, stop) in zip(maps, pairwise(cuts), strict=True):
        theirs.weight = _array(into.weight[start:stop])
        theirs.bias = _array(into.bias[start:stop])
    _fill_linear(last, attention.out_of_heads)
    _fill_norm(spec.layer_norm, around.norm)


def _fill_network(spec: Any, network: FeedForward, around: NormAfter | NormBefore) -> None:
    _fill_linear(spec.linear_0, network.widen)
    _fill_linear(spec.linear_1, network.narrow)
    _fill_norm(spec.layer_norm, around.norm)


def _fill_linear(spec: Any, linear: nn.Linear) -> None:
    spec.weight, spec.bias = _array(linear.weight), _array(linear.bias)


def _fill_norm(spec: Any, norm: nn.LayerNorm) -> None:
    spec.gamma, spec.beta = _array(norm.weight), _array(norm.bias)


def _array(tensor: torch.Tensor) -> Any:
    """A copy, since CTranslate2 quantises in place."""
    return tensor.detach().float().cpu().numpy().copy()
