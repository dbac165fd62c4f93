"""The summary against the whole table of weights."""

import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from regard.attention import (
    Additive,
    General,
    ReducedRank,
    causal,
    documents,
    dot,
    lengths,
    summary,
    weights,
    window,
)
from regard.attention.summary import BLOCK


def random(*shape, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


RULES = [
    None,
    causal(),
    causal() & window(70),
    lengths(torch.tensor([0, 1000])),
    documents(torch.arange(1000) // 300),
    random(1, 1, 1, 1000, seed=5) > 0,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("temperature", [1.0, 0.3])
def test_it_says_what_the_whole_table_says(rule, temperature):
    query, key = random(2, 3, 900, 5, seed=1), random(2, 3, 1000, 5, seed=2)
    assert 2 * BLOCK < 2 * 3 * 900 * 1000  # several blocks
    options = {"allowed": rule, "temperature": temperature}
    table = weights(query, key, **options)
    found = summary(query, key, **options, top=7, watch=[0, 999, 5])
    entropy = -(table * table.clamp(min=1e-300).log()).sum(-1)
    torch.testing.assert_close(found.entropy, entropy, atol=1e-9, rtol=0)
    torch.testing.assert_close(found.largest, table.topk(7).values, atol=1e-12, rtol=0)
    torch.testing.assert_close(table.gather(-1, found.places), found.largest, atol=1e-12, rtol=0)
    own = table.diagonal(offset=100, dim1=-2, dim2=-1)
    torch.testing.assert_close(found.own, own, atol=1e-12, rtol=0)
    watched = table[..., [0, 999, 5]].sum(-1)
    torch.testing.assert_close(found.watched, watched, atol=1e-12, rtol=0)
    torch.testing.assert_close(found.received, table.sum(-2), atol=1e-10, rtol=0)


@pytest.mark.parametrize("score", [dot, Additive(4, 4, 3).double()], ids=["dot", "additive"])
def test_any_score_and_no_leading_axes(score):
    query, key = random(3, 4, seed=1), random(130, 4, seed=2)
    found = summary(query, key, score=score, top=200)
    table = weights(query, key, score=score)
    torch.testing.assert_close(found.largest, table.sort(descending=True).values)
    assert found.received.shape == (130,)


def test_a_score_of_minus_infinity_is_no_weight_and_no_entropy():
    query, key = random(6, 4, seed=1), random(9, 4, seed=2)

    def some(q, k):
        return dot(q, k).masked_fill(torch.arange(9) % 3 == 0, -math.inf)

    for rule in (None, causal()):
        found = summary(query, key, score=some, allowed=rule, top=9)
        table = weights(query, key, score=some, allowed=rule)
        entropy = -(table * table.clamp(min=1e-300).log()).sum(-1)
        torch.testing.assert_close(found.entropy, entropy, atol=1e-12, rtol=0)
        torch.testing.assert_close(found.received, table.sum(-2), atol=1e-12, rtol=0)


@pytest.mark.parametrize("kind", [General, ReducedRank, Additive])
def test_a_score_with_parameters_makes_its_keys_once(kind, monkeypatch):
    score = kind(4, 6, *[5] * (kind is not General)).double()
    query, key = random(2, 7, 4, seed=1), random(2, 9, 6, seed=2)
    room = sys.modules["regard.attention.summary"]
    monkeypatch.setattr(room, "BLOCK", 2 * 9)  # one query at a time
    made = []
    keys = score.keys
    monkeypatch.setattr(score, "keys", lambda key: made.append(key) or keys(key))
    found = summary(query, key, score=score, top=3)
    table = weights(query, key, score=score)
    torch.testing.assert_close(found.largest, table.topk(3).values, atol=1e-12, rtol=0)
    torch.testing.assert_close(found.received, table.sum(-2), atol=1e-12, rtol=0)
    assert len(made) == 1


def test_all_alike_and_one_alone():
    found = summary(torch.zeros(4, 2), torch.zeros(16, 2))
    torch.testing.assert_close(found.entropy, torch.full((4,), math.log(16)))
    assert summary(torch.zeros(4, 2), torch.zeros(1, 2)).entropy.tolist() == [0.0] * 4


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's account")
def test_memory_grows_with_the_length_not_with_its_square():
    short, long = _sizes(GROWTH)
    assert long < short + 40_000  # kB; a table of 16,384 x 16,384 has a million


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's account")
def test_what_is_inside_an_additive_score_counts_as_memory():
    before, after = _sizes(WITHIN)
    assert after < before + 60_000  # kB; 256 queries x 8,192 keys x 64 numbers have 500,000


def _sizes(script):
    command = [sys.executable, "-c", LARGEST + script]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100)
    return map(int, done.stdout.split())


LARGEST = """
import torch
from regard.attention import Additive, causal, summary

def largest():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
"""

GROWTH = """
for n in (4096, 16384):
    x = torch.randn(n, 8)
    summary(x, x, allowed=causal())
    print(largest())
"""

WITHIN = """
x = torch.randn(8192, 8)
summary(x[:1], x, score=Additive(8, 8, 64))
print(largest())
summary(x[:256], x, score=Additive(8, 8, 64))
print(largest())
"""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 0}, "top 0"),
        ({"watch": [3]}, "places of 3 keys"),
        ({"temperature": 0.0}, "above 0"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        summary(torch.zeros(2, 2), torch.zeros(3, 2), **options)
    with pytest.raises(ValueError, match="no keys"):
        summary(torch.zeros(2, 2), torch.zeros(0, 2))
