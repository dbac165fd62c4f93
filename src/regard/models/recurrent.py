"""Recurrent encoder-decoders: without attention, and with it after Bahdanau, Luong and CS224n.

A sentence becomes the states of a recurrent network; another network says the translation, one
piece after the other. Without attention all that it knows of the sentence is the last state: the
bottleneck. With attention each step looks at all states.

Where we depart from the papers:

- All: embeddings and states have one width; Adam and the Transformer's schedule learn all families;
  the source is not reversed; cells have torch's two biases.
- Bahdanau: initial values are Glorot's, but for the orthogonal matrices of the cells (theirs: W_a
  and U_a from N(0, 0.001^2) and v_a = 0, so that attention begins even). The maxout is as wide as
  an embedding, so that output and embedding can be one matrix (theirs: 500 and 620, two matrices).
  The last state of an encoder that reads one way only is s_0 as it is.
- Luong, CS224n and no attention: if the encoder reads both ways, which is the default,
  s_0 = tanh(W h), and an LSTM's c likewise. Theirs reads one way and hands its last states on as
  they are; `bidirectional = false` does so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.attention import Attention, Learned, Score
from regard.data.batch import Batch, Sentences
from regard.layers import Embedding
from regard.layers.dropout import Dropout
from regard.layers.recurrent import Cell, Hidden
from regard.models.encoder_decoder import EncoderDecoder, rows_of
from regard.product import Linear


@dataclass(frozen=True)
class Memory:
    """What the encoder hands on: a state for each position, and what each layer ended with."""

    states: Float[Tensor, "batch length d_memory"]
    real: Bool[Tensor, "batch length"]
    last: tuple[Hidden, ...]


@dataclass(frozen=True)
class State:
    """What a decoder keeps between steps.

    The rows are hypotheses, so many for each sentence, side by side; keys and values are the
    sentence's.
    """

    hidden: tuple[Hidden, ...]  # of each layer
    fed: Float[Tensor, "rows d_fed"]  # what input feeding hands on
    keys: Float[Tensor, "sentences source d_key"]
    values: Float[Tensor, "sentences source d_memory"]
    allowed: Bool[Tensor, "sentences 1 source"]

    def reorder(self, rows: Int[Tensor, " rows"]) -> "State":
        """Row i goes on from what row rows[i] was, a row of the same sentence."""
        hidden = tuple(tuple(part[rows] for part in layer) for layer in self.hidden)
        return replace(self, hidden=hidden, fed=self.fed[rows])

    def only(self, sentences: Int[Tensor, " sentences"]) -> "State":
        """Only these sentences stay, in this order."""
        of_each = len(self.fed) // len(self.keys)
        return replace(
            self.reorder(rows_of(sentences, of_each)),
            keys=self.keys[sentences],
            values=self.values[sentences],
            allowed=self.allowed[sentences],
        )


class Encoder(nn.Module):
    """Layers of cells that read a sentence one way, or both ways.

    Args:
        forwards: A cell for each layer.
        backwards: The same for the other way; empty for one way only.
        dropout: The chance that a number is dropped between layers.
    """

    def __init__(self, forwards: Sequence[Cell], backwards: Sequence[Cell], *, dropout: float):
        super().__init__()
        self.forwards = cast("Sequence[Cell]", nn.ModuleList(forwards))
        self.backwards = cast("Sequence[Cell]", nn.ModuleList(backwards))
        self.dropout = Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch length d_model"], real: Bool[Tensor, "batch length"]
    ) -> Memory:
        """The top layer's states, and what each layer ended with; both ways stand side by side."""
        last = []
        for i, cell in enumerate(self.forwards):
            x = self.dropout(x) if i else x
            states, hidden = cell.over(x, real)
            if self.backwards:
                others, other = self.backwards[i].over(x, real, backwards=True)
                states = torch.cat((states, others), dim=2)
                hidden = tuple(torch.cat(both, dim=1) for both in zip(hidden, other, strict=True))
            last.append(hidden)
            x = states
        return Memory(x, real, tuple(last))


