import pytest

from regard.train.schedule import cooldown, learning_rate


@pytest.mark.parametrize(
    ("step", "d_model", "rate"),
    [
        (1, 512, 1.747e-7),
        (4000, 512, 6.988e-4),
        (100_000, 512, 1.398e-4),
        (4000, 1024, 4.941e-4),
        (300_000, 1024, 5.705e-5),
    ],
)
def test_the_papers_values(step, d_model, rate):
    assert learning_rate(step, d_model=d_model, warmup=4000) == pytest.approx(rate, rel=1e-3)


def test_it_rises_until_the_warmup_ends_and_falls_from_there():
    rates = [learning_rate(step, d_model=512, warmup=40) for step in range(1, 200)]
    assert max(rates) == rates[39]
    assert rates[:40] == sorted(rates[:40])
    assert rates[39:] == sorted(rates[39:], reverse=True)


def test_cooldown_ends_just_above_zero():
    assert cooldown(5, updates=10, length=0) == 1.0
    assert cooldown(10, updates=10, length=5) == pytest.approx(0.2)
    assert cooldown(5, updates=10, length=5) == 1.0
