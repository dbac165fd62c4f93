"""Numbers that can be worked out by hand, and documented shapes.

The table of weights is an invented one, for five words that could say that a cat looks at a mouse
on a rug; the values 10 to 50 are invented too. Everything else follows from the formulas.
"""

import math

import pytest
import torch
from torch import nn

from regard.attention import (
    Additive,
    MultiHead,
    attend,
    causal,
    lengths,
    scaled_dot,
    weights,
)
from regard.layers import FeedForward, sinusoids
from regard.layers.recurrent import Cell
from regard.models.config import TransformerConfig
from regard.models.sizes import multiplications
from regard.search.length import length_penalty
from regard.train.schedule import learning_rate

ROWS = {0: [18, 12, 40, 10, 20], 1: [10, 8, 55, 10, 17]}
VALUES = torch.tensor([[10.0], [20.0], [30.0], [40.0], [50.0]], dtype=torch.float64)


def given(query, key):
    """Scores whose softmax is a row of the table: the logarithms of its weights."""
    assert key.shape == (5, 1)
    return torch.tensor([ROWS[int(q)] for q in query], dtype=torch.float64).log()


def mix(word, *, temperature=1.0, allowed=None):
    query, key = torch.tensor([[float(word)]], dtype=torch.float64), VALUES
    options = {"score": given, "temperature": temperature, "allowed": allowed}
    table = weights(query, key, **options)
    return [round(100 * float(w), 2) for w in table[0]], float(attend(query, key, key, **options))


def test_shares_of_a_quarter_and_three_quarters():
    scores = torch.tensor([[0.25, 0.75]]).log()
    shares = weights(torch.ones(1, 1), torch.ones(2, 1), score=lambda q, k: scores)
    torch.testing.assert_close(shares @ torch.tensor([[2.0], [6.0]]), torch.tensor([[5.0]]))
    values = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
    torch.testing.assert_close(shares @ values, torch.tensor([[0.5, 3.0]]))


@pytest.mark.parametrize(
    ("word", "temperature", "percent", "total"),
    [
        (0, 0.5, [12.62, 5.61, 62.31, 3.89, 15.58], 30.4206),
        (0, 1.0, [18, 12, 40, 10, 20], 30.2),
        (0, 2.0, [19.58, 15.99, 29.19, 14.60, 20.64], 30.0725),
        (0, 3.0, [19.86, 17.35, 25.91, 16.32, 20.57], 30.0397),
        (0, 100.0, [20.00, 19.92, 20.16, 19.89, 20.02], 30.0006),
        (1, 0.5, [2.79, 1.79, 84.54, 2.79, 8.08], 31.1571),
        (1, 1.0, [10, 8, 55, 10, 17], 31.6),
        (1, 3.0, [16.99, 15.77, 29.98, 16.99, 20.27], 30.7791),
    ],
)
def test_the_table_of_weights(word, temperature, percent, total):
    shares, mixed = mix(word, temperature=temperature)
    assert shares == pytest.approx(percent, abs=0.006)
    assert mixed == pytest.approx(total, abs=6e-5)


@pytest.mark.parametrize(
    ("word", "percent", "total"),
    [(0, [100, 0, 0, 0, 0], 10), (1, [55.56, 44.44, 0, 0, 0], 14.4444)],
)
def test_the_table_when_no_word_sees_a_later_one(word, percent, total):
    row = causal().block((5, 5), slice(word, word + 1), slice(0, 5))
    shares, mixed = mix(word, allowed=row)
    assert shares == pytest.approx(percent, abs=0.006)
    assert mixed == pytest.approx(total, abs=6e-5)


def test_equal_scores_divide_alike_however_large():
    for scores in ([100.0] * 3, [0.0] * 3):
        shares = weights(
            torch.ones(1, 1), torch.ones(3, 1), score=lambda q, k, s=scores: torch.tensor([s])
        )
        torch.testing.assert_close(shares, torch.full((1, 3), 1 / 3))


def test_dividing_by_the_root_of_64_is_multiplying_by_an_eighth():
    query, key = torch.randn(3, 64), torch.randn(5, 64)
    torch.testing.assert_close(scaled_dot(query, key), query @ key.T * 0.125)
    torch.testing.assert_close(
        weights(query, key), weights(query, key, score=lambda q, k: q @ k.T, temperature=8.0)
    )


@pytest.mark.parametrize("d_k", [16, 64, 512])
def test_an_unscaled_product_has_the_variance_d_k(d_k):
    torch.manual_seed(d_k)
    products = (torch.randn(40_000, d_k) * torch.randn(40_000, d_k)).sum(1)
    assert float(products.var()) == pytest.approx(d_k, rel=0.03)
    assert float((products / math.sqrt(d_k)).var()) == pytest.approx(1, rel=0.03)


def test_without_positions_a_permutation_permutes_the_result():
    torch.manual_seed(1)
    attention = MultiHead(12, 3).double()
    x, order = torch.randn(2, 7, 12, dtype=torch.float64), torch.randperm(7)
    torch.testing.assert_close(attention(x, x)[:, order], attention(x[:, order], x[:, order]))


@pytest.mark.parametrize("k", [1, 7, 100])
def test_a_place_further_on_is_a_linear_map_of_a_place(k):
    table = sinusoids(400, 16).double()
    here, there = table[:300], table[k : 300 + k]
    step = k / 10000 ** (torch.arange(0, 16, 2).double() / 16)
    turn = torch.zeros(16, 16, dtype=torch.float64)
    for i, angle in enumerate(step.tolist()):
        sin, cos = math.sin(angle), math.cos(angle)
        turn[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[cos, sin], [-sin, cos]])
    torch.testing.assert_close(here @ turn.T, there, atol=3e-5, rtol=0)


