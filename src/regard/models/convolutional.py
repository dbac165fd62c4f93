"""Convolutional encoder-decoders: ConvS2S (Gehring et al. 2017) and ByteNet (Kalchbrenner 2016).

Every position of a layer is computed at once; how far one sees grows with each layer. ConvS2S
attends in each layer of its decoder; ByteNet has no attention at all: column t of its decoder
stands on column t of its encoder.

Where we depart from the papers: ConvS2S's output layer has no weight normalisation, since its
matrix may be an embedding's.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.attention import Attention, dot
from regard.data.batch import Batch, Sentences
from regard.layers import Embedding, LearnedPositions
from regard.layers.convolution import CausalConvolution, Convolution
from regard.layers.dropout import Dropout
from regard.models.encoder_decoder import EncoderDecoder, rows_of
from regard.product import Linear

ROOT_HALF = math.sqrt(0.5)
"""What a sum of two is multiplied by, so that its variance stays (Gehring et al. 2017, 3.4)."""


@dataclass(frozen=True)
class Memory:
    """What ConvS2S's encoder hands on: keys to compare with, values to take."""

    keys: Float[Tensor, "batch length d_model"]
    values: Float[Tensor, "batch length d_model"]
    real: Bool[Tensor, "batch length"]


@dataclass(frozen=True)
class State:
    """What ConvS2S's decoder keeps between steps; rows are hypotheses, as many a sentence."""

    place: int
    earlier: tuple[Float[Tensor, "rows _reach d_hidden"], ...]  # of each layer, what it last saw
    memory: Memory

    def reorder(self, rows: Int[Tensor, " rows"]) -> "State":
        """Row i goes on from what row rows[i] was, a row of the same sentence."""
        return replace(self, earlier=tuple(seen[rows] for seen in self.earlier))

    def only(self, sentences: Int[Tensor, " sentences"]) -> "State":
        """Only these sentences stay, in this order."""
        memory = Memory(
            self.memory.keys[sentences], self.memory.values[sentences], self.memory.real[sentences]
        )
        rows = rows_of(sentences, len(self.earlier[0]) // len(self.memory.keys))
        return replace(self.reorder(rows), memory=memory)


class EncoderBlock(nn.Module):
    """Dropout, convolution, gated linear unit, residual (Gehring et al. 2017, 3.2)."""

    def __init__(self, d_hidden: int, kernel: int, *, dropout: float):
        super().__init__()
        self.convolution = Convolution(d_hidden, 2 * d_hidden, kernel)
        self.dropout = Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch length d_hidden"], real: Bool[Tensor, "batch length 1"]
    ) -> Float[Tensor, "batch length d_hidden"]:
        """One block; padding comes in as zeros."""
        found = nn.functional.glu(self.convolution(self.dropout(x) * real), dim=2)
        return (found + x) * ROOT_HALF


class DecoderBlock(nn.Module):
    """Causal convolution, gated linear unit, attention, residual (Gehring et al. 2017, 3.3)."""

    def __init__(self, d_model: int, d_hidden: int, kernel: int, *, dropout: float):
        super().__init__()
        self.convolution = CausalConvolution(d_hidden, 2 * d_hidden, kernel)
        self.ask = Linear(d_hidden, d_model)
        self.attention = Attention(dot)
        self.take = Linear(d_model, d_hidden)
        self.dropout = Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "rows length d_hidden"],
        embedded: Float[Tensor, "rows length d_model"],
        earlier: Tensor | None,
        memory: Memory,
    ) -> tuple[Float[Tensor, "rows length d_hidden"], Tensor]:
        """One block, over a whole target or its next position.

        Args:
            x: The positions to work on.
            embedded: Their target embeddings.
            earlier: What this block's convolution last saw; zeros if None.
            memory: The source; several rows may share one.

        Returns:
            The new vectors, and what the convolution last saw.
        """
        found, seen = self.convolution(self.dropout(x), earlier)
        found = nn.functional.glu(found, dim=2)
        query = (self.ask(found) + embedded) * ROOT_HALF
        context = self.attention(
            query.reshape(len(memory.keys), -1, query.shape[-1]),
            memory.keys,
            memory.values,
            allowed=memory.real[:, None, :],
        )
        # m sqrt(1/m), m being the length of the source (Gehring et al. 2017, 3.4)
        context = context * memory.real.sum(1)[:, None, None].to(x.dtype).sqrt()
        found = (found + self.take(context.view_as(query))) * ROOT_HALF
        return (found + x) * ROOT_HALF, seen


