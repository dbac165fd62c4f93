"""One update, and that it does not matter how its batches are cut."""

import numpy as np
import pytest
import torch

from regard.data.batch import Batch
from regard.data.examples import Examples, Ragged
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.train.loss import smoothed_cross_entropy
from regard.train.optimiser import adam, moments, remember
from regard.train.step import Learner, batch_loss, update


def tiny(dropout=0.0):
    config = TransformerConfig(
        d_model=10, d_ff=14, heads=2, encoder_layers=1, decoder_layers=1, dropout=dropout
    )
    generator = torch.Generator().manual_seed(3)
    return build(config, source_rows=19, target_rows=19, generator=generator).double()


@pytest.fixture
def examples():
    random = np.random.default_rng(1)
    rows = [[*random.integers(4, 19, size=length).tolist(), 1] for length in (2, 3, 5, 7, 11, 1, 4)]
    return Examples(Ragged.of(rows), Ragged.of(rows[::-1]))


def gradients(model, batches):
    """What `update` follows, seen through an optimiser that changes nothing."""
    seen = []

    class Watch(torch.optim.SGD):
        def step(self):
            seen.extend(p.grad.clone() for p in model.parameters())

    optimiser = Watch(model.parameters(), lr=0.0)
    result = update(Learner(model, label_smoothing=0.1), batches, optimiser, rate=0.0)
    return result, seen


def test_micro_batches_give_the_gradients_of_one_big_batch(examples):
    model = tiny()
    cuts = [np.array([0]), np.array([1, 2, 3, 4]), np.array([5, 6])]
    together, expected = gradients(model, [Batch.of(examples, np.arange(7))])
    apart, found = gradients(model, [Batch.of(examples, rows) for rows in cuts])
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)
    assert apart.loss == pytest.approx(together.loss, abs=1e-12)
    assert apart.pieces == together.pieces == 2 * sum((3, 4, 6, 8, 12, 2, 5))


def test_the_loss_is_per_real_target_piece(examples):
    model = tiny()
    batch = Batch.of(examples, np.arange(7))
    total, count = 0.0, 0
    for row in range(7):
        alone = Batch.of(examples, np.array([row]))
        part = smoothed_cross_entropy(model(alone)[0], alone.target_out.ids[0], 0.1)
        total += float(part.smoothed.detach())
        count += alone.target_out.ids.shape[1]
    result, _ = gradients(model, [batch])
    assert result.loss == pytest.approx(total / count, abs=1e-12)
    unsmoothed = float(batch_loss(model, batch, label_smoothing=0.1).unsmoothed) / count
    assert result.unsmoothed == pytest.approx(unsmoothed, abs=1e-12)


def test_a_long_gradient_is_shortened(examples):
    model = tiny()
    batches = [Batch.of(examples, np.arange(7))]
    free, long = gradients(model, batches)
    norm = torch.cat([g.flatten() for g in long]).norm().item()
    assert free.gradient_norm == pytest.approx(norm, rel=1e-6)

    seen = []

    class Watch(torch.optim.SGD):
        def step(self):
            seen.append(torch.cat([p.grad.flatten() for p in model.parameters()]).norm().item())

    optimiser = Watch(model.parameters(), lr=0.0)
    update(Learner(model, label_smoothing=0.1), batches, optimiser, rate=0.0, clip=0.25)
    assert seen[0] == pytest.approx(0.25, rel=1e-4)


def test_adam_takes_the_step_of_the_paper(examples):
    """Against the formula of Kingma and Ba, written out."""
    model = tiny()
    before = [p.detach().clone() for p in model.parameters()]
    batches = [Batch.of(examples, np.arange(7))]
    _, gradient = gradients(model, batches)
    update(Learner(model, label_smoothing=0.1), batches, adam(model), rate=0.01)
    for p, old, g in zip(model.parameters(), before, gradient, strict=True):
        mean, square = 0.1 * g / (1 - 0.9), 0.02 * g**2 / (1 - 0.98)
        expected = old - 0.01 * mean / (square.sqrt() + 1e-9)
        torch.testing.assert_close(p.detach(), expected, atol=1e-9, rtol=0)


def test_what_is_not_finite_changes_nothing(examples):
    model = tiny()
    with torch.no_grad():
        model.output.weight[5, 5] = torch.inf
    before = [p.detach().clone() for p in model.parameters()]
    optimiser = adam(model)
    learner = Learner(model, label_smoothing=0.1)
    result = update(learner, [Batch.of(examples, np.arange(7))], optimiser, rate=0.01)
    assert not result.finite
    for p, old in zip(model.parameters(), before, strict=True):
        torch.testing.assert_close(p.detach(), old, atol=0, rtol=0)
    assert not optimiser.state


def test_adams_memory_is_handed_on(examples):
    batches = [Batch.of(examples, np.arange(7))]

    def go(model, optimiser):
        update(Learner(model, label_smoothing=0.1), batches, optimiser, rate=0.01)

    straight = tiny()
    optimiser = adam(straight)
    for _ in range(4):
        go(straight, optimiser)
    resumed = tiny()
    first = adam(resumed)
    for _ in range(2):
        go(resumed, first)
    second = adam(resumed)
    remember(resumed, second, moments(resumed, first))
    for _ in range(2):
        go(resumed, second)
    for a, b in zip(straight.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(a, b)


def test_an_interrupted_update_is_as_if_it_had_not_been_tried(examples):
    model = tiny()
    before = [p.detach().clone() for p in model.parameters()]
    optimiser = adam(model)
    batches = [Batch.of(examples, rows) for rows in (np.array([0, 1]), np.array([2, 3]))]
    asked = iter([False, True])
    learner = Learner(model, label_smoothing=0.1)
    result = update(learner, batches, optimiser, rate=0.1, interrupted=lambda: next(asked))
    assert result is None
    assert all(map(torch.equal, before, model.parameters()))
    assert not optimiser.state
    assert all(p.grad is None for p in model.parameters())


def test_bfloat16_changes_little_and_keeps_float32_where_sums_are_made(examples):
    model = tiny().float()
    batch = Batch.of(examples, np.arange(7))
    losses = {}
    for bfloat16 in (False, True):
        loss = batch_loss(model, batch, label_smoothing=0.1, bfloat16=bfloat16)
        loss.smoothed.backward()
        losses[bfloat16] = loss.smoothed.detach(), [p.grad for p in model.parameters()]
        model.zero_grad()
    assert {grad.dtype for _, grads in losses.values() for grad in grads} == {torch.float32}
    (plain, expected), (narrow, found) = losses[False], losses[True]
    assert plain.dtype == narrow.dtype == torch.float32
    assert float(narrow) == pytest.approx(float(plain), rel=0.01)
    whole = torch.cat([g.flatten() for g in expected])
    error = torch.cat([g.flatten() for g in found]) - whole
    assert 0 < error.norm() < 0.03 * whole.norm()


def test_padding_is_told(examples):
    batch = Batch.of(examples, np.arange(7))
    assert batch.counts == (40, 40, 2 * 7 * 12)
    result, _ = gradients(tiny(), [batch])
    assert result.padding == pytest.approx(1 - 80 / 168)
