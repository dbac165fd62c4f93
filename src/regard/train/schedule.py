"""update -> learning rate (Vaswani et al. 2017, 5.3, eq. 3)."""


def learning_rate(step: int, *, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5); the first step is 1.

    >>> f"{learning_rate(4000, d_model=512, warmup=4000):.3e}"
    '6.988e-04'
    """
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cooldown(step: int, *, updates: int, length: int) -> float:
    """What the rate is multiplied by so that it falls to zero over the last `length` of `updates`.

    The paper has no such end, and averages checkpoints instead (section 6.1).

    >>> [cooldown(step, updates=10, length=4) for step in (6, 7, 8, 9, 10)]
    [1.0, 1.0, 0.75, 0.5, 0.25]
    """
    return min(1.0, (updates - step + 1) / length) if length else 1.0
