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


class Allowed(ABC):
    """A rule that says, for each query and key, whether the one may look at the other."""

    @abstractmethod
    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "*rows queries keys"]:
        """Part of the table; True where a query may look.

        Args:
            shape: The whole table's: leading axes, queries, keys.
            queries: Which queries, one after the other.
            keys: Which keys, one after the other.
            device: Where the result lies.

        Returns:
            A tensor that broadcasts to the leading axes, these queries and these keys.

        Raises:
            ValueError: the rule does not fit the shape.
        """

    def dense(
        self, shape: Sequence[int], *, device: torch.device | None = None
    ) -> Bool[Tensor, "*rows queries keys"]:
        """The whole table."""
        return self.block(shape, range(shape[-2]), range(shape[-1]), device=device)

    def __and__(self, other: "Allowed | Tensor") -> "Allowed":
        return _Both(self, as_allowed(other))

    __rand__ = __and__


@dataclass(frozen=True)
class Causal(Allowed):
    """Each place may look at itself and at what came before it (Vaswani et al. 2017, 3.2.3)."""

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "queries keys"]:
        """Part of the table."""
        query, key = _places(shape, queries, keys, device)
        return key <= query


@dataclass(frozen=True)
class Window(Allowed):
    """Each place may look at most `radius` places away (the paper's section 4, "restricted")."""

    radius: int

    def __post_init__(self):
        if self.radius < 0:
            raise ValueError(f"window {self.radius} must not be negative; 0 is the place itself")

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "queries keys"]:
        """Part of the table."""
        query, key = _places(shape, queries, keys, device)
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

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "queries keys"]:
        """Part of the table."""
        query, key = _places(shape, queries, keys, device)
        return (key < self.length) | (key <= query)


@dataclass(frozen=True, eq=False)
class Lengths(Allowed):
    """Only the first keys are real: so many for each row (`[batch]`) or query (`[batch queries]`).

    D2L's `valid_lens`; but a query with a length of 0 looks nowhere, where D2L spreads it evenly.
    """

    lengths: Int[Tensor, "*rows"]

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "*rows queries keys"]:
        """Part of the table."""
        lengths = self.lengths.to(device) if device else self.lengths
        expected = {(shape[0],), (shape[0], shape[-2])} if len(shape) > 2 else {(shape[-2],)}
        if tuple(lengths.shape) not in expected:
            raise ValueError(
                f"lengths of shape {list(lengths.shape)} do not fit scores of shape {list(shape)}:"
                f" one for each row or for each of its queries"
            )
        if lengths.numel() and not 0 <= int(lengths.min()) <= int(lengths.max()) <= shape[-1]:
            wrong = int(lengths.max()) if int(lengths.max()) > shape[-1] else int(lengths.min())
            raise ValueError(f"length {wrong} is outside a row of {shape[-1]} keys")
        of_each = slice(queries.start, queries.stop)
        if len(shape) == 2:
            lengths = lengths[of_each, None]
        else:
            lengths = lengths[:, None] if lengths.ndim == 1 else lengths[:, of_each]
            lengths = lengths.view(len(lengths), *[1] * (len(shape) - 3), -1, 1)
        return torch.arange(keys.start, keys.stop, device=lengths.device) < lengths


@dataclass(frozen=True, eq=False)
class Documents(Allowed):
    """Each place may look at those of its own document: ids are `[places]` or `[batch places]`."""

    ids: Int[Tensor, "*rows places"]

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "*rows queries keys"]:
        """Part of the table."""
        ids = self.ids.to(device) if device else self.ids
        if tuple(ids.shape) not in {(shape[-1],), (shape[0], shape[-1])} or shape[-2] > shape[-1]:
            raise ValueError(
                f"documents of shape {list(ids.shape)} do not fit scores of shape {list(shape)}:"
                " one id for each place"
            )
        if ids.ndim == 2:
            ids = ids.view(-1, *[1] * (len(shape) - 3), shape[-1])
        first = shape[-1] - shape[-2]
        query = ids[..., first + queries.start : first + queries.stop, None]
        return query == ids[..., None, keys.start : keys.stop]


@dataclass(frozen=True, eq=False)
class _Given(Allowed):
    """A table that is there already."""

    table: Bool[Tensor, "*rows queries keys"]

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "*rows queries keys"]:
        """Part of the table."""
        for own, whole in zip(self.table.shape[::-1], shape[::-1], strict=False):
            if own not in (1, whole):
                raise ValueError(
                    f"allowed of shape {list(self.table.shape)} does not fit scores of shape"
                    f" {list(shape)}"
                )
        table = self.table.to(device) if device else self.table
        if table.shape[-2] > 1:
            table = table[..., queries.start : queries.stop, :]
        return table[..., keys.start : keys.stop] if table.shape[-1] > 1 else table


@dataclass(frozen=True, eq=False)
class _Both(Allowed):
    """What both rules allow."""

    one: Allowed
    other: Allowed

    def block(
        self,
        shape: Sequence[int],
        queries: range,
        keys: range,
        *,
        device: torch.device | None = None,
    ) -> Bool[Tensor, "*rows queries keys"]:
        """Part of the table."""
        one = self.one.block(shape, queries, keys, device=device)
        return one & self.other.block(shape, queries, keys, device=device)


causal, lengths, window, prefix, documents = Causal, Lengths, Window, Prefix, Documents
"""The rules, as one reads them: `causal() & window(8)`."""


def as_allowed(given: "Allowed | Tensor") -> Allowed:
    """A rule as it is, a Boolean tensor as a rule.

    Raises:
        ValueError: a tensor that is not Boolean.
    """
    if isinstance(given, Allowed):
        return given
    if given.dtype != torch.bool:
        raise ValueError(f"allowed must be Boolean, True where a query may look; got {given.dtype}")
    return _Given(given)


def _places(
    shape: Sequence[int], queries: range, keys: range, device: torch.device | None
) -> tuple[Int[Tensor, "queries 1"], Int[Tensor, " keys"]]:
    """The places of some queries, as a column, and of some keys."""
    first = shape[-1] - shape[-2]
    query = torch.arange(first + queries.start, first + queries.stop, device=device)
    return query[:, None], torch.arange(keys.start, keys.stop, device=device)
