"""Who may look where: small records that yield any block of themselves.

A query stands at a place too. Queries are the last of the places: with as many queries as keys,
query i stands at place i; with one query and seven keys kept from earlier steps, it stands at
place 6. `&` joins two rules; a Boolean tensor counts as one.

    >>> (causal() & window(1)).dense((3, 3)).int().tolist()
    [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor


@dataclass(frozen=True)
class Part:
    """Some queries and some keys of a table.

    Attributes:
        shape: The whole table's: leading axes, queries, keys.
        queries: Which queries, one after the other.
        keys: Which keys, one after the other.
        device: Where a table lies; where the rule has its own numbers if None.
    """

    shape: Sequence[int]
    queries: slice
    keys: slice
    device: torch.device | None

    @property
    def first(self) -> int:
        """The place of the whole table's first query."""
        return self.shape[-1] - self.shape[-2]

    def places(self) -> tuple[Int[Tensor, "queries 1"], Int[Tensor, " keys"]]:
        """The places of the queries, as a column, and of the keys."""
        query = torch.arange(self.queries.start, self.queries.stop, device=self.device)
        key = torch.arange(self.keys.start, self.keys.stop, device=self.device)
        return query[:, None] + self.first, key


class Allowed(ABC):
    """A rule that says, for each query and key, whether the one may look at the other."""

    @abstractmethod
    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table; a tensor that broadcasts to the leading axes, these queries and keys.

        Raises:
            ValueError: the rule does not fit the shape.
        """

    def block(
        self,
        shape: Sequence[int],
        queries: slice,
        keys: slice,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "*rows queries keys"]:
        """`table` of the `Part` with these attributes."""
        return self.table(Part(shape, queries, keys, device))

    def dense(
        self, shape: Sequence[int], *, device: torch.device | None = None
    ) -> Bool[Tensor, "*rows queries keys"]:
        """The whole table."""
        return self.block(shape, slice(0, shape[-2]), slice(0, shape[-1]), device=device)

    def __and__(self, other: "Allowed | Tensor") -> "Allowed":
        return _Both(self, as_allowed(other))

    __rand__ = __and__


@dataclass(frozen=True)
class Causal(Allowed):
    """Each place may look at itself and at what came before it (Vaswani et al. 2017, 3.2.3)."""

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        query, key = part.places()
        return key <= query


@dataclass(frozen=True)
class Window(Allowed):
    """Each place may look at most `radius` places away (the paper's section 4, "restricted").

    The paper's r is the size of the whole neighbourhood: r = 2 * radius + 1.
    """

    radius: int

    def __post_init__(self):
        if self.radius < 0:
            raise ValueError(f"window {self.radius} must not be negative; 0 is the place itself")

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        query, key = part.places()
        return (query - key).abs() <= self.radius


@dataclass(frozen=True)
class Prefix(Allowed):
    """All may look at the first `length` places; at later ones, those at or after them.

    A prefix language model (Raffel et al. 2020, figure 4): the given text is seen whole, what
    follows is seen as it grows.
    """

    length: int

    def __post_init__(self):
        if self.length < 0:
            raise ValueError(f"prefix {self.length} must not be negative")

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        query, key = part.places()
        return (key < self.length) | (key <= query)


@dataclass(frozen=True, eq=False)
class Lengths(Allowed):
    """Only the first keys are real: so many for each row (`[batch]`) or query (`[batch queries]`).

    D2L's `valid_lens`; but a query with a length of 0 looks nowhere, where D2L spreads it evenly.
    """

    lengths: Int[Tensor, "*rows"]

    def __post_init__(self):
        _check_integers("lengths", self.lengths)

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        *leading, queries, keys = part.shape
        lengths = self.lengths.to(part.device) if part.device else self.lengths
        expected = [(leading[0],), (leading[0], queries)] if leading else [(queries,)]
        if tuple(lengths.shape) not in expected:
            raise ValueError(
                f"lengths of shape {list(lengths.shape)} do not fit scores of shape"
                f" {list(part.shape)}: one for each row or for each of its queries"
            )
        outside = lengths[(lengths < 0) | (lengths > keys)]
        if len(outside):
            raise ValueError(f"length {int(outside[0])} is outside a row of {keys} keys")
        if not leading:
            lengths = lengths[part.queries, None]
        else:
            lengths = lengths[:, None] if lengths.ndim == 1 else lengths[:, part.queries]
            lengths = lengths.view(leading[0], *[1] * (len(leading) - 1), -1, 1)
        return torch.arange(part.keys.start, part.keys.stop, device=lengths.device) < lengths


@dataclass(frozen=True, eq=False)
class Documents(Allowed):
    """Each place may look at those of its own document: ids are `[places]` or `[batch places]`."""

    ids: Int[Tensor, "*rows places"]

    def __post_init__(self):
        _check_integers("documents", self.ids)

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        *leading, _, keys = part.shape
        ids = self.ids.to(part.device) if part.device else self.ids
        expected = [(keys,), (leading[0], keys)] if leading else [(keys,)]
        if tuple(ids.shape) not in expected or part.first < 0:
            raise ValueError(
                f"documents of shape {list(ids.shape)} do not fit scores of shape"
                f" {list(part.shape)}: one id for each place"
            )
        if ids.ndim == 2:
            ids = ids.view(len(ids), *[1] * (len(leading) - 1), keys)
        query = ids[..., part.first + part.queries.start : part.first + part.queries.stop, None]
        return query == ids[..., None, part.keys]


@dataclass(frozen=True, eq=False)
class _Given(Allowed):
    """A table that is there already."""

    given: Bool[Tensor, "..."]

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        own, whole = self.given.shape, part.shape
        fits = all(a in (1, b) for a, b in zip(own[::-1], whole[::-1], strict=False))
        if not fits or len(own) > len(whole):
            raise ValueError(
                f"allowed of shape {list(own)} does not fit scores of shape {list(whole)}"
            )
        table = torch.atleast_2d(self.given.to(part.device) if part.device else self.given)
        if table.shape[-2] > 1:
            table = table[..., part.queries, :]
        return table[..., part.keys] if table.shape[-1] > 1 else table


@dataclass(frozen=True, eq=False)
class _Both(Allowed):
    """What both rules allow."""

    one: Allowed
    other: Allowed

    def table(self, part: Part) -> Bool[Tensor, "..."]:
        """Part of the table."""
        return self.one.table(part) & self.other.table(part)


causal, lengths, window, prefix, documents = Causal, Lengths, Window, Prefix, Documents
"""The rules, as one reads them: `causal() & window(8)`."""


def as_allowed(given: "Allowed | Tensor") -> Allowed:
    """A rule as it is, a Boolean tensor as a rule.

    Raises:
        ValueError: neither of them.
    """
    if isinstance(given, Allowed):
        return given
    if _kind(given) != torch.bool:
        raise ValueError(
            f"allowed must be a Boolean tensor, True where a query may look; got {_kind(given)}"
        )
    return _Given(given)


def _check_integers(name: str, given: Tensor) -> None:
    if _kind(given) not in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
        raise ValueError(f"{name} must be a tensor of integers, got {_kind(given)}")


def _kind(given: object) -> object:
    return given.dtype if isinstance(given, Tensor) else type(given).__name__
