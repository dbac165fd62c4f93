"""The five scores against the mathematics as loops, and both paths against each other."""

import math

import pytest
import torch

from regard.attention import (
    Additive,
    Attention,
    General,
    ReducedRank,
    additive,
    attend,
    causal,
    dot,
    general,
    lengths,
    reduced_rank,
    scaled_dot,
    weights,
    window,
)


def random(*shape, seed=1, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator).to(dtype)


QUERY, KEY = random(5, 7, seed=1), random(11, 7, seed=2)
WIDE_KEY = random(11, 3, seed=3)
MATRIX = random(7, 3, seed=4)
U, V = random(2, 7, seed=5), random(2, 3, seed=6)
INTO_QUERY, INTO_KEY, VECTOR = random(13, 7, seed=7), random(13, 3, seed=8), random(13, seed=9)


def each_pair(function, queries, keys):
    return torch.tensor([[float(function(q, k)) for k in keys] for q in queries]).double()


NAMES = ("dot", "scaled", "general", "reduced", "additive")
"""Of `same_width_scores`."""


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (dot(QUERY, KEY), each_pair(lambda q, k: sum(q * k), QUERY, KEY)),
        (scaled_dot(QUERY, KEY), each_pair(lambda q, k: sum(q * k) / math.sqrt(7), QUERY, KEY)),
        (
            general(QUERY, WIDE_KEY, MATRIX),
            each_pair(lambda q, k: q @ (MATRIX @ k), QUERY, WIDE_KEY),
        ),
        (
            reduced_rank(QUERY, WIDE_KEY, U, V),
            each_pair(lambda q, k: q @ (U.T @ V) @ k, QUERY, WIDE_KEY),
        ),
        (
            additive(QUERY, WIDE_KEY, INTO_QUERY, INTO_KEY, VECTOR),
            each_pair(
                lambda q, k: sum(
                    VECTOR[i] * math.tanh(INTO_QUERY[i] @ q + INTO_KEY[i] @ k) for i in range(13)
                ),
                QUERY,
                WIDE_KEY,
            ),
        ),
    ],
    ids=["dot", "scaled_dot", "general", "reduced_rank", "additive"],
)
def test_a_score_of_each_query_and_key(found, expected):
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-6)


MODULES = [General(7, 3), ReducedRank(7, 3, 2), Additive(7, 3, 13)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: type(module).__name__)
def test_a_module_calls_its_function_and_comes_apart(module):
    module = module.double()
    function = {General: general, ReducedRank: reduced_rank, Additive: additive}[type(module)]
    batch = torch.stack((QUERY, -QUERY)), torch.stack((WIDE_KEY, 2 * WIDE_KEY))
    found = module(*batch)
    assert torch.equal(found, function(*batch, *module.parameters()))
    apart = module.compare(module.queries(batch[0]), module.keys(batch[1]))
    torch.testing.assert_close(found, apart, atol=1e-12, rtol=0)


def same_width_scores():
    torch.manual_seed(3)
    return [dot, scaled_dot, General(8, 8), ReducedRank(8, 8, 3), Additive(8, 8, 5)]


TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}


def some_rules():
    table = random(2, 3, 6, 9, seed=4) > 0
    table[:, 1, 2] = False  # a query that may look nowhere
    return [None, causal(), causal() & window(2), lengths(torch.tensor([4, 0])), table]


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("which", range(5), ids=lambda i: NAMES[i])
@pytest.mark.parametrize("rule", range(5))
def test_both_paths_agree_in_value_and_gradient(dtype, which, rule):
    score, allowed = same_width_scores()[which], some_rules()[rule]
    if isinstance(score, torch.nn.Module):
        score = score.to(dtype)
    found = []
    for fused in (True, False):
        leaves = [random(2, 3, n, 8, seed=n, dtype=dtype).requires_grad_() for n in (6, 9)]
        query, key = leaves
        value = random(2, 3, 9, 8, seed=7, dtype=dtype).requires_grad_()
        options = {"score": score, "allowed": allowed, "temperature": 1.7}
        if fused:
            context = attend(query, key, value, **options)
        else:
            context = weights(query, key, **options) @ value
        assert context.dtype == dtype
        wanted = random(2, 3, 6, 8, seed=5, dtype=dtype)
        gradients = torch.autograd.grad((context * wanted).sum(), [*leaves, value])
        assert all(gradient.isfinite().all() for gradient in gradients)
        found.append([context.detach(), *gradients])
    for one, other in zip(*found, strict=True):
        scale = 1 + float(one.abs().max())
        torch.testing.assert_close(one, other, atol=TOLERANCE[dtype] * scale, rtol=0)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_scores_beyond_the_range_of_float16(dtype):
    query = torch.tensor([[300.0] * 8, [-300.0] * 8], dtype=dtype)
    key = torch.tensor([[300.0] * 8, [-300.0] * 8, [0.0] * 8], dtype=dtype)
    value = torch.eye(3, dtype=dtype)[:, :2]
    expected = torch.tensor([[1, 0], [0, 1]], dtype=dtype)
    assert torch.equal(attend(query, key, value), expected)
    assert torch.equal(weights(query, key) @ value, expected)


@pytest.mark.parametrize("score", same_width_scores(), ids=NAMES)
@pytest.mark.parametrize("shape", [(), (2,), (2, 3), (2, 3, 2)], ids=str)
def test_any_leading_axes_one_key_and_none(score, shape):
    for keys in (1, 0):
        query, key = random(*shape, 5, 8).float(), random(*shape, keys, 8, seed=2).float()
        value = random(*shape, keys, 3, seed=3).float()
        expected = value.expand(*shape, 5, 3) if keys else torch.zeros(*shape, 5, 3)
        torch.testing.assert_close(attend(query, key, value, score=score), expected)
        assert weights(query, key, score=score).shape == (*shape, 5, keys)


def test_a_temperature_is_one_more_divisor_of_the_scores():
    table = weights(QUERY, KEY, temperature=3.0)
    torch.testing.assert_close(table, (scaled_dot(QUERY, KEY) / 3).softmax(-1))
    for wrong in (0.0, -1.0, math.nan, math.inf):
        for function in (weights, lambda q, k, **o: attend(q, k, k, **o)):
            with pytest.raises(ValueError, match=r"temperature .* must be above 0"):
                function(QUERY, KEY, temperature=wrong)


def test_widths_that_do_not_fit_are_named():
    for score in (dot, scaled_dot):
        with pytest.raises(ValueError, match="one width, got 7 and 3"):
            weights(QUERY, WIDE_KEY, score=score)
        with pytest.raises(ValueError, match="one width, got 7 and 3"):
            attend(QUERY, WIDE_KEY, WIDE_KEY, score=score)
    for module in (General(5, 3), ReducedRank(5, 3, 2), Additive(5, 3, 13)):
        with pytest.raises(ValueError, match="7"):
            attend(QUERY, WIDE_KEY, WIDE_KEY, score=module.double())


def test_dropped_weights_are_not_shown():
    attention = Attention(dropout=0.5).double()
    torch.manual_seed(1)
    query, key, value = QUERY, KEY, torch.eye(11, dtype=torch.float64)
    mixed = attention(query, key, value)  # the weights that were used
    shown = attention.weights(query, key)
    assert torch.equal(shown, weights(query, key))
    dropped = mixed == 0
    assert dropped.any()
    torch.testing.assert_close(mixed[~dropped], 2 * shown[~dropped])
