"""vectors, the pieces that should follow -> loss: label smoothing (Vaswani et al. 2017, 5.4).

The output layer and the loss are one function that works in blocks of positions, so that the
logits of a whole batch never exist at once. `smoothed_cross_entropy` is its readable twin.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

BLOCK = 1 << 23
"""How many logits exist at once."""


class Loss(NamedTuple):
    """Sums over pieces, in nats: what is minimised, and the part that perplexity is of."""

    smoothed: Float[Tensor, ""]
    unsmoothed: Float[Tensor, ""]


def smoothed_cross_entropy(
    logits: Float[Tensor, "pieces vocabulary"], target: Int[Tensor, " pieces"], smoothing: float
) -> Loss:
    """Cross-entropy against 1 - smoothing on the target and the rest on all other pieces evenly.

    As tensor2tensor defines it, where "all other" is V - 1 pieces; torch's own `label_smoothing`
    shares among V. Its constant floor, the entropy of the smoothed target, is not taken off.
    """
    log_p = logits.log_softmax(-1)
    right = log_p.gather(1, target[:, None]).squeeze(1)
    other = smoothing / (logits.shape[1] - 1)
    smoothed = (1 - smoothing - other) * right + other * log_p.sum(1)
    return Loss(-smoothed.sum(), -right.sum())


def output_loss(
    states: Float[Tensor, "pieces d_model"],
    weight: Float[Tensor, "vocabulary d_model"],
    target: Int[Tensor, " pieces"],
    *,
    smoothing: float,
) -> Loss:
    """`smoothed_cross_entropy(states @ weight.T, target, smoothing)`, in blocks.

    Only `smoothed` carries gradients. Where the states are bfloat16, so are the matrix products;
    all else is float32.
    """
    if torch.is_grad_enabled():
        return Loss(*_OutputLoss.apply(states, weight, target, smoothing))
    rows = max(1, BLOCK // len(weight))
    weight = weight.to(states.dtype)
    losses = [
        smoothed_cross_entropy(_wide(part @ weight.T), wanted, smoothing)
        for part, wanted in zip(states.split(rows), target.split(rows), strict=True)
    ]
    return Loss(*(torch.stack(sums).sum() for sums in zip(*losses, strict=True)))


class _OutputLoss(torch.autograd.Function):
    """The gradients are made along the way, while each block's logits are at hand.

    With a = 1 - smoothing - other, the gradient of a row of logits is softmax - other, and - a more
    at the target. `other` is the same everywhere, so it is taken off at the end, in d_model instead
    of vocabulary dimensions, and softmax is divided by its sum there too.
    """

    @staticmethod
    def forward(ctx, states, weight, target, smoothing):
        grad_states = torch.empty_like(states, dtype=weight.dtype)
        grad_weight = torch.zeros_like(weight)
        other = smoothing / (len(weight) - 1)
        right = 1 - smoothing - other
        unsmoothed = weight.new_zeros(())
        norms = torch.empty_like(grad_states[:, 0])
        narrow = weight.to(states.dtype)
        block = max(1, BLOCK // len(weight))
        for start in range(0, len(states), block):
            rows = slice(start, start + block)
            wanted = target[rows, None]
            logits = _wide(states[rows] @ narrow.T)
            unsmoothed -= logits.gather(1, wanted).sum()
            largest = logits.amax(1, keepdim=True)
            shares = logits.sub_(largest).exp_()
            total = shares.sum(1, keepdim=True)
            norms[rows] = (largest + total.log()).squeeze(1)
            shares.scatter_add_(1, wanted, -right * total)
            shares = shares.to(states.dtype)
            grad_states[rows] = (shares @ narrow).div(total)
            _add_product(grad_weight, shares.T, (states[rows] / total).to(states.dtype))
        column = weight.sum(0)
        states = states.to(weight.dtype)
        unsmoothed += norms.sum()
        # the negative sum of all log-probabilities of all rows
        everything = len(weight) * norms.sum() - (states @ column).sum()
        grad_weight -= other * states.sum(0)
        ctx.save_for_backward(grad_states - other * column, grad_weight)
        ctx.mark_non_differentiable(unsmoothed)
        return right * unsmoothed + other * everything, unsmoothed

    @staticmethod
    def backward(ctx, *grads):
        grad_states, grad_weight = ctx.saved_tensors
        return grad_states * grads[0], grad_weight * grads[0], None, None


def _wide(logits: Tensor) -> Tensor:
    return logits.float() if logits.dtype == torch.bfloat16 else logits


def _add_product(to: Tensor, a: Tensor, b: Tensor) -> None:
    """to += a b, where a and b may be narrower numbers."""
    if a.dtype == to.dtype:
        to.addmm_(a, b)
    else:
        to += a @ b
