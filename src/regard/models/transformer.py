"""The Transformer (Vaswani et al. 2017), figure 1 from top to bottom.

Post-norm, sinusoids as printed and one matrix for both embeddings and the output unless other
parts are handed in; `build.py` chooses them from a recipe.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.attention import Allowed, Kept, MultiHead, Rule, causal
from regard.data.batch import Batch, Sentences
from regard.layers import Embedding, FeedForward, LearnedPositions, Residual, Sinusoids
from regard.layers.dropout import Dropout
from regard.models.encoder_decoder import EncoderDecoder
from regard.product import ROWS


@dataclass(frozen=True)
class Memory:
    """A vector for each source position; `real` is False where there is only padding."""

    states: Float[Tensor, "batch length d_model"]
    real: Bool[Tensor, "batch length"]


@dataclass(frozen=True)
class State:
    """What a decoder keeps between steps.

    The hypotheses of a sentence share what they have kept: each step leaves a key for each of them,
    and `own` says which keys are of a hypothesis' own past. So nothing is copied when hypotheses go
    on from each other.
    """

    place: int
    kept: tuple[Kept, ...]  # of each layer, the target so far
    own: Bool[Tensor, "sentences hypotheses keys"]
    memory: tuple[Kept, ...]  # of each layer, the source
    allowed: Bool[Tensor, "sentences 1 1 source"]

    def reorder(self, rows: Int[Tensor, " rows"]) -> "State":
        """Row i goes on from what row rows[i] was, a row of the same sentence."""
        return replace(self, own=self.own.flatten(0, 1)[rows].unflatten(0, (len(self.own), -1)))

    def only(self, sentences: Int[Tensor, " sentences"]) -> "State":
        """Only these sentences stay, in this order."""
        return replace(
            self,
            kept=tuple(kept.select(sentences) for kept in self.kept),
            own=self.own[sentences],
            memory=tuple(kept.select(sentences) for kept in self.memory),
            allowed=self.allowed[sentences],
        )


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward network, each with its way around (section 3.1)."""

    def __init__(
        self, attention: MultiHead, feed_forward: FeedForward, residual: Callable[[], Residual]
    ):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        self.around_attention = residual()
        self.around_network = residual()

    def forward(
        self,
        x: Float[Tensor, "batch length d_model"],
        *,
        allowed: Rule,
    ) -> Float[Tensor, "batch length d_model"]:
        """One layer; `allowed` says which positions are there to be looked at."""
        query, kept = self.attention.ask_and_keep(self.around_attention.before(x))
        x = self.around_attention.after(x, self.attention.mix(query, kept, allowed=allowed))
        return self.around_network.after(x, self.feed_forward(self.around_network.before(x)))


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the memory, feed-forward network (section 3.1)."""

    def __init__(
        self,
        attention: MultiHead,
        memory_attention: MultiHead,
        feed_forward: FeedForward,
        residual: Callable[[], Residual],
    ):
        super().__init__()
        self.attention = attention
        self.memory_attention = memory_attention
        self.feed_forward = feed_forward
        self.around_attention = residual()
        self.around_memory = residual()
        self.around_network = residual()

    def forward(
        self,
        x: Float[Tensor, "sentences queries d_model"],
        earlier: Kept | None,
        memory: Kept,
        *,
        allowed: Rule,
        memory_allowed: Bool[Tensor, "sentences 1 1 source"],
    ) -> tuple[Float[Tensor, "sentences queries d_model"], Kept]:
        """One layer, over all positions of a target or the next one of each of its hypotheses.

        Args:
            x: The positions to work on.
            earlier: Keys and values of the positions before them, if any.
            memory: Keys and values of the source.
            allowed: Where they may look in the target.
            memory_allowed: Where they may look in the source.

        Returns:
            The new vectors, and the keys and values of all positions so far.
        """
        query, kept = self.attention.ask_and_keep(self.around_attention.before(x))
        if earlier is not None:
            kept = earlier.and_then(kept)
        x = self.around_attention.after(x, self.attention.mix(query, kept, allowed=allowed))
        query = self.memory_attention.ask(self.around_memory.before(x))
        found = self.memory_attention.mix(query, memory, allowed=memory_allowed)
        x = self.around_memory.after(x, found)
        x = self.around_network.after(x, self.feed_forward(self.around_network.before(x)))
        return x, kept


class Transformer(EncoderDecoder):
    """Encoder, decoder, embeddings and output, put together from parts.

    Args:
        source_embedding: Ids of the source to vectors.
        target_embedding: Ids of the target to vectors; may be the same module.
        output: Vectors to logits; its weight may be an embedding's.
        positions: Adds to each vector its place.
        encoder: The encoder's layers.
        decoder: The decoder's layers.
        encoder_norm: What comes after the last encoder layer (pre-norm needs a normalisation).
        decoder_norm: What comes after the last decoder layer.
        encoder_rule: Where positions of the source may look (section 4, "restricted"); everywhere
            if None.
        dropout: The chance that a number is dropped from embedding + position (section 5.4).
    """

    def __init__(
        self,
        *,
        source_embedding: Embedding,
        target_embedding: Embedding,
        output: nn.Linear,
        positions: Sinusoids | LearnedPositions,
        encoder: Sequence[EncoderLayer],
        decoder: Sequence[DecoderLayer],
        encoder_norm: nn.Module,
        decoder_norm: nn.Module,
        encoder_rule: Allowed | None,
        dropout: float,
    ):
        super().__init__()
        self.source_embedding = source_embedding
        self.target_embedding = target_embedding
        self.output = output
        self.positions = positions
        self.encoder = cast("Sequence[EncoderLayer]", nn.ModuleList(encoder))
        self.decoder = cast("Sequence[DecoderLayer]", nn.ModuleList(decoder))
        self.encoder_norm = encoder_norm
        self.decoder_norm = decoder_norm
        self.encoder_rule = encoder_rule
        self.dropout = Dropout(dropout)

    @property
    def longest(self) -> int:
        """How many positions a sentence may have."""
        return self.positions.longest

    def states(self, batch: Batch) -> Float[Tensor, "batch target d_model"]:
        """What `output` turns into logits."""
        state = self.start(self.encode(batch.source))
        x = self.target_embedding(batch.target_in.ids)
        return self._decode(self.positions(x), state, causal(), [None] * len(self.decoder))[0]

    def encode(self, source: Sentences) -> Memory:
        """A vector for each position of the source."""
        x = self.dropout(self.positions(self.source_embedding(source.ids)))
        allowed: Rule = source.real[:, None, None, :]
        if self.encoder_rule is not None:
            length = x.shape[1]
            allowed = (self.encoder_rule & allowed).dense(
                (len(x), 1, length, length), device=x.device
            )
        for layer in self.encoder:
            x = layer(x, allowed=allowed)
        return Memory(self.encoder_norm(x), source.real)

    def start(self, memory: Memory) -> State:
        """A decoder's state before the first step."""
        real = memory.real
        kept = tuple(layer.memory_attention.keep(memory.states) for layer in self.decoder)
        return State(
            place=0,
            kept=tuple(each.none() for each in kept),
            own=real.new_empty(len(real), 1, 0),
            memory=kept,
            allowed=real[:, None, None, :],
        )

    def step(
        self, pieces: Int[Tensor, " rows"], state: State
    ) -> tuple[Float[Tensor, "rows vocabulary"], State]:
        """Logits of what follows `pieces`, the latest piece of each hypothesis."""
        ids = pieces.view(len(state.own), -1)
        hypotheses = ids.shape[1]
        x = self.target_embedding(ids).flatten(0, 1)[:, None]
        x = self.positions(x, start=state.place).view(*ids.shape, -1)
        itself = torch.eye(hypotheses, hypotheses + -hypotheses % ROWS, device=ids.device)
        itself = itself.bool().expand(len(ids), -1, -1)
        own = torch.cat((state.own, itself), dim=2)
        x, kept = self._decode(x, state, own[:, None], state.kept)
        return self.output(x.flatten(0, 1)), replace(
            state, place=state.place + 1, kept=kept, own=own
        )

    def _decode(
        self,
        x: Float[Tensor, "sentences queries d_model"],
        state: State,
        allowed: Rule,
        earlier: Sequence[Kept | None],
    ) -> tuple[Float[Tensor, "sentences queries d_model"], tuple[Kept, ...]]:
        x = self.dropout(x)
        kept_of_all = []
        for layer, before, memory in zip(self.decoder, earlier, state.memory, strict=True):
            x, kept = layer(x, before, memory, allowed=allowed, memory_allowed=state.allowed)
            kept_of_all.append(kept)
        return self.decoder_norm(x), tuple(kept_of_all)
