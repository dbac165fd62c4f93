"""ids -> vectors (Vaswani et al. 2017, 3.4)."""

import math

from jaxtyping import Float, Int
from torch import Tensor, nn


class Embedding(nn.Module):
    """A learnt vector for each piece, times sqrt(d_model) (section 3.4)."""

    def __init__(self, rows: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(rows, d_model)

    def forward(self, ids: Int[Tensor, "batch length"]) -> Float[Tensor, "batch length d_model"]:
        """Look the ids up."""
        return self.table(ids) * math.sqrt(self.table.embedding_dim)
