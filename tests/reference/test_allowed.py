"""Who may look where, each rule against its sentence, place by place."""

import re
from itertools import product

import pytest
import torch

from regard.attention import Allowed, attend, causal, documents, lengths, prefix, weights, window

IDS = [0, 0, 1, 1, 1, 2, 2]
SHAPE = (2, 3, 5, 7)  # batch, heads, queries, keys: query i stands at place i + 2


def table(says):
    """A table of SHAPE from a function of row, query, place of the query and key."""
    rows = [
        [[says(row, query, query + 2, key) for key in range(7)] for query in range(5)]
        for row in range(2)
    ]
    return torch.tensor(rows)[:, None].expand(SHAPE)


PER_QUERY = torch.tensor([[1, 2, 3, 4, 5], [7, 0, 7, 0, 7]])
RULES = [
    (causal(), lambda row, query, place, key: key <= place),
    (window(1), lambda row, query, place, key: abs(key - place) <= 1),
    (window(0), lambda row, query, place, key: key == place),
    (prefix(4), lambda row, query, place, key: key < 4 or key <= place),
    (lengths(torch.tensor([3, 7])), lambda row, query, place, key: key < (3, 7)[row]),
    (lengths(PER_QUERY), lambda row, query, place, key: key < PER_QUERY[row, query]),
    (documents(torch.tensor(IDS)), lambda row, query, place, key: IDS[key] == IDS[place]),
    (
        documents(torch.tensor([IDS, [0] * 7])),
        lambda row, query, place, key: row == 1 or IDS[key] == IDS[place],
    ),
    (
        causal() & window(2) & lengths(torch.tensor([3, 7])),
        lambda row, query, place, key: place - 2 <= key <= place and key < (3, 7)[row],
    ),
    (
        causal() & (torch.arange(7) % 2 == 0)[None],
        lambda row, query, place, key: key <= place and key % 2 == 0,
    ),
]


@pytest.mark.parametrize(("rule", "says"), RULES, ids=lambda x: type(x).__name__)
def test_a_rule_is_what_its_sentence_says(rule: Allowed, says):
    assert torch.equal(rule.dense(SHAPE).expand(SHAPE), table(says))


@pytest.mark.parametrize(("rule", "says"), RULES, ids=lambda x: type(x).__name__)
def test_any_block_is_that_part_of_the_whole(rule: Allowed, says):
    whole = rule.dense(SHAPE).expand(SHAPE)
    for a, b, c, d in product((0, 1, 4), (2, 5), (0, 3), (3, 7)):
        queries, keys = slice(a, max(a, b)), slice(c, max(c, d))
        block = rule.block(SHAPE, queries, keys)
        expected = whole[..., queries, keys]
        assert torch.equal(block.expand(expected.shape), expected)


def test_a_step_with_kept_keys_sees_all_of_them():
    assert causal().dense((1, 7)).all()
    assert causal().dense((2, 3)).tolist() == [[True, True, False], [True, True, True]]


def test_a_tensor_on_the_left_is_taken_too():
    given = torch.ones(3, 3, dtype=torch.bool)
    assert torch.equal((given & causal()).dense((3, 3)), causal().dense((3, 3)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: window(-1), "window -1 must not be negative"),
        (lambda: prefix(-2), "prefix -2 must not be negative"),
        (lambda: lengths(torch.tensor([3, 8])).dense(SHAPE), "length 8 is outside a row of 7 keys"),
        (lambda: lengths(torch.tensor([-1, 5])).dense(SHAPE), "length -1 is outside"),
        (lambda: lengths(torch.tensor([3])).dense(SHAPE), r"lengths of shape \[1\] do not fit"),
        (lambda: documents(torch.tensor([1, 2])).dense(SHAPE), r"documents of shape \[2\]"),
        (lambda: lengths(torch.tensor([1.5])), "lengths must be a tensor of integers, got torch.f"),
        (lambda: lengths(torch.tensor([True])), "integers, got torch.bool"),
        (lambda: lengths([1]), "lengths must be a tensor of integers, got list"),
        (lambda: documents([1]), "documents must be a tensor of integers, got list"),
        (lambda: causal() & torch.ones(3), "Boolean tensor, .* got torch.float32"),
        (lambda: causal() & [True], "Boolean tensor, .* got list"),
        (
            lambda: weights(torch.ones(2, 3), torch.ones(4, 3), allowed=torch.ones(2, 5) > 0),
            r"allowed of shape \[2, 5\] does not fit scores of shape \[2, 4\]",
        ),
    ],
)
def test_what_cannot_be_is_refused(make, message, monkeypatch):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)  # as in a program
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("shape", [(5, 4), (3, 4, 4), (1, 2, 4, 4)], ids=str)
def test_a_tensor_that_does_not_fit_is_refused_on_both_paths(shape):
    x = torch.ones(2, 4, 3)
    for function in (lambda **o: attend(x, x, x, **o), lambda **o: weights(x, x, **o)):
        with pytest.raises(ValueError, match=re.escape(f"allowed of shape {list(shape)} does not")):
            function(allowed=torch.ones(shape) > 0)


@pytest.mark.parametrize("shape", [(2, 3, 5, 7), (3, 5, 7), (5, 7)], ids=str)
def test_a_tensor_of_fewer_axes_is_that_of_the_last_ones(shape):
    generator = torch.Generator().manual_seed(1)
    query, key = (torch.randn(*shape[:-2], n, 4, generator=generator) for n in shape[-2:])
    for axes in range(len(shape) + 1):
        suffix = shape[len(shape) - axes :]
        table = torch.rand(suffix, generator=generator) > 0.3
        whole = table.expand(shape)
        for allowed, the_same in [
            (table, whole),
            (table & causal(), whole & causal().dense(shape)),
        ]:
            expected = weights(query, key, allowed=the_same) @ key
            torch.testing.assert_close(weights(query, key, allowed=allowed) @ key, expected)
            torch.testing.assert_close(attend(query, key, key, allowed=allowed), expected)