class ConvS2S(EncoderDecoder):
    """Gehring et al. (2017), figure 1: learned positions, blocks, attention in each decoder layer.

    Args:
        source_embedding: Ids of the source to vectors.
        target_embedding: Ids of the target to vectors; may be the same module.
        source_positions: Adds to each vector of the source its place.
        target_positions: The same for the target.
        encoder: The encoder's blocks.
        decoder: The decoder's blocks.
        output: Vectors to logits; its weight may be an embedding's.
        d_hidden: Width inside the blocks.
        dropout: The chance that a number is dropped from embeddings and before the output.
    """

    def __init__(
        self,
        *,
        source_embedding: Embedding,
        target_embedding: Embedding,
        source_positions: LearnedPositions,
        target_positions: LearnedPositions,
        encoder: Sequence[EncoderBlock],
        decoder: Sequence[DecoderBlock],
        output: nn.Linear,
        d_hidden: int,
        dropout: float,
    ):
        super().__init__()
        d_model = output.in_features
        self.source_embedding = source_embedding
        self.target_embedding = target_embedding
        self.source_positions = source_positions
        self.target_positions = target_positions
        self.into_encoder = Linear(d_model, d_hidden)
        self.encoder = cast("Sequence[EncoderBlock]", nn.ModuleList(encoder))
        self.out_of_encoder = Linear(d_hidden, d_model)
        self.into_decoder = Linear(d_model, d_hidden)
        self.decoder = cast("Sequence[DecoderBlock]", nn.ModuleList(decoder))
        self.out_of_decoder = Linear(d_hidden, d_model)
        self.output = output
        self.dropout = Dropout(dropout)

    @property
    def longest(self) -> int:
        """How many positions a sentence may have."""
        return self.source_positions.longest

    def states(self, batch: Batch) -> Float[Tensor, "batch target d_model"]:
        """What `output` turns into logits."""
        return self._decode(batch.target_in.ids, self.start(self.encode(batch.source)))[0]

    def encode(self, source: Sentences) -> Memory:
        """Keys and values for each position of the source."""
        embedded = self.dropout(self.source_positions(self.source_embedding(source.ids)))
        x = self.into_encoder(embedded)
        for block in self.encoder:
            x = block(x, source.real[:, :, None])
        # by the number of attentions (Gehring et al. 2017, 3.4); by twice that in fairseq
        keys = _slowed(self.out_of_encoder(x), 1 / (2 * len(self.decoder)))
        return Memory(keys, (keys + embedded) * ROOT_HALF, source.real)

    def start(self, memory: Memory) -> State:
        """A decoder's state before the first step."""
        x = memory.keys
        earlier = tuple(
            x.new_zeros(len(x), block.convolution.reach, self.into_decoder.out_features)
            for block in self.decoder
        )
        return State(0, earlier, memory)

    def step(
        self, pieces: Int[Tensor, " rows"], state: State
    ) -> tuple[Float[Tensor, "rows vocabulary"], State]:
        """Logits of what follows `pieces`, the latest piece of each hypothesis."""
        x, state = self._decode(pieces[:, None], state)
        return self.output(x[:, -1]), state

    def _decode(
        self, ids: Int[Tensor, "rows length"], state: State
    ) -> tuple[Float[Tensor, "rows length d_model"], State]:
        embedded = self.target_positions(self.target_embedding(ids), start=state.place)
        embedded = self.dropout(embedded)
        x = self.into_decoder(embedded)
        seen_by_all = []
        for block, earlier in zip(self.decoder, state.earlier, strict=True):
            x, seen = block(x, embedded, earlier, state.memory)
            seen_by_all.append(seen)
        state = replace(state, place=state.place + ids.shape[1], earlier=tuple(seen_by_all))
        return self.dropout(self.out_of_decoder(x)), state


@dataclass(frozen=True)
class Columns:
    """What ByteNet's encoder hands on: a vector for each column, zeros beyond a row's last."""

    states: Float[Tensor, "batch columns d_model"]


