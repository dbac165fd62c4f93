"""One update, and that it does not matter how its batches are cut."""

import numpy as np
import pytest
import torch

from regard.data.batch import Batch
from regard.data.pairs import Examples, Ragged
from regard.errors import NotFiniteError
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.train.loss import smoothed_cross_entropy
from regard.train.optimiser import adam, moments, remember
from regard.train.step import batch_loss, update


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
    result = update(model, batches, optimiser, rate=0.0, label_smoothing=0.1, clip=0.0)
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
    update(model, batches, optimiser, rate=0.0, label_smoothing=0.1, clip=0.25)
    assert seen[0] == pytest.approx(0.25, rel=1e-4)


def test_adam_takes_the_step_of_the_paper(examples):
    """Against the formula of Kingma and Ba, written out."""
    model = tiny()
    before = [p.detach().clone() for p in model.parameters()]
    batches = [Batch.of(examples, np.arange(7))]
    _, gradient = gradients(model, batches)
    update(model, batches, adam(model), rate=0.01, label_smoothing=0.1, clip=0.0)
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
    with pytest.raises(NotFiniteError, match=r"training\.factor"):
        update(
            model,
            [Batch.of(examples, np.arange(7))],
            optimiser,
            rate=0.01,
            label_smoothing=0.1,
            clip=0.0,
        )
    for p, old in zip(model.parameters(), before, strict=True):
        torch.testing.assert_close(p.detach(), old, atol=0, rtol=0)
    assert not optimiser.state


def test_adams_memory_is_handed_on(examples):
    batches = [Batch.of(examples, np.arange(7))]
    options = {"rate": 0.01, "label_smoothing": 0.1, "clip": 0.0}
    straight = tiny()
    optimiser = adam(straight)
    for _ in range(4):
        update(straight, batches, optimiser, **options)
    resumed = tiny()
    first = adam(resumed)
    for _ in range(2):
        update(resumed, batches, first, **options)
    second = adam(resumed)
    remember(resumed, second, moments(resumed, first))
    for _ in range(2):
        update(resumed, batches, second, **options)
    for a, b in zip(straight.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(a, b)