class Bridge(nn.Module):
    """s_0 = tanh(W h), for each layer and each part of its hidden state.

    Args:
        layers: Of the decoder.
        parts: Of a cell's hidden state.
        d_last: How many of the last numbers of h it sees: those of the backward cell, which has
            the first word nearest (Bahdanau et al. 2015, A.2.2), or those of both.
        d_model: Width of the decoder's state.
    """

    def __init__(self, layers: int, parts: int, d_last: int, d_model: int):
        super().__init__()
        self.d_last = d_last
        self.maps = nn.ModuleList(Linear(d_last, d_model) for _ in range(layers * parts))

    def forward(self, last: tuple[Hidden, ...]) -> tuple[Hidden, ...]:
        """The decoder's first hidden state."""
        maps = iter(self.maps)
        return tuple(
            tuple(torch.tanh(next(maps)(part[:, -self.d_last :])) for part in hidden)
            for hidden in last
        )


class Cells(nn.Module):
    """Layers of cells, one step at a time."""

    def __init__(self, cells: Sequence[Cell], *, dropout: float):
        super().__init__()
        self.cells = cast("Sequence[Cell]", nn.ModuleList(cells))
        self.dropout = Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "rows d_in"], hidden: tuple[Hidden, ...]
    ) -> tuple[Float[Tensor, "rows d_model"], tuple[Hidden, ...]]:
        """The top layer's state, and the hidden states of all."""
        later = []
        for i, (cell, before) in enumerate(zip(self.cells, hidden, strict=True)):
            x = self.dropout(x) if i else x
            after = cell(x, before)
            later.append(after)
            x = after[0]
        return x, tuple(later)


class Look(nn.Module):
    """A decoder's attention: hypotheses of one sentence ask the same memory.

    Args:
        score: A score with parameters, or a function without.
    """

    def __init__(self, score: Score):
        super().__init__()
        learns = isinstance(score, Learned)
        self.score = score if learns else None
        self.attention = Attention(score.compare if learns else score)

    def keys(
        self, states: Float[Tensor, "batch source d_memory"]
    ) -> Float[Tensor, "batch source d_key"]:
        """What the states are compared by, made once for a sentence."""
        return states if self.score is None else self.score.keys(states)

    def forward(
        self, query: Float[Tensor, "rows d_model"], state: State
    ) -> Float[Tensor, "rows d_memory"]:
        """The context of each row."""
        query = query.reshape(len(state.keys), -1, query.shape[-1])
        if self.score is not None:
            query = self.score.queries(query)
        found = self.attention(query, state.keys, state.values, allowed=state.allowed)
        return found.flatten(0, 1)


class Bottleneck(nn.Module):
    """s_t = f(s_{t-1}, y_{t-1}), and that is all (Sutskever et al. 2014)."""

    def __init__(self, cells: Cells):
        super().__init__()
        self.cells = cells

    def forward(
        self, y: Float[Tensor, "rows d_model"], state: State
    ) -> tuple[Float[Tensor, "rows d_model"], State]:
        """What the output sees, and the state after it."""
        top, hidden = self.cells(y, state.hidden)
        return top, replace(state, hidden=hidden)


class Bahdanau(nn.Module):
    """The state before looks; what it finds helps to make the next (Bahdanau et al. 2015, A.2.2).

    c_i = look(s_{i-1}), s_i = f(s_{i-1}, [y_{i-1}; c_i]), and the output sees the larger of each
    two numbers of U s_{i-1} + V y_{i-1} + C c_i (maxout).
    """

    def __init__(self, cells: Cells, look: Look, d_model: int, d_memory: int):
        super().__init__()
        self.cells = cells
        self.look = look
        self.readout = Linear(2 * d_model + d_memory, 2 * d_model)  # U, V, C side by side

    def forward(
        self, y: Float[Tensor, "rows d_model"], state: State
    ) -> tuple[Float[Tensor, "rows d_model"], State]:
        """What the output sees, and the state after it."""
        before = state.hidden[-1][0]
        context = self.look(before, state)
        _, hidden = self.cells(torch.cat((y, context), dim=1), state.hidden)
        pairs = self.readout(torch.cat((before, y, context), dim=1)).unflatten(1, (-1, 2))
        return pairs.amax(2), replace(state, hidden=hidden)


