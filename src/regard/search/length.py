"""length -> what a log-probability is divided by (Wu et al. 2016, eq. 14)."""


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6) ** alpha, where EOS counts; exactly 1 if alpha is 0.

    >>> round(length_penalty(10, 0.6), 4)
    1.7329
    """
    return ((5 + length) / 6) ** alpha
