"""The loss in blocks against its readable twin, and against torch."""

import math
import subprocess
import sys

import pytest
import torch
from torch.nn import functional

from regard.train import loss as module
from regard.train.loss import output_loss, smoothed_cross_entropy

VOCABULARY, D_MODEL, PIECES = 23, 7, 13


@pytest.fixture
def given():
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(PIECES, D_MODEL, dtype=torch.float64, generator=generator)
    weight = torch.randn(VOCABULARY, D_MODEL, dtype=torch.float64, generator=generator)
    target = torch.randint(VOCABULARY, (PIECES,), generator=generator)
    return states.requires_grad_(), weight.requires_grad_(), target


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.3])
def test_smoothing_puts_the_rest_on_all_other_pieces_evenly(given, smoothing):
    states, weight, target = given
    log_p = (states @ weight.T).log_softmax(1)
    wanted = torch.full((PIECES, VOCABULARY), smoothing / (VOCABULARY - 1), dtype=torch.float64)
    wanted[torch.arange(PIECES), target] = 1 - smoothing
    found = smoothed_cross_entropy(states @ weight.T, target, smoothing)
    torch.testing.assert_close(found.smoothed, -(wanted * log_p).sum())
    torch.testing.assert_close(found.unsmoothed, -log_p[torch.arange(PIECES), target].sum())


def test_smoothing_equals_torchs_of_another_strength(given):
    states, weight, target = given
    logits = states @ weight.T
    theirs = functional.cross_entropy(
        logits, target, label_smoothing=0.1 * VOCABULARY / (VOCABULARY - 1), reduction="sum"
    )
    torch.testing.assert_close(smoothed_cross_entropy(logits, target, 0.1).smoothed, theirs)


@pytest.mark.parametrize("block", [1, 5 * VOCABULARY, 1000 * VOCABULARY])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_blocks_change_neither_values_nor_gradients(given, monkeypatch, block, smoothing):
    monkeypatch.setattr(module, "BLOCK", block)
    states, weight, target = given
    plain = smoothed_cross_entropy(states @ weight.T, target, smoothing)
    blocks = output_loss(states, weight, target, smoothing=smoothing)
    torch.testing.assert_close(blocks.smoothed, plain.smoothed, atol=1e-12, rtol=0)
    torch.testing.assert_close(blocks.unsmoothed, plain.unsmoothed, atol=1e-12, rtol=0)
    expected = torch.autograd.grad(3 * plain.smoothed, (states, weight))
    found = torch.autograd.grad(3 * blocks.smoothed, (states, weight))
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)
    with torch.no_grad():
        judged = output_loss(states, weight, target, smoothing=smoothing)
    torch.testing.assert_close(judged, blocks, atol=1e-12, rtol=0)


def test_large_logits_do_not_overflow(given):
    states, weight, target = (t.float() if t.is_floating_point() else t for t in given)
    plain = smoothed_cross_entropy(1e3 * states @ weight.T, target, 0.1)
    blocks = output_loss(1e3 * states, weight, target, smoothing=0.1)
    assert blocks.smoothed.isfinite()
    torch.testing.assert_close(blocks, plain)


def test_a_perfect_model_meets_the_floor_that_smoothing_leaves():
    """1.377 nats at 0.1 and 37,000 rows."""
    rows, smoothing = 37_000, 0.1
    logits = torch.full((1, rows), math.log(smoothing / (rows - 1)), dtype=torch.float64)
    logits[0, 5] = math.log(1 - smoothing)
    floor = smoothed_cross_entropy(logits, torch.tensor([5]), smoothing).smoothed
    assert round(float(floor), 3) == 1.377


MEMORY = """
import sys, torch
from regard.train.loss import output_loss

def peak():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])

torch.manual_seed(1)
states = torch.randn(1800, 512, requires_grad=True)
weight = torch.nn.Parameter(torch.randn(32_000, 512) / 512**0.5)
target = torch.randint(32_000, (1800,))
(states[:8] @ weight.T).sum().backward()  # what a first product needs is there
before = peak()
if sys.argv[1] == "blocks":
    loss = output_loss(states, weight, target, smoothing=0.1).smoothed
else:
    loss = torch.nn.functional.cross_entropy(states @ weight.T, target, label_smoothing=0.1)
loss.backward()
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the largest memory of a process")
def test_memory_is_a_third_of_cross_entropys():
    """At most; in kilobytes beyond states, weight and their gradients."""
    extra = {}
    for way in ("blocks", "whole"):
        command = [sys.executable, "-c", MEMORY, way]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        extra[way] = int(done.stdout)
    assert 0 < extra["blocks"] <= extra["whole"] / 3