@pytest.mark.parametrize("d_model", [16, 512])
def test_wavelengths_from_2_pi_towards_10000_times_as_long(d_model):
    sines, cosines = sinusoids(2, d_model)[1].double().unflatten(0, (-1, 2)).T
    lengths = (
        2 * math.pi / torch.atan2(sines, cosines)
    )  # how far one turns from a place to the next
    assert float(lengths[0]) == pytest.approx(2 * math.pi, rel=1e-6)
    ratios = lengths[1:] / lengths[:-1]
    torch.testing.assert_close(
        ratios, torch.full_like(ratios, 10000 ** (2 / d_model)), rtol=1e-6, atol=0
    )
    longest = 10000 ** (1 - 2 / d_model) * 2 * math.pi
    assert float(lengths[-1]) == pytest.approx(longest, rel=1e-5)
    assert longest < 10000 * 2 * math.pi
    if d_model == 512:
        assert round(longest) == 60_611


def test_the_feed_forward_network_is_two_convolutions_of_kernel_1():
    network = FeedForward(4, 7).double()
    x = torch.randn(3, 5, 4, dtype=torch.float64)
    wide, narrow = network.widen, network.narrow
    hidden = nn.functional.conv1d(x.mT, wide.weight[:, :, None], wide.bias).relu()
    expected = nn.functional.conv1d(hidden, narrow.weight[:, :, None], narrow.bias).mT
    torch.testing.assert_close(network(x), expected)


def seen(states, x):
    """Which of the five vectors a state depends on, by gradient."""
    (gradient,) = torch.autograd.grad(states.sum(), x, retain_graph=True)
    return (gradient[0] != 0).any(1).tolist()


def test_recurrence_carries_the_first_word_to_the_fifth_in_four_steps_attention_in_one_layer():
    torch.manual_seed(1)
    x = torch.randn(1, 5, 3, requires_grad=True)
    cell, hidden = Cell("rnn", 3, 3), None
    for word in range(5):
        hidden = cell(x[:, word], hidden or cell.start(x))
        assert seen(hidden[0], x) == [place <= word for place in range(5)]  # word gaps walked, of 4
    context = attend(x, x, x)
    for word in range(5):
        assert seen(context[:, word], x) == [True] * 5


def test_length_penalty():
    assert length_penalty(1, 0.6) == 1
    assert length_penalty(7, 0.6) == pytest.approx(2**0.6)
    assert length_penalty(25, 0.0) == 1


def test_learning_rates_of_base_and_big():
    for d_model, step, rate in [
        (512, 1, 1.747e-7),
        (512, 4000, 6.988e-4),
        (512, 100_000, 1.398e-4),
        (1024, 4000, 4.941e-4),
        (1024, 300_000, 5.705e-5),
    ]:
        assert learning_rate(step, d_model=d_model, warmup=4000) == pytest.approx(rate, rel=5e-4)


def test_five_words_cost_less_by_attention_than_by_recurrence():
    n, d = 5, 512
    assert (n * n * d, n * d * d, n * d * d / (n * n * d)) == (12_800, 1_310_720, 102.4)

    # what `sizes` counts for scores and mixing is n^2 d of each, in every layer
    def work(length):
        shape = TransformerConfig(encoder_layers=1, decoder_layers=1)
        return multiplications(shape, source=length, target=1, target_rows=1)

    quadratic = (work(30) - 2 * work(20) + work(10)) / (2 * 10**2)
    assert quadratic == 2 * d


def test_documented_shapes():
    """The shapes of Dive into Deep Learning, section 11.3 and 11.5."""
    valid = lengths(torch.tensor([2, 6]))
    keys, values = torch.randn(2, 10, 2), torch.randn(2, 10, 4)
    assert attend(torch.randn(2, 1, 2), keys, values, allowed=valid).shape == (2, 1, 4)
    score = Additive(20, 2, 8)
    queries = torch.randn(2, 1, 20)
    assert attend(queries, keys, values, score=score, allowed=valid).shape == (2, 1, 4)
    shares = weights(queries, keys, score=score, allowed=valid)
    assert (shares[0, 0, 2:] == 0).all()
    assert (shares[1, 0, 6:] == 0).all()
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, 1))
    for valid in (torch.tensor([2, 3]), torch.tensor([[1, 3], [2, 4]])):
        table = weights(torch.randn(2, 2, 3), torch.randn(2, 4, 3), allowed=lengths(valid))
        count = valid[:, None].expand(2, 2) if valid.ndim == 1 else valid
        assert torch.equal((table > 0).sum(-1), count)
    attention = MultiHead(100, 5)
    query, memory = torch.ones(2, 4, 100), torch.ones(2, 6, 100)
    found = attention(query, memory, allowed=lengths(torch.tensor([3, 2])))
    assert found.shape == (2, 4, 100)


def test_a_head_can_be_silenced_from_outside():
    torch.manual_seed(2)
    attention = MultiHead(12, 3, d_v=5, d_k=4)
    x = torch.randn(2, 7, 12)

    def silence(_module, inputs):
        heads = inputs[0].clone()
        heads[..., 5:10] = 0
        return (heads,)

    hook = attention.out_of_heads.register_forward_pre_hook(silence)
    silenced = attention(x, x)
    hook.remove()
    context = attention.attention(attention.ask(x), *_key_and_value(attention, x))
    context[:, 1] = 0
    expected = attention.out_of_heads(context.transpose(1, 2).flatten(2))
    torch.testing.assert_close(silenced, expected)
    assert not torch.allclose(silenced, attention(x, x))


def _key_and_value(attention, x):
    kept = attention.keep(x)
    return kept.key, kept.value
