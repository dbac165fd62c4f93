"""Multi-head attention (Vaswani et al. 2017, 3.2.2): several attentions side by side."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from regard.attention.attend import Rule
from regard.attention.layer import Attention
from regard.product import ROWS, Linear, linear, settled


class Room:
    """Storage that may reach beyond what is kept in it, so that more can follow without a copy."""

    def __init__(self, kept: "Kept", keys: int):
        self.key, self.value = (
            x.new_empty(*x.shape[:2], keys, x.shape[3]) for x in (kept.key, kept.value)
        )
        self.taken = 0

    def fits(self, first: int, count: int) -> bool:
        """Whether `count` can follow the `first`, and nothing else does already."""
        return first == self.taken and first + count <= self.key.shape[2]

    def take(self, kept: "Kept") -> "Kept":
        """Put more behind what is there; all that is there now."""
        start, self.taken = self.taken, self.taken + kept.key.shape[2]
        self.key[:, :, start : self.taken] = kept.key
        self.value[:, :, start : self.taken] = kept.value
        return Kept(self.key[:, :, : self.taken], self.value[:, :, : self.taken], self)


@dataclass(frozen=True)
class Kept:
    """Keys and values of each head, kept so that later queries can look at them.

    `room` is where they lie, if there is storage for more behind them.
    """

    key: Float[Tensor, "batch heads keys d_k"]
    value: Float[Tensor, "batch heads keys d_v"]
    room: Room | None = None

    def and_then(self, later: "Kept") -> "Kept":
        """These, followed by later ones and zeros up to a multiple of `ROWS`; without gradients.

        (Where in memory a product's rows begin can change it, too.) What is kept already is copied
        only when its storage is full, or when something else followed it before: an earlier `Kept`
        never changes.
        """
        keys, more = self.key.shape[2], later.key.shape[2]
        if more % ROWS:
            filled = (0, 0, 0, -more % ROWS)
            return self.and_then(
                Kept(functional.pad(later.key, filled), functional.pad(later.value, filled))
            )
        if self.room and self.room.fits(keys, more):
            return self.room.take(later)
        room = Room(self, 2 * (keys + more))
        room.take(self)
        return room.take(later)

    def none(self) -> "Kept":
        """Nothing, of the same widths."""
        return Kept(self.key[:, :, :0], self.value[:, :, :0])

    def select(self, rows: Int[Tensor, " rows"]) -> "Kept":
        """The given rows of the batch, in this order, without gaps."""
        return Kept(self.key[rows], self.value[rows])


class MultiHead(nn.Module):
    """Heads that look on their own; what they found is concatenated and projected.

    W^Q, W^K and W^V of all heads are the rows of one matrix, so that self-attention needs one
    multiplication. The projections have biases, as in tensor2tensor's first version; the paper
    prints none. Heads are never averaged; one is silenced by a hook that sets its stretch of
    `out_of_heads`'s input to zero::

        def silence(module, inputs):
            x = inputs[0].clone()
            x[..., head * d_v : (head + 1) * d_v] = 0
            return (x,)

        attention.out_of_heads.register_forward_pre_hook(silence)

    Args:
        d_model: Width of what comes in and goes out.
        heads: How many attentions side by side.
        d_k: Width of a head's queries and keys; d_model / heads if None.
        d_v: Width of a head's values; d_model / heads if None.
        dropout: The chance that a weight is dropped while learning.

    Raises:
        ValueError: there are no heads, or a head has no width; or `heads` does not divide
            `d_model`, and `d_k` or `d_v` is not given.
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        *,
        d_k: int | None = None,
        d_v: int | None = None,
        dropout: float = 0.0,
    ):
        super().__init__()
        for name, given in {"d_model": d_model, "heads": heads, "d_k": d_k, "d_v": d_v}.items():
            if given is not None and given < 1:
                raise ValueError(f"{name} {given} must be at least 1")
        if d_model % heads and (d_k is None or d_v is None):
            raise ValueError(
                f"d_model {d_model} cannot be shared by {heads} heads; give d_k and d_v"
            )
        self.heads = heads
        self.d_k = d_k or d_model // heads
        self.d_v = d_v or d_model // heads
        self.attention = Attention(dropout=dropout)
        self.into_heads = Linear(d_model, heads * (2 * self.d_k + self.d_v))  # W^Q, W^K, W^V
        self.out_of_heads = Linear(heads * self.d_v, d_model)  # W^O

    def forward(
        self,
        query: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch keys d_model"],
        *,
        allowed: Rule | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Each position of `query` looks at `memory`; self-attention if they are the same."""
        return self.mix(*self._ask_and_keep(query, memory), allowed=allowed)

    def weights(
        self,
        query: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch keys d_model"],
        *,
        allowed: Rule | None = None,
    ) -> Float[Tensor, "batch heads queries keys"]:
        """What `forward` does with the same arguments, as weights before dropout."""
        return self.attention.weights(self.ask(query), self.keep(memory).key, allowed=allowed)

    def with_weights(
        self,
        query: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch keys d_model"],
        *,
        allowed: Rule | None = None,
    ) -> tuple[Float[Tensor, "batch queries d_model"], Float[Tensor, "batch heads queries keys"]]:
        """What `forward` and `weights` return, made once, on the plain path."""
        asked, kept = self._ask_and_keep(query, memory)
        context, shares = self.attention.with_weights(asked, kept.key, kept.value, allowed=allowed)
        return self._join(context), shares

    def ask(
        self, query: Float[Tensor, "batch queries d_model"]
    ) -> Float[Tensor, "batch heads queries d_k"]:
        """Each head's queries, Q W^Q."""
        return self._split(self._project(query, 0, self.heads * self.d_k))

    def keep(self, memory: Float[Tensor, "batch keys d_model"]) -> Kept:
        """Each head's keys and values, K W^K and V W^V."""
        width = self.heads * self.d_k
        both = self._project(memory, width, None)
        return Kept(self._split(both[..., :width]), self._split(both[..., width:]))

    def ask_and_keep(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> tuple[Float[Tensor, "batch heads length d_k"], Kept]:
        """`ask(x)` and `keep(x)` in one multiplication."""
        width = self.heads * self.d_k
        query, key, value = self._project(x, 0, None).split(
            (width, width, self.heads * self.d_v), dim=-1
        )
        return self._split(query), Kept(self._split(key), self._split(value))

    def mix(
        self,
        query: Float[Tensor, "batch heads queries d_k"],
        kept: Kept,
        *,
        allowed: Rule | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Concat(head_1, ..., head_h) W^O."""
        context = self.attention(query, kept.key, kept.value, allowed=allowed)
        return self._join(context)

    def _join(
        self, context: Float[Tensor, "batch heads queries d_v"]
    ) -> Float[Tensor, "batch queries d_model"]:
        return self.out_of_heads(context.transpose(1, 2).flatten(2))

    def _ask_and_keep(self, query: Tensor, memory: Tensor) -> tuple[Tensor, Kept]:
        if query is memory:
            return self.ask_and_keep(query)
        return self.ask(query), self.keep(memory)

    def _project(self, x: Tensor, start: int, stop: int | None) -> Tensor:
        into = self.into_heads
        if x.shape[-1] != into.in_features:
            raise ValueError(
                f"vectors of width {x.shape[-1]} do not fit a matrix for width {into.in_features}"
            )
        return linear(x, into.weight[start:stop], into.bias[start:stop])

    def _split(
        self, x: Float[Tensor, "batch length width"]
    ) -> Float[Tensor, "batch heads length d_head"]:
        return settled(x.unflatten(-1, (self.heads, -1)).transpose(1, 2))