class _StateAfter(nn.Module):
    """The state after looks; with input feeding, what it found comes in beside the next y."""

    def __init__(self, cells: Cells, look: Look):
        super().__init__()
        self.cells = cells
        self.look = look

    def forward(
        self, y: Float[Tensor, "rows d_model"], state: State
    ) -> tuple[Float[Tensor, "rows d_output"], State]:
        """What the output sees, and the state after it."""
        top, hidden = self.cells(torch.cat((y, state.fed), dim=1), state.hidden)
        shown = self.show(torch.cat((self.look(top, state), top), dim=1))
        # as much as is fed: all of h~_t, or a_t of [a_t; s_t], or nothing
        return shown, replace(state, hidden=hidden, fed=shown[:, : state.fed.shape[1]])

    def show(self, both: Float[Tensor, "rows width"]) -> Float[Tensor, "rows d_output"]:
        """What the output sees of the context and the state, side by side."""
        return both


class Luong(_StateAfter):
    """h~_t = tanh(W_c [c_t; h_t]), which may be fed (Luong et al. 2015, section 3 and 3.3)."""

    def __init__(self, cells: Cells, look: Look, d_model: int, d_memory: int):
        super().__init__(cells, look)
        self.combine = Linear(d_memory + d_model, d_model, bias=False)  # W_c

    def show(self, both: Float[Tensor, "rows width"]) -> Float[Tensor, "rows d_model"]:
        """h~_t."""
        return torch.tanh(self.combine(both))


class CS224n(_StateAfter):
    """[a_t; s_t] as it is, of which a_t may be fed (CS224n's lecture on attention)."""


Step = Bottleneck | Bahdanau | Luong | CS224n
"""One step of any of them."""


class Recurrent(EncoderDecoder):
    """Embeddings, encoder, decoder and output, put together from parts.

    Args:
        source_embedding: Ids of the source to vectors.
        target_embedding: Ids of the target to vectors; may be the same module.
        encoder: Reads the source.
        bridge: The decoder's first hidden state from what the encoder ended with.
        decoder: One step of the decoder.
        output: What a step shows, to logits; its weight may be an embedding's.
        d_fed: Width of what input feeding hands on.
        dropout: The chance that a number is dropped from embeddings and before the output.
    """

    def __init__(
        self,
        *,
        source_embedding: Embedding,
        target_embedding: Embedding,
        encoder: Encoder,
        bridge: Callable[[tuple[Hidden, ...]], tuple[Hidden, ...]],
        decoder: Step,
        output: nn.Linear,
        d_fed: int,
        dropout: float,
    ):
        super().__init__()
        self.source_embedding = source_embedding
        self.target_embedding = target_embedding
        self.encoder = encoder
        self.bridge = bridge
        self.decoder = decoder
        self.output = output
        self.d_fed = d_fed
        self.dropout = Dropout(dropout)

    def states(self, batch: Batch) -> Float[Tensor, "batch target d_output"]:
        """What `output` turns into logits."""
        state = self.start(self.encode(batch.source))
        embedded = self.dropout(self.target_embedding(batch.target_in.ids))
        found = []
        for y in embedded.unbind(1):
            shown, state = self.decoder(y, state)
            found.append(shown)
        return self.dropout(torch.stack(found, dim=1))

    def encode(self, source: Sentences) -> Memory:
        """A state for each position of the source."""
        return self.encoder(self.dropout(self.source_embedding(source.ids)), source.real)

    def start(self, memory: Memory) -> State:
        """A decoder's state before the first step."""
        states = memory.states
        look = None if isinstance(self.decoder, Bottleneck) else self.decoder.look
        return State(
            hidden=self.bridge(memory.last),
            fed=states.new_zeros(len(states), self.d_fed),
            keys=states if look is None else look.keys(states),
            values=states,
            allowed=memory.real[:, None, :],
        )

    def step(
        self, pieces: Int[Tensor, " rows"], state: State
    ) -> tuple[Float[Tensor, "rows vocabulary"], State]:
        """Logits of what follows `pieces`, the latest piece of each hypothesis."""
        y = self.dropout(self.target_embedding(pieces[:, None])[:, 0])
        shown, state = self.decoder(y, state)
        return self.output(self.dropout(shown)), state
