"""sides, attentions -> Trace: what every attention did with one sentence and its translation."""

import html
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from regard.errors import DiskError
from regard.look.page import page
from regard.look.svg import picture
from regard.look.terminal import blocks
from regard.trace import views
from regard.trace.record import About, Attended, Candidate, Kind, attended_of, check_shapes
from regard.trace.sides import Side

if TYPE_CHECKING:
    from regard.trace.measures import Head


SIDES = ("source", "target_in", "target_out")


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace:
    """What every attention did with one sentence.

    A query of the decoder stands on a piece of `target_in` and says the piece of `target_out` at
    the same place. Attention of the decoder is labelled by what stands there, attention to the
    source by what is said.

    Attributes:
        text: The source.
        translation: The target.
        forced: Whether the target was given, and not found by a search.
        log_prob: Of the target, in nats, its end counted; None if nobody said.
        source: The source's pieces.
        target_in: What the decoder's queries stand on.
        target_out: What they say.
        attentions: What each attention did.
        steps: What each step of the search weighed, best first.
        about: Where it comes from.
        view: What was merged or hidden; "pieces" if nothing.
        whole: The trace that this is a view of.
    """

    text: str
    translation: str
    source: Side
    target_in: Side
    target_out: Side
    attentions: tuple[Attended, ...]
    forced: bool = False
    log_prob: float | None = None
    steps: tuple[tuple[Candidate, ...], ...] = ()
    about: About = field(default_factory=About)
    view: str = "pieces"
    whole: "Trace | None" = None

    def __post_init__(self):
        for attended in self.attentions:
            check_shapes(attended, *(len(side) for side in self.sides(attended.kind)))

    @classmethod
    def from_arrays(
        cls,
        *,
        source: Sequence[str],
        target_in: Sequence[str] = (),
        target_out: Sequence[str] | None = None,
        encoder: Sequence[Any] = (),
        decoder: Sequence[Any] = (),
        cross: Sequence[Any] = (),
        about: About | None = None,
    ) -> "Trace":
        """From the weights of any model, one array a layer.

        Args:
            source: The source's pieces.
            target_in: The pieces that the decoder was given.
            target_out: What it said at each; the pieces given, one place later, if None.
            encoder: Arrays `[heads queries keys]`, or with a leading axis of 1.
            decoder: The same. Where no query of any layer looks at a later piece, later pieces
                count as forbidden.
            cross: The same, from target to source.
            about: Where they come from.

        Raises:
            ValueError: shapes that do not fit the pieces, numbers that are not finite or below 0,
                rows that do not sum to 1.
        """
        if target_out is None:
            target_out = [*target_in[1:], "</s>"][: len(target_in)]
        layers: dict[Kind, Sequence[Any]] = {
            "encoder": encoder, "decoder": decoder, "cross": cross
        }  # fmt: skip
        sides = (Side.of_texts(source), Side.of_texts(target_in), Side.of_texts(target_out))
        return cls(
            text=_text(sides[0]),
            translation=_text(sides[2]),
            source=sides[0],
            target_in=sides[1],
            target_out=sides[2],
            attentions=tuple(
                attended
                for kind, arrays in layers.items()
                for attended in attended_of(kind, arrays)
            ),
            about=about or About(),
        )

    def sides(self, kind: Kind) -> tuple[Side, Side]:
        """What stands along the queries and along the keys of an attention of that kind."""
        return {
            "encoder": (self.source, self.source),
            "decoder": (self.target_in, self.target_in),
            "cross": (self.target_out, self.source),
        }[kind]

    def layers(self, kind: Kind) -> list[Attended]:
        """The attentions of that kind, lowest layer first."""
        return [attended for attended in self.attentions if attended.kind == kind]

    def weights(
        self, kind: Kind = "cross", *, layer: int = -1, head: int | None = None
    ) -> Float[np.ndarray, "queries keys"]:
        """Of one head; of all heads on average if None.

        Raises:
            ValueError: there is no such attention.
        """
        found = self.layers(kind)
        if not -len(found) <= layer < len(found):
            raise ValueError(f"layer {layer} of {kind} is asked for, there are {len(found)}")
        weights = found[layer].weights
        if head is None:
            return weights.mean(0)
        if not -len(weights) <= head < len(weights):
            raise ValueError(f"head {head} is asked for, layer {layer} has {len(weights)}")
        return weights[head]

    def with_about(self, **changes: str) -> "Trace":
        """The same with other words at its foot."""
        return replace(self, about=replace(self.about, **changes))

    def words(self, *, signs: views.Signs = "keep") -> "Trace":
        """Of words: the sum over a key's pieces, the mean over a query's; `whole` leads back.

        Args:
            signs: Keep the signs for begin and end, hide them, or hide them and let the rows that
                are left sum to 1 again.
        """
        sides = {name: getattr(self, name).as_words() for name in SIDES}
        attentions = [views.merged(a, *self.sides(a.kind)) for a in self.attentions]
        whole = self.whole or self
        shown = replace(self, **sides, attentions=tuple(attentions), view="words", whole=whole)
        return shown if signs == "keep" else shown._without_signs(signs == "renormalise")

    def _without_signs(self, renormalise: bool) -> "Trace":
        kept = {
            name: [i for i, special in enumerate(getattr(self, name).special) if not special]
            for name in SIDES
        }
        names = {
            "encoder": ("source", "source"),
            "decoder": ("target_in", "target_in"),
            "cross": ("target_out", "source"),
        }
        attentions = []
        for attended in self.attentions:
            queries, keys = (kept[name] for name in names[attended.kind])
            attentions.append(views.without(attended, queries, keys, renormalise=renormalise))
        return replace(
            self,
            **{name: getattr(self, name).only(places) for name, places in kept.items()},
            attentions=tuple(attentions),
            view=f"{self.view}, signs hidden, "
            + ("rows sum to 1 again" if renormalise else "rows sum to what is left"),
        )

    def strongest(
        self, kind: Kind = "cross", *, layer: int = -1, head: int | None = None, top: int = 1
    ) -> list[list[views.Link]]:
        """What each query looked at most; of equals, all.

        Raises:
            ValueError: there is no such attention.
        """
        return views.strongest(self.weights(kind, layer=layer, head=head), *self.sides(kind), top)

    def rollout(
        self, kind: Kind = "encoder", *, residual: float = 0.5
    ) -> Float[np.ndarray, "queries keys"]:
        """How much of each place came from where, through all layers and the ways around them.

        Raises:
            ValueError: residual is not between 0 and 1.
        """
        from regard.trace.measures import rollout

        return rollout(self, kind, residual)

    def heads(self) -> "list[Head]":
        """What each head does, in numbers and in a word; like beside like, the sharpest first."""
        from regard.trace.measures import heads

        return heads(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """All of it, numbers as numbers; written to a file if one is named."""
        whole = {
            field: getattr(self, field)
            for field in ("text", "translation", "forced", "log_prob", "view")
        }
        whole |= {name: asdict(getattr(self, name)) for name in (*SIDES, "about")}
        whole["steps"] = [[asdict(candidate) for candidate in step] for step in self.steps]
        whole["attentions"] = [
            {
                name: value.tolist() if isinstance(value, np.ndarray) else value
                for name, value in vars(attended).items()
            }
            for attended in self.attentions
        ]
        return written(path, json.dumps(whole, ensure_ascii=False) + "\n")

    def to_text(self, kind: Kind = "cross", *, layer: int = -1, head: int | None = None) -> str:
        """One attention for a terminal: a row for each query, shaded blocks for the weights."""
        queries, keys = self.sides(kind)
        title = self._title(kind, layer, head)
        weights = self.weights(kind, layer=layer, head=head)
        return blocks(weights, queries.pieces, keys.pieces, title=title)

    def to_svg(
        self,
        path: str | Path | None = None,
        kind: Kind = "cross",
        *,
        layer: int = -1,
        head: int | None = None,
    ) -> str:
        """One attention as a picture; written to a file if one is named."""
        queries, keys = self.sides(kind)
        title = self._title(kind, layer, head)
        allowed = self.layers(kind)[layer].allowed
        weights = self.weights(kind, layer=layer, head=head)
        return written(path, picture(weights, allowed, queries.pieces, keys.pieces, title=title))

    def _title(self, kind: Kind, layer: int, head: int | None) -> str:
        found = self.layers(kind)
        self.weights(kind, layer=layer, head=head)  # is there such an attention?
        heads = len(found[layer].weights)
        which = f"head {head % heads + 1}" if head is not None else "the mean of all heads"
        which = which if heads > 1 else "one head"
        return f"{kind}, layer {layer % len(found) + 1} of {len(found)}, {which}"

    def page(self, *others: "Trace") -> str:
        """The page that shows this trace, and others beside it, as HTML that needs nothing else."""
        from regard.trace.pack import packed

        traces = [packed(trace) for trace in (self, *others)]
        return page({"live": None, "traces": traces})

    def to_html(self, path: str | Path | None = None) -> str:
        """One page that needs nothing else; written to a file if one is named."""
        return written(path, self.page())

    def framed(self, *others: "Trace") -> str:
        """The page in a frame of its own, as notebooks show it."""
        inside = html.escape(self.page(*others), quote=True)
        return (
            f'<iframe srcdoc="{inside}" title="regard" sandbox="allow-scripts allow-downloads"'
            ' style="width: 100%; height: 48rem; border: 0"></iframe>'
        )

    def _repr_html_(self) -> str:
        return self.framed()


def written(path: str | Path | None, content: str) -> str:
    """The content, after it was written to the file, if one is named.

    Raises:
        DiskError: it cannot be written.
    """
    if path is not None:
        try:
            Path(path).write_text(content, encoding="utf-8")
        except OSError as error:
            raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    return content


def _text(side: Side) -> str:
    signs = {word for word, special in zip(side.word_of, side.special, strict=True) if special}
    return " ".join(word for i, word in enumerate(side.words) if i not in signs)
