"""Arrays of another program's model: transformers' MarianMTModel, as it begins."""

import numpy as np
import pytest

from regard.trace import Trace

transformers = pytest.importorskip("transformers", reason="transformers is not installed")


@pytest.mark.filterwarnings("ignore")
def test_a_marian_model():
    import torch

    config = transformers.MarianConfig(
        vocab_size=50, d_model=16, encoder_layers=2, decoder_layers=3, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=32,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, attn_implementation="eager",
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = transformers.MarianMTModel(config).eval()
    source, target = torch.tensor([[5, 6, 7, 8, 1]]), torch.tensor([[0, 9, 10, 11]])
    with torch.no_grad():
        found = model(input_ids=source, decoder_input_ids=target, output_attentions=True)
    trace = Trace.from_arrays(
        source=["▁a", "▁b", "c", "▁d", "</s>"],
        target_in=["<pad>", "▁x", "▁y", "z"],
        encoder=found.encoder_attentions,
        decoder=found.decoder_attentions,
        cross=found.cross_attentions,
    )
    assert [len(trace.layers(kind)) for kind in ("encoder", "decoder", "cross")] == [2, 3, 3]
    np.testing.assert_array_equal(
        trace.weights("cross", layer=1, head=2), found.cross_attentions[1][0, 2].numpy()
    )
    assert np.array_equal(trace.layers("decoder")[0].allowed, np.tri(4, dtype=bool))
    assert trace.words().source.pieces == ("a", "bc", "d", "</s>")
    assert trace.target_out.pieces == ("x", "y", "z", "</s>")
    assert "x" in trace.to_text()
    assert len(trace.page()) > 10_000
