"""Position-wise feed-forward network (Vaswani et al. 2017, 3.3, eq. 2)."""

from jaxtyping import Float
from torch import Tensor, nn

from regard.layers.dropout import Dropout
from regard.product import Linear


class FeedForward(nn.Module):
    """max(0, x W_1 + b_1) W_2 + b_2, the same at every position: two convolutions of kernel 1.

    Args:
        d_model: Width of what comes in and goes out.
        d_ff: Width between.
        dropout: The chance that a number is dropped after the ReLU (not in the paper).
    """

    def __init__(self, d_model: int, d_ff: int, *, dropout: float = 0.0):
        super().__init__()
        self.widen = Linear(d_model, d_ff)
        self.narrow = Linear(d_ff, d_model)
        self.dropout = Dropout(dropout)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Apply it to each vector."""
        return self.narrow(self.dropout(self.widen(x).relu()))
