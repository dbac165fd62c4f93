"""Attention against the mathematics, written as loops to be read."""

import numpy as np
import pytest
import torch

from regard.attention import MultiHead, attend, causal, weights


def slow_weights(query, key, allowed):
    """Softmax(q . k / sqrt(d_k)) over the keys that a query may look at; zeros if none."""
    result = np.zeros((len(query), len(key)))
    for i, q in enumerate(query):
        places = [j for j in range(len(key)) if allowed[i, j]]
        scores = [float(q @ key[j]) / np.sqrt(len(q)) for j in places]
        shares = [np.exp(score - max(scores)) for score in scores]
        for j, share in zip(places, shares, strict=True):
            result[i, j] = share / sum(shares)
    return result


def random(*shape, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


@pytest.fixture
def qkv():
    return random(5, 7, seed=1), random(11, 7, seed=2), random(11, 3, seed=3)


def some_allowed():
    allowed = random(5, 11, seed=4) > 0
    allowed[2] = False  # a query that may look nowhere
    return allowed


def test_weights_are_the_softmax_of_scaled_products(qkv):
    query, key, _ = qkv
    everywhere = np.ones((5, 11), dtype=bool)
    expected = slow_weights(query.numpy(), key.numpy(), everywhere)
    np.testing.assert_allclose(weights(query, key), expected, atol=1e-12)


def test_only_allowed_places_get_weight(qkv):
    query, key, _ = qkv
    allowed = some_allowed()
    expected = slow_weights(query.numpy(), key.numpy(), allowed.numpy())
    np.testing.assert_allclose(weights(query, key, allowed=allowed), expected, atol=1e-12)


@pytest.mark.parametrize("allowed", [None, some_allowed()])
def test_the_fused_path_mixes_with_the_same_weights(qkv, allowed):
    query, key, value = qkv
    context = attend(query, key, value, allowed=allowed)
    expected = weights(query, key, allowed=allowed) @ value
    torch.testing.assert_close(context, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("path", ["plain", "fused"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_a_query_that_may_look_nowhere_gets_zeros_and_finite_gradients(path, dtype):
    query, key, value = (random(2, 3, 4, seed=i).to(dtype).requires_grad_() for i in range(3))
    allowed = torch.zeros(2, 3, 3, dtype=torch.bool)
    allowed[0] = True  # the second sentence may look nowhere at all
    if path == "plain":
        context = weights(query, key, allowed=allowed) @ value
    else:
        context = attend(query, key, value, allowed=allowed)
    context.sum().backward()
    assert (context[1] == 0).all()
    for tensor in (query, key, value):
        assert tensor.grad is not None
        assert tensor.grad.isfinite().all()
        assert (tensor.grad[1] == 0).all()


@pytest.mark.parametrize("allowed", [None, some_allowed()])
def test_both_paths_have_the_same_gradients(qkv, allowed):
    gradients = []
    for fused in (False, True):
        leaves = [tensor.clone().requires_grad_() for tensor in qkv]
        query, key, value = leaves
        if fused:
            context = attend(query, key, value, allowed=allowed)
        else:
            context = weights(query, key, allowed=allowed) @ value
        gradients.append(torch.autograd.grad((context * random(5, 3, seed=9)).sum(), leaves))
    for plain, fused in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, fused, atol=1e-12, rtol=0)


def test_causal_lets_a_position_see_itself_and_what_came_before():
    assert causal().dense((3, 3)).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_heads_are_concatenated_and_projected():
    attention = MultiHead(10, 2, d_k=3, d_v=7).double()
    x, memory = random(5, 10, seed=1), random(11, 10, seed=2)
    into, out = attention.into_heads, attention.out_of_heads
    query = x @ into.weight[:6].T + into.bias[:6]
    key = memory @ into.weight[6:12].T + into.bias[6:12]
    value = memory @ into.weight[12:].T + into.bias[12:]
    heads = [
        weights(query[:, 3 * h : 3 * h + 3], key[:, 3 * h : 3 * h + 3])
        @ value[:, 7 * h : 7 * h + 7]
        for h in range(2)
    ]
    expected = torch.cat(heads, dim=1) @ out.weight.T + out.bias
    torch.testing.assert_close(attention(x[None], memory[None])[0], expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("keys", [11, 71])  # the plain path, and the fused one
def test_multi_head_weights_mix_to_what_it_returns(keys):
    attention = MultiHead(8, 2).double().eval()
    x, memory = random(3, 5, 8, seed=1), random(3, keys, 8, seed=2)
    allowed = random(3, 1, 5, keys, seed=3) > 0
    shares = attention.weights(x, memory, allowed=allowed)
    mixed = (shares @ attention.keep(memory).value).transpose(1, 2).flatten(2)
    expected = attention.out_of_heads(mixed)
    result = attention(x, memory, allowed=allowed)
    torch.testing.assert_close(result, expected, atol=1e-12, rtol=0)
    both = attention.with_weights(x, memory, allowed=allowed)
    torch.testing.assert_close(both, (expected, shares), atol=1e-12, rtol=0)


def test_what_looks_into_attention_sees_one_call_of_forward():
    attention = MultiHead(8, 2).double().eval()
    x = random(3, 5, 8)
    caught = []
    attention.attention.register_forward_pre_hook(lambda module, inputs: caught.append(inputs))
    attention(x, x)
    assert len(caught) == 1
    shares = attention.attention.weights(*caught[0][:2])
    assert torch.equal(attention.with_weights(x, x)[1], shares)
    assert len(caught) == 1  # its caller has seen the weights already


@pytest.mark.parametrize(
    ("heads", "options", "message"),
    [
        (4, {}, "d_model 10 cannot be shared by 4 heads"),
        (0, {}, "heads 0 must be at least 1"),
        (-2, {"d_k": 3, "d_v": 3}, "heads -2 must be at least 1"),
        (2, {"d_k": -1}, "d_k -1 must be at least 1"),
        (2, {"d_v": 0}, "d_v 0 must be at least 1"),
    ],
)
def test_heads_that_do_not_fit_are_refused(heads, options, message):
    with pytest.raises(ValueError, match=message):
        MultiHead(10, heads, **options)


def test_vectors_of_another_width_are_refused():
    attention = MultiHead(10, 2)
    for call in (lambda x: attention(x, x), attention.ask, attention.keep, attention.ask_and_keep):
        with pytest.raises(ValueError, match="of width 7 do not fit a matrix for width 10"):
            call(torch.zeros(2, 3, 7))


@pytest.mark.parametrize("values", [0, 7, 10])
def test_each_key_needs_its_value(values, monkeypatch):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)  # as in a program
    query, key, value = random(5, 4), random(9, 4), random(values, 4)
    with pytest.raises(ValueError, match=f"9 keys need as many values, got {values}"):
        attend(query, key, value)
