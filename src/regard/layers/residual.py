"""A sub-layer's way around it: residual connection, dropout, normalisation (section 5.4, 3.1).

Both classes have two ends, so that a sub-layer may have more than one argument and result::

    x = residual.after(x, sublayer(residual.before(x)))
"""

from jaxtyping import Float
from torch import Tensor, nn

from regard.layers.dropout import Dropout

EPSILON = 1e-6
"""What layer normalisation adds to the variance; as in tensor2tensor, the paper names none."""


class NormAfter(nn.Module):
    """LayerNorm(x + dropout(sublayer(x))): post-norm, the paper's (section 3.1)."""

    def __init__(self, d_model: int, *, dropout: float):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=EPSILON)
        self.dropout = Dropout(dropout)

    def before(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """What the sub-layer sees: x itself."""
        return x

    def after(
        self, x: Float[Tensor, "*batch d_model"], result: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """What goes on: the normalised sum."""
        return self.norm(x + self.dropout(result))


class NormBefore(nn.Module):
    """x + dropout(sublayer(LayerNorm(x))): pre-norm, tensor2tensor's later default."""

    def __init__(self, d_model: int, *, dropout: float):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=EPSILON)
        self.dropout = Dropout(dropout)

    def before(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """What the sub-layer sees: x normalised."""
        return self.norm(x)

    def after(
        self, x: Float[Tensor, "*batch d_model"], result: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """What goes on: the sum."""
        return x + self.dropout(result)


Residual = NormAfter | NormBefore
"""Either of them."""
