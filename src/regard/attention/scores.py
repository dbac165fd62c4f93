"""queries, keys -> scores: five ways to say how well a query and a key match.

Each is a function; those with something to learn are modules too, which call it. A module comes
apart into `queries`, `keys` and `compare`, so that a decoder can make its keys once for a sentence
and compare them with one query after another::

    score(query, key) == score.compare(score.queries(query), score.keys(key))

Scores of half-precision numbers are float32: a product of two float16 vectors can be beyond its
range. What a matrix makes of a query or a key stays in their own type, and has to be within it.
"""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.product import linear, product

Score = Callable[[Tensor, Tensor], Tensor]
"""A function, or a module, from queries and keys to scores."""


def dot(
    query: Float[Tensor, "*batch queries d_k"], key: Float[Tensor, "*batch keys _d_k"]
) -> Float[Tensor, "*batch queries keys"]:
    """q . k (Luong et al. 2015, "dot").

    Raises:
        ValueError: queries and keys are not of one width.
    """
    _check(query, key)
    return product(_wide(query), _wide(key).mT)


def scaled_dot(
    query: Float[Tensor, "*batch queries d_k"], key: Float[Tensor, "*batch keys _d_k"]
) -> Float[Tensor, "*batch queries keys"]:
    """q . k / sqrt(d_k) (Vaswani et al. 2017, 3.2.1, eq. 1).

    Raises:
        ValueError: queries and keys are not of one width.
    """
    return dot(_wide(query) / math.sqrt(query.shape[-1]), key)


def general(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    matrix: Float[Tensor, "_d_query _d_key"],
) -> Float[Tensor, "*batch queries keys"]:
    """q^T W k, "multiplicative" (Luong et al. 2015, "general").

    Raises:
        ValueError: queries, keys and matrix do not fit; so too for the scores below.
    """
    return dot(query, _project(key, matrix))


def reduced_rank(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    into_query: Float[Tensor, "rank _d_query"],
    into_key: Float[Tensor, "rank _d_key"],
) -> Float[Tensor, "*batch queries keys"]:
    """(U q) . (V k): `general` with W = U^T V, which a head of a Transformer computes too."""
    return dot(_project(query, into_query), _project(key, into_key))


def additive(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    into_query: Float[Tensor, "d_score _d_query"],
    into_key: Float[Tensor, "d_score _d_key"],
    vector: Float[Tensor, " d_score"],
) -> Float[Tensor, "*batch queries keys"]:
    """v^T tanh(W q + U k) (Bahdanau et al. 2015, appendix A.1.2; Luong's "concat")."""
    return _compare_by_sum(_project(query, into_query), _project(key, into_key), vector)


class General(nn.Module):
    """`general` with a matrix to learn.

    Args:
        d_query: Width of a query.
        d_key: Width of a key.
    """

    compare = staticmethod(dot)

    def __init__(self, d_query: int, d_key: int):
        super().__init__()
        self.matrix = nn.Parameter(torch.empty(d_query, d_key))
        reset(self)

    def queries(
        self, query: Float[Tensor, "*batch queries d_query"]
    ) -> Float[Tensor, "*batch queries d_query"]:
        """The queries as they are."""
        return query

    def keys(self, key: Float[Tensor, "*batch keys d_key"]) -> Float[Tensor, "*batch keys d_query"]:
        """W k."""
        return _project(key, self.matrix)

    def forward(
        self,
        query: Float[Tensor, "*batch queries d_query"],
        key: Float[Tensor, "*batch keys d_key"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """q^T W k."""
        return general(query, key, self.matrix)


class _TwoMatrices(nn.Module):
    """What queries and keys are brought to one width by."""

    def __init__(self, d_query: int, d_key: int, width: int):
        super().__init__()
        self.into_query = nn.Parameter(torch.empty(width, d_query))
        self.into_key = nn.Parameter(torch.empty(width, d_key))

    def queries(
        self, query: Float[Tensor, "*batch queries d_query"]
    ) -> Float[Tensor, "*batch queries width"]:
        """The queries, through their matrix."""
        return _project(query, self.into_query)

    def keys(self, key: Float[Tensor, "*batch keys d_key"]) -> Float[Tensor, "*batch keys width"]:
        """The keys, through theirs."""
        return _project(key, self.into_key)


class ReducedRank(_TwoMatrices):
    """`reduced_rank` with its two matrices to learn.

    Args:
        d_query: Width of a query.
        d_key: Width of a key.
        rank: Width of the space in which the two meet.
    """

    compare = staticmethod(dot)

    def __init__(self, d_query: int, d_key: int, rank: int):
        super().__init__(d_query, d_key, rank)
        reset(self)

    def forward(
        self,
        query: Float[Tensor, "*batch queries d_query"],
        key: Float[Tensor, "*batch keys d_key"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """(U q) . (V k)."""
        return reduced_rank(query, key, self.into_query, self.into_key)


class Additive(_TwoMatrices):
    """`additive` with its matrices and its vector to learn; no biases, as in the paper.

    Args:
        d_query: Width of a query.
        d_key: Width of a key.
        d_score: Width of the layer between.
    """

    def __init__(self, d_query: int, d_key: int, d_score: int):
        super().__init__(d_query, d_key, d_score)
        self.vector = nn.Parameter(torch.empty(d_score))
        reset(self)

    def compare(
        self,
        queries: Float[Tensor, "*batch queries d_score"],
        keys: Float[Tensor, "*batch keys d_score"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """v^T tanh(the sum of the two)."""
        return _compare_by_sum(queries, keys, self.vector)

    def forward(
        self,
        query: Float[Tensor, "*batch queries d_query"],
        key: Float[Tensor, "*batch keys d_key"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """v^T tanh(W q + U k)."""
        return additive(query, key, self.into_query, self.into_key, self.vector)


Learned = General | ReducedRank | Additive
"""A score with something to learn."""


def reset(score: Learned, generator: torch.Generator | None = None) -> None:
    """New initial values for a score: Glorot-uniform matrices, a vector of about length 1."""
    for parameter in score.parameters():
        if parameter.ndim == 2:
            nn.init.xavier_uniform_(parameter, generator=generator)
        else:
            nn.init.normal_(parameter, std=len(parameter) ** -0.5, generator=generator)


def as_dot(score: Score, query: Tensor, key: Tensor) -> tuple[Tensor, Tensor, float] | None:
    """Query, key and factor whose dot product is the score; None where there are none."""
    scale = 1.0
    if score is scaled_dot:
        scale = 1 / math.sqrt(query.shape[-1])
    elif isinstance(score, General | ReducedRank):
        query, key = score.queries(query), score.keys(key)
    elif score is not dot:
        return None
    _check(query, key)
    return query, key, scale


def _compare_by_sum(queries: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
    hidden = (queries[..., :, None, :] + keys[..., None, :, :]).tanh_()
    return linear(_wide(hidden), _wide(vector)[None]).squeeze(-1)


def _check(query: Tensor, key: Tensor) -> None:
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"a dot product needs queries and keys of one width, got {query.shape[-1]} and"
            f" {key.shape[-1]}; general, reduced_rank and additive scores take two"
        )


def _project(x: Tensor, matrix: Tensor) -> Tensor:
    if x.shape[-1] != matrix.shape[-1]:
        raise ValueError(
            f"vectors of width {x.shape[-1]} do not fit a matrix for width {matrix.shape[-1]}"
        )
    return linear(x, matrix)


def _wide(x: Tensor) -> Tensor:
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
