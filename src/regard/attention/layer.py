"""`attend` as a part of a model: the place where every family attends, and can be looked at."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.attention.attend import Rule, attend, weights
from regard.attention.scores import Score, scaled_dot
from regard.product import product

SHORT = 64
"""Keys up to which the plain path is the faster one on a CPU."""
SEARCHED = 1024
"""The same while nothing is learnt: the fused path adds up otherwise with other neighbours."""


class Attention(nn.Module):
    """Scores, softmax, mix, with dropout of weights while learning.

    Whoever wants to see what a model looked at hangs a hook here, and asks `weights` with the
    arguments that it caught. A hook sees what `forward` is asked: `with_weights` has shown its
    caller all there is to see.

    Args:
        score: How well queries and keys match.
        dropout: The chance that a weight is dropped (Vaswani et al. 2017 name it in 6.3, not in
            5.4).
    """

    def __init__(self, score: Score = scaled_dot, *, dropout: float = 0.0):
        super().__init__()
        self.score = score
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        query: Float[Tensor, "*batch queries d_query"],
        key: Float[Tensor, "*batch keys d_key"],
        value: Float[Tensor, "*batch keys d_v"],
        *,
        allowed: Rule | None = None,
    ) -> Float[Tensor, "*batch queries d_v"]:
        """The values, mixed."""
        drops = self.training and self.dropout.p > 0
        short = SHORT if torch.is_grad_enabled() else SEARCHED
        if drops or (query.device.type == "cpu" and key.shape[-2] <= short):
            return self.with_weights(query, key, value, allowed=allowed)[0]
        return attend(query, key, value, score=self.score, allowed=allowed)

    def weights(
        self,
        query: Float[Tensor, "*batch queries d_query"],
        key: Float[Tensor, "*batch keys d_key"],
        *,
        allowed: Rule | None = None,
    ) -> Float[Tensor, "*batch queries keys"]:
        """What `forward` mixes by, before dropout."""
        return weights(query, key, score=self.score, allowed=allowed)

    def with_weights(
        self,
        query: Float[Tensor, "*batch queries d_query"],
        key: Float[Tensor, "*batch keys d_key"],
        value: Float[Tensor, "*batch keys d_v"],
        *,
        allowed: Rule | None = None,
    ) -> tuple[Float[Tensor, "*batch queries d_v"], Float[Tensor, "*batch queries keys"]]:
        """What `forward` and `weights` return, made once, on the plain path."""
        shares = self.weights(query, key, allowed=allowed)
        return product(self.dropout(shares), value), shares
