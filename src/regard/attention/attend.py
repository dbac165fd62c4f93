"""Scaled dot-product attention (Vaswani et al. 2017, 3.2.1, eq. 1): to be read, and to be run.

`weights` is the readable path, `attend` the fused one that models use; a test holds them together.
A query that may look nowhere gets no weight at all: its context is zero, its gradients are finite.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional


def weights(
    query: Float[Tensor, "*batch queries d_k"],
    key: Float[Tensor, "*batch keys d_k"],
    *,
    allowed: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """How each query divides its attention over the keys: softmax(Q K^T / sqrt(d_k)), row by row.

    Args:
        query: What is asked.
        key: What is compared with it.
        allowed: True where a query may look; everywhere if None.

    Returns:
        Weights that sum to 1 in each row, or to 0 in a row that may look nowhere.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        return scores.softmax(-1)
    shares = scores.masked_fill(~allowed, -math.inf).softmax(-1)
    return shares.masked_fill(~allowed, 0.0)  # softmax over nothing is NaN


def attend(
    query: Float[Tensor, "*batch queries d_k"],
    key: Float[Tensor, "*batch keys d_k"],
    value: Float[Tensor, "*batch keys d_v"],
    *,
    allowed: Bool[Tensor, "*#batch #queries keys"] | None = None,
    dropout: float = 0.0,
) -> Float[Tensor, "*batch queries d_v"]:
    """The values, mixed by `weights(query, key, allowed=allowed)`, in one fused operation.

    Args:
        query: What is asked.
        key: What is compared with it.
        value: What is handed over.
        allowed: True where a query may look; everywhere if None.
        dropout: The chance that a weight is dropped (not in the paper's 5.4; tensor2tensor has it).
    """
    return functional.scaled_dot_product_attention(
        query, key, value, attn_mask=allowed, dropout_p=dropout
    )


def causal(length: int, *, device: torch.device | None = None) -> Bool[Tensor, "length length"]:
    """Each position may look at itself and at what came before it (section 3.2.3)."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()
