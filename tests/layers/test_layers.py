import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from regard.layers import Embedding, FeedForward, LearnedPositions, Sinusoids, sinusoids
from regard.layers.dropout import Dropout


@pytest.mark.parametrize("d_model", [6, 7])
def test_sinusoids_are_interleaved_as_printed(d_model):
    table = sinusoids(11, d_model)
    for pos in range(11):
        for i in range(0, d_model, 2):
            angle = pos / 10000 ** (i / d_model)
            assert math.isclose(table[pos, i], math.sin(angle), abs_tol=1e-6)
            if i + 1 < d_model:
                assert math.isclose(table[pos, i + 1], math.cos(angle), abs_tol=1e-6)


def test_halves_are_all_sines_then_all_cosines_up_to_a_timescale_of_10000():
    table = sinusoids(11, 6, layout="halves")
    for pos in range(11):
        for i, scale in enumerate([1, 100, 10000]):
            assert math.isclose(table[pos, i], math.sin(pos / scale), abs_tol=1e-6)
            assert math.isclose(table[pos, 3 + i], math.cos(pos / scale), abs_tol=1e-6)


@given(start=st.integers(0, 5000), layout=st.sampled_from(["interleaved", "halves"]))
def test_a_later_start_is_a_later_part_of_the_same_table(start, layout):
    later = sinusoids(3, 8, start=start, layout=layout)
    assert torch.equal(later, sinusoids(start + 3, 8, layout=layout)[start:])


@pytest.mark.parametrize("shift", [1, 5, 40])
def test_the_place_k_later_is_a_rotation_of_the_place(shift):
    d_model = 16
    table = sinusoids(100 + shift, d_model).double()
    for i in range(0, d_model, 2):
        angle = shift / 10000 ** (i / d_model)
        turn = torch.tensor(
            [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        )
        turned = table[:100, i : i + 2] @ turn.double().T
        torch.testing.assert_close(turned, table[shift:, i : i + 2], atol=1e-5, rtol=0)


def test_learned_positions_end_where_they_end():
    positions = LearnedPositions(4, 7)
    x = torch.zeros(1, 2, 4)
    assert torch.equal(positions(x, start=5)[0], positions.table.weight[5:7])
    with pytest.raises(ValueError, match="place 7 has no position: 7 are learned"):
        positions(x, start=6)


def test_sinusoids_are_added():
    x = torch.randn(2, 5, 8)
    torch.testing.assert_close(
        Sinusoids(8)(x, start=3) - x, sinusoids(5, 8, start=3).expand(2, 5, 8)
    )


def test_embeddings_are_multiplied_by_the_root_of_d_model():
    embedding = Embedding(5, 9)
    assert torch.equal(embedding(torch.tensor([[2, 4]]))[0], embedding.table.weight[[2, 4]] * 3)


def test_the_feed_forward_network_is_the_same_at_every_position():
    network = FeedForward(4, 7)
    x = torch.randn(3, 5, 4)
    expected = torch.relu(x @ network.widen.weight.T + network.widen.bias)
    expected = expected @ network.narrow.weight.T + network.narrow.bias
    torch.testing.assert_close(network(x), expected)
    torch.testing.assert_close(network(x[:, 2]), network(x)[:, 2])


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_dropout_drops_its_share_and_keeps_the_mean(p):
    torch.manual_seed(1)
    x = torch.ones(1001, 997, requires_grad=True)  # not a multiple of four
    y = Dropout(p)(x)
    y.sum().backward()
    dropped = (y == 0).double().mean().item()
    deviation = math.sqrt(p * (1 - p) / x.numel())
    assert abs(dropped - p) < 5 * deviation
    assert torch.allclose(y[y != 0], torch.tensor(1 / (1 - p)))
    assert x.grad is not None
    assert torch.equal(x.grad, y.detach())


def test_dropout_draws_are_independent_of_their_place_in_a_draw():
    torch.manual_seed(2)
    kept = (Dropout(0.5)(torch.ones(40_000, 4)) != 0).double()
    assert (kept.mean(0) - 0.5).abs().max() < 0.0125  # five standard deviations
    correlation = torch.corrcoef(kept.T) - torch.eye(4)
    assert correlation.abs().max() < 0.025


def test_dropout_follows_from_torchs_seed_and_rests_when_not_learning():
    x = torch.ones(100)
    dropout = Dropout(0.5)
    torch.manual_seed(3)
    first = dropout(x)
    torch.manual_seed(3)
    assert torch.equal(first, dropout(x))
    assert dropout.eval()(x) is x


@pytest.mark.parametrize("p", [-0.1, 1.0])
def test_dropout_must_be_a_chance(p):
    with pytest.raises(ValueError, match="is not a chance"):
        Dropout(p)
