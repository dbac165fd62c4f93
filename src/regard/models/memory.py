"""What an encoder hands on."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor


@dataclass(frozen=True)
class Memory:
    """A vector for each source position; `real` is False where there is only padding."""

    states: Float[Tensor, "batch length d_model"]
    real: Bool[Tensor, "batch length"]
