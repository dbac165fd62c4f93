"""vectors one after the other -> states: the cells of recurrent networks.

Three cells in torch's convention, so that torch's own can be held against them: two biases; an
update gate z that keeps the old state (so in Cho et al. 2014, eq. 7; Bahdanau et al. 2015 print
1 - z there); and a reset gate that acts after the recurrent matrix (in both papers, before it).
"""

from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from regard.product import Linear

Kind = Literal["rnn", "gru", "lstm"]

Hidden = tuple[Float[Tensor, "_rows _width"], ...]
"""What a cell carries along: its state h; an LSTM its cell state c too."""

_GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + e^-x), as a tanh.

    torch's own computes the last few numbers of a tensor in another way than the others, so that a
    row would depend on how many rows there are; its tanh does not.
    """
    return (x / 2).tanh() / 2 + 0.5


def rnn(given: Tensor, recurred: Tensor, _hidden: Hidden) -> Hidden:
    """h' = tanh(W x + U h) (Elman 1990)."""
    return (torch.tanh(given + recurred),)


def gru(given: Tensor, recurred: Tensor, hidden: Hidden) -> Hidden:
    """A gated recurrent unit (Cho et al. 2014)."""
    (h,) = hidden
    gates, new = given.split((2 * h.shape[-1], h.shape[-1]), dim=-1)
    recurred_gates, recurred_new = recurred.split((2 * h.shape[-1], h.shape[-1]), dim=-1)
    reset, keep = sigmoid(gates + recurred_gates).chunk(2, dim=-1)
    new = torch.tanh(new + reset * recurred_new)
    return (new + keep * (h - new),)


def lstm(given: Tensor, recurred: Tensor, hidden: Hidden) -> Hidden:
    """A long short-term memory with a forget gate (Hochreiter and Schmidhuber 1997; Gers 2000)."""
    _, c = hidden
    write, forget, new, show = (given + recurred).chunk(4, dim=-1)
    c = sigmoid(forget) * c + sigmoid(write) * new.tanh()
    return sigmoid(show) * c.tanh(), c


_STEPS = {"rnn": rnn, "gru": gru, "lstm": lstm}


class Cell(nn.Module):
    """One step of a recurrent network.

    Args:
        kind: "rnn", "gru" or "lstm".
        d_in: Width of what comes in.
        d_model: Width of the state.
    """

    def __init__(self, kind: Kind, d_in: int, d_model: int):
        super().__init__()
        self.advance = _STEPS[kind]
        self.parts = 2 if kind == "lstm" else 1
        self.d_model = d_model
        self.into = Linear(d_in, _GATES[kind] * d_model)
        self.recur = Linear(d_model, _GATES[kind] * d_model)

    def start(self, x: Float[Tensor, "batch ..."]) -> Hidden:
        """A hidden state of zeros for as many rows."""
        return tuple(x.new_zeros(len(x), self.d_model) for _ in range(self.parts))

    def forward(self, x: Float[Tensor, "batch d_in"], hidden: Hidden) -> Hidden:
        """The hidden state after x."""
        return self.advance(self.into(x), self.recur(hidden[0]), hidden)

    def over(
        self,
        x: Float[Tensor, "batch length d_in"],
        real: Bool[Tensor, "batch length"],
        *,
        backwards: bool = False,
    ) -> tuple[Float[Tensor, "batch length d_model"], Hidden]:
        """The states over whole sentences, and the hidden state after each one's last vector.

        Padding changes nothing: where `real` is False the hidden state stays as it is.
        """
        given = self.into(x)
        hidden = self.start(x)
        states: list[Tensor] = []
        places = range(x.shape[1])
        for place in reversed(places) if backwards else places:
            later = self.advance(given[:, place], self.recur(hidden[0]), hidden)
            here = real[:, place, None]
            hidden = tuple(
                torch.where(here, new, old) for new, old in zip(later, hidden, strict=True)
            )
            states.append(hidden[0])
        return torch.stack(states[::-1] if backwards else states, dim=1), hidden
