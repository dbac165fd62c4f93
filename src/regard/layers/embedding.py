"""ids -> vectors (Vaswani et al. 2017, 3.4)."""

import math

from jaxtyping import Float, Int
from torch import Tensor, nn


class Embedding(nn.Module):
    """A learnt vector for each piece, times sqrt(d_model) (section 3.4).

    Args:
        rows: Size of the vocabulary.
        d_model: Width of a vector.
        scaled: Whether vectors are multiplied; the Transformer's are, older families' are not.
    """

    def __init__(self, rows: int, d_model: int, *, scaled: bool = True):
        super().__init__()
        self.table = nn.Embedding(rows, d_model)
        self.scale = math.sqrt(d_model) if scaled else 1.0

    def forward(self, ids: Int[Tensor, "batch length"]) -> Float[Tensor, "batch length d_model"]:
        """Look the ids up."""
        return self.table(ids) * self.scale if self.scale != 1.0 else self.table(ids)
