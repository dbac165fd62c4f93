"""length -> what a log-probability is divided by."""

PENALTIES = {
    "gnmt": lambda length, alpha: ((5 + length) / 6) ** alpha,
    "length": lambda length, alpha: length**alpha,
    "none": lambda _length, _alpha: 1.0,
}
"""By name; "gnmt" is that of Wu et al. (2016, eq. 14), and the paper's."""


def length_penalty(length: int, alpha: float, kind: str = "gnmt") -> float:
    """What the log-probability of a hypothesis of that length, EOS counted, is divided by.

    It is 1 if alpha is 0, and never falls as a hypothesis grows.

    >>> round(length_penalty(10, 0.6), 4), round(length_penalty(10, 0.6, "length"), 4)
    (1.7329, 3.9811)
    """
    return PENALTIES[kind](length, alpha)
