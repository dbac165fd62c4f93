"""Table 3's parameter counts, and the counting itself against models that are built."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from regard.data.batch import Batch, Sentences
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.models.sizes import multiplications, parameters

TABLE_3 = [
    ({}, 65),
    ({"d_k": 16}, 58),
    ({"d_k": 32}, 60),
    ({"encoder_layers": 2, "decoder_layers": 2}, 36),
    ({"encoder_layers": 4, "decoder_layers": 4}, 50),
    ({"encoder_layers": 8, "decoder_layers": 8}, 80),
    ({"d_model": 256, "d_k": 32, "d_v": 32}, 28),
    ({"d_model": 1024, "d_k": 128, "d_v": 128}, 168),
    ({"d_ff": 1024}, 53),
    ({"d_ff": 4096}, 90),
]


@pytest.mark.parametrize(("changes", "millions"), TABLE_3, ids=str)
def test_table_3(changes, millions):
    config = TransformerConfig(**changes)
    count = parameters(config, source_rows=40_960, target_rows=40_960)
    assert round(count / 1e6) == millions
    with torch.device("meta"):
        model = build(config, source_rows=40_960, target_rows=40_960)
    assert sum(p.numel() for p in model.parameters()) == count


def test_big_has_214_million_with_the_37000_rows_of_the_papers_text():
    count = parameters(TransformerConfig.big(), source_rows=37_000, target_rows=37_000)
    assert round(count / 1e6) == 214  # Table 3 says 213; which vocabulary that had is not known


@pytest.mark.parametrize(
    "changes",
    [
        {"norm": "pre"},
        {"positions": "learned", "longest": 29},
        {"tie": "target"},
        {"tie": "none"},
        {"d_k": 5, "d_v": 3},
    ],
    ids=str,
)
def test_every_part_is_counted(changes):
    options = {"d_model": 14, "d_ff": 11, "heads": 2, "encoder_layers": 3, "decoder_layers": 2}
    config = TransformerConfig(**(options | changes))
    model = build(config, source_rows=23, target_rows=23)
    counted = parameters(config, source_rows=23, target_rows=23)
    assert counted == sum(p.numel() for p in model.parameters())


def test_multiplications_are_those_that_torch_counts():
    config = TransformerConfig(
        d_model=14, d_ff=11, heads=2, d_k=5, d_v=3, encoder_layers=3, decoder_layers=2
    )
    model = build(config, source_rows=23, target_rows=23)
    source, target = Sentences.of([[5] * 7]), Sentences.of([[6] * 13])
    with FlopCounterMode(display=False) as counter:
        model(Batch(source, target, target))
    counted = multiplications(config, source=7, target=13, target_rows=23)
    assert 2 * counted == counter.get_total_flops()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heads": 3, "d_model": 10}, "d_model 10 cannot be shared by 3 heads"),
        ({"dropout": 1.0}, "dropout 1.0"),
        ({"d_ff": 0}, "d_ff 0"),
        ({"d_k": -1}, "d_k -1"),
    ],
)
def test_impossible_shapes_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        TransformerConfig(**changes)


def test_one_matrix_needs_one_vocabulary():
    with pytest.raises(ValueError, match="the source has 7 rows and the target 11"):
        build(TransformerConfig.tiny(), source_rows=7, target_rows=11)


def test_published_shapes():
    assert TransformerConfig.base() == TransformerConfig()
    big = TransformerConfig.big()
    assert (big.d_model, big.d_ff, big.heads, big.dropout) == (1024, 4096, 16, 0.3)
    tiny = TransformerConfig.tiny()
    assert round(parameters(tiny, source_rows=10_000, target_rows=10_000) / 1e6, 1) == 2.6