@dataclass(frozen=True)
class ByteState:
    """What ByteNet's decoder keeps between steps; rows are hypotheses, as many a sentence."""

    place: int
    earlier: tuple[Float[Tensor, "rows _reach d_hidden"], ...]  # of each block, what it last saw
    columns: Float[Tensor, "sentences columns d_model"]

    def reorder(self, rows: Int[Tensor, " rows"]) -> "ByteState":
        """Row i goes on from what row rows[i] was, a row of the same sentence."""
        return replace(self, earlier=tuple(seen[rows] for seen in self.earlier))

    def only(self, sentences: Int[Tensor, " sentences"]) -> "ByteState":
        """Only these sentences stay, in this order."""
        rows = rows_of(sentences, len(self.earlier[0]) // len(self.columns))
        return replace(self.reorder(rows), columns=self.columns[sentences])


class ByteBlock(nn.Module):
    """A residual block with ReLUs (Kalchbrenner et al. 2016, figure 3, left).

    Normalise, ReLU, to half the width; the same, then the dilated convolution; the same, back.

    Args:
        d_model: Width of what comes in and goes out.
        convolution: Sees neighbours, at half the width.
        dropout: The chance that a number is dropped from what is added.
    """

    def __init__(
        self, d_model: int, convolution: Convolution | CausalConvolution, *, dropout: float
    ):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(d) for d in (d_model, d_model // 2, d_model // 2))
        self.narrow = Linear(d_model, d_model // 2)
        self.convolution = convolution
        self.widen = Linear(d_model // 2, d_model)
        self.dropout = Dropout(dropout)

    def before(self, x: Float[Tensor, "batch length d_model"]) -> Tensor:
        """What the convolution sees."""
        return self.norms[1](self.narrow(self.norms[0](x).relu())).relu()

    def after(self, x: Float[Tensor, "batch length d_model"], found: Tensor) -> Tensor:
        """What goes on, from what came in and what the convolution found."""
        return x + self.dropout(self.widen(self.norms[2](found).relu()))


class ByteNet(EncoderDecoder):
    """Kalchbrenner et al. (2016), figure 1: dilated convolutions, the decoder on the encoder.

    The encoder unfolds to a |s| + b columns (section 3.2), over zeros once the source has ended;
    beyond them the decoder goes on over zeros. A column of the encoder and the embedding of the
    last piece come into the decoder through one linear map of both (the paper does not say how).

    Args:
        source_embedding: Ids of the source to vectors.
        target_embedding: Ids of the target to vectors; may be the same module.
        encoder: Blocks with `Convolution`s.
        decoder: Blocks with `CausalConvolution`s.
        output: Vectors to logits; its weight may be an embedding's.
        columns: From the number of pieces of each sentence to a |s| + b.
        dropout: The chance that a number is dropped from embeddings.
    """

    def __init__(
        self,
        *,
        source_embedding: Embedding,
        target_embedding: Embedding,
        encoder: Sequence[ByteBlock],
        decoder: Sequence[ByteBlock],
        output: nn.Linear,
        columns: Callable[[Tensor], Tensor],
        dropout: float,
    ):
        super().__init__()
        d_model = output.in_features
        self.source_embedding = source_embedding
        self.target_embedding = target_embedding
        self.encoder = cast("Sequence[ByteBlock]", nn.ModuleList(encoder))
        self.join = Linear(2 * d_model, d_model)
        self.decoder = cast("Sequence[ByteBlock]", nn.ModuleList(decoder))
        self.last_norm = nn.LayerNorm(d_model)
        self.output = output
        self.columns = columns
        self.dropout = Dropout(dropout)

    def states(self, batch: Batch) -> Float[Tensor, "batch target d_model"]:
        """What `output` turns into logits."""
        return self._decode(batch.target_in.ids, self.start(self.encode(batch.source)))[0]

    def encode(self, source: Sentences) -> Columns:
        """A vector for each column."""
        x = self.dropout(self.source_embedding(source.ids)) * source.real[:, :, None]
        columns = self.columns(source.real.sum(1))
        x = nn.functional.pad(x, (0, 0, 0, int(columns.max()) - x.shape[1]))
        there = (torch.arange(x.shape[1], device=x.device) < columns[:, None])[:, :, None]
        for block in self.encoder:
            x = block.after(x, block.convolution(block.before(x) * there))
        return Columns(x * there)

    def start(self, memory: Columns) -> ByteState:
        """A decoder's state before the first step."""
        x = memory.states
        earlier = tuple(
            x.new_zeros(len(x), cast("CausalConvolution", block.convolution).reach, x.shape[2] // 2)
            for block in self.decoder
        )
        return ByteState(0, earlier, x)

    def step(
        self, pieces: Int[Tensor, " rows"], state: ByteState
    ) -> tuple[Float[Tensor, "rows vocabulary"], ByteState]:
        """Logits of what follows `pieces`, the latest piece of each hypothesis."""
        x, state = self._decode(pieces[:, None], state)
        return self.output(x[:, -1]), state

    def _decode(
        self, ids: Int[Tensor, "rows length"], state: ByteState
    ) -> tuple[Float[Tensor, "rows length d_model"], ByteState]:
        y = self.dropout(self.target_embedding(ids))
        stop = state.place + ids.shape[1]
        columns = state.columns[:, state.place : stop]
        columns = nn.functional.pad(columns, (0, 0, 0, ids.shape[1] - columns.shape[1]))
        columns = columns.repeat_interleave(len(ids) // len(columns), dim=0)
        x = self.join(torch.cat((y, columns), dim=2))
        seen_by_all = []
        for block, earlier in zip(self.decoder, state.earlier, strict=True):
            found, seen = block.convolution(block.before(x), earlier)
            x = block.after(x, found)
            seen_by_all.append(seen)
        return self.last_norm(x).relu(), replace(state, place=stop, earlier=tuple(seen_by_all))


def _slowed(x: Tensor, factor: float) -> Tensor:
    """x, its gradient times `factor`."""
    return x * factor + x.detach() * (1 - factor)
