"""Our layers against torch's, given the same parameters: equal in float64 to 1e-10."""

import pytest
import torch
from torch import nn

from regard.attention import MultiHead, causal
from regard.data.batch import Batch, Sentences
from regard.layers.residual import EPSILON
from regard.models.build import build
from regard.models.config import TransformerConfig

D_MODEL, HEADS, D_FF, LAYERS = 12, 3, 20, 2


def give_attention(theirs: nn.MultiheadAttention, ours: MultiHead) -> None:
    theirs.in_proj_weight.data = ours.into_heads.weight.data
    theirs.in_proj_bias.data = ours.into_heads.bias.data
    theirs.out_proj.weight.data = ours.out_of_heads.weight.data
    theirs.out_proj.bias.data = ours.out_of_heads.bias.data


def give_network(theirs, ours) -> None:
    theirs.linear1.load_state_dict(ours.feed_forward.widen.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.narrow.state_dict())


def layer(kind, norm):
    return kind(
        D_MODEL,
        HEADS,
        D_FF,
        dropout=0.0,
        norm_first=norm == "pre",
        batch_first=True,
        layer_norm_eps=EPSILON,
        dtype=torch.float64,
    )


def their_encoder(model, norm):
    last = model.encoder_norm if norm == "pre" else None
    stack = nn.TransformerEncoder(
        layer(nn.TransformerEncoderLayer, norm), LAYERS, norm=last, enable_nested_tensor=False
    )
    for theirs, ours in zip(stack.layers, model.encoder, strict=True):
        give_attention(theirs.self_attn, ours.attention)
        give_network(theirs, ours)
        theirs.norm1.load_state_dict(ours.around_attention.norm.state_dict())
        theirs.norm2.load_state_dict(ours.around_network.norm.state_dict())
    return stack


def their_decoder(model, norm):
    last = model.decoder_norm if norm == "pre" else None
    stack = nn.TransformerDecoder(layer(nn.TransformerDecoderLayer, norm), LAYERS, norm=last)
    for theirs, ours in zip(stack.layers, model.decoder, strict=True):
        give_attention(theirs.self_attn, ours.attention)
        give_attention(theirs.multihead_attn, ours.memory_attention)
        give_network(theirs, ours)
        theirs.norm1.load_state_dict(ours.around_attention.norm.state_dict())
        theirs.norm2.load_state_dict(ours.around_memory.norm.state_dict())
        theirs.norm3.load_state_dict(ours.around_network.norm.state_dict())
    return stack


def scrambled(model):
    """Biases and gains that are not the initial zeros and ones."""
    generator = torch.Generator().manual_seed(7)
    for parameter in model.parameters():
        noise = torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype)
        parameter.data += 0.3 * noise
    return model


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_encoder_and_decoder_equal_torchs(norm):
    config = TransformerConfig(
        d_model=D_MODEL,
        d_ff=D_FF,
        heads=HEADS,
        encoder_layers=LAYERS,
        decoder_layers=LAYERS,
        norm=norm,
        dropout=0.0,
    )
    model = scrambled(build(config, source_rows=23, target_rows=23).double().eval())
    source = Sentences.of([[5, 6, 7, 8, 1], [9, 10, 1], [11, 1]])
    target = Sentences.of([[2, 5, 6, 7], [2, 8, 9], [2, 10]])
    batch = Batch(source, target, target)

    x = model.positions(model.source_embedding(source.ids))
    memory = their_encoder(model, norm)(x, src_key_padding_mask=~source.real)
    y = model.positions(model.target_embedding(target.ids))
    states = their_decoder(model, norm)(
        y, memory, tgt_mask=~causal().dense((4, 4)), memory_key_padding_mask=~source.real
    )
    ours = model.encode(source).states
    torch.testing.assert_close(ours[source.real], memory[source.real], atol=1e-10, rtol=0)
    real = target.real
    torch.testing.assert_close(model.states(batch)[real], states[real], atol=1e-10, rtol=0)


def test_multi_head_equals_torchs():
    ours = scrambled(MultiHead(12, 3).double())
    theirs = nn.MultiheadAttention(12, 3, batch_first=True, dtype=torch.float64)
    give_attention(theirs, ours)
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(2, 5, 12, dtype=torch.float64, generator=generator)
    memory = torch.randn(2, 7, 12, dtype=torch.float64, generator=generator)
    real = torch.tensor([[True] * 7, [True] * 4 + [False] * 3])
    context, shares = theirs(x, memory, memory, key_padding_mask=~real, average_attn_weights=False)
    allowed = real[:, None, None, :]
    torch.testing.assert_close(ours(x, memory, allowed=allowed), context, atol=1e-12, rtol=0)
    found = ours.weights(x, memory, allowed=allowed)
    torch.testing.assert_close(found, shares, atol=1e-12, rtol=0)
