"""a run, two files -> the links that its attention makes; which head makes the best ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from regard.commands.given import Given, windows_of
from regard.errors import CorpusError, RecipeError
from regard.evaluate.alignment import Gold, Links, combined, errors, parse, strongest, swapped
from regard.text.lines import read_lines
from regard.text.pieces import EOS
from regard.trace.capture import attentions
from regard.trace.record import Attended
from regard.trace.sides import Side
from regard.trace.views import merged
from regard.translator import Translator

MEAN = -1
"""As a head: the mean of all heads."""

MOST = 500
"""Pairs that an attention is chosen by; as many as are held at once."""


@dataclass(frozen=True)
class Choice:
    """Which attention to the source is taken.

    Attributes:
        layer: Of the decoder, from 0.
        head: Of that layer, from 0, or `MEAN`.
        shift: 0 if a word's links are those of the step that says it, 1 if those of the step after,
            which stands on it.
    """

    layer: int
    head: int
    shift: int

    def __str__(self) -> str:
        head = "mean of its heads" if self.head == MEAN else f"head {self.head + 1}"
        return f"layer {self.layer + 1}, {head}, shift {self.shift}"


@dataclass(frozen=True)
class Named:
    """What of a choice is given; None where it is not."""

    layer: int | None = None
    head: int | None = None
    shift: int | None = None


@dataclass(frozen=True)
class Looked:
    """How the target of one pair looks at its source: all heads of all layers."""

    layers: tuple[Float[np.ndarray, "_heads queries keys"], ...]
    source: Side
    target: Side
    as_words: bool

    @property
    def lengths(self) -> tuple[int, int]:
        """How many words, or pieces, source and target have; the sign for the end is none."""
        if self.as_words:
            return len(self.source.words) - 1, len(self.target.words) - 1
        return len(self.source) - 1, len(self.target) - 1

    def weights(self, choice: Choice) -> Float[np.ndarray, "queries keys"]:
        """What the chosen attention did, of words or pieces, without the sign for the end."""
        heads = self.layers[choice.layer]
        weights = heads.mean(0) if choice.head == MEAN else heads[choice.head]
        if choice.shift:
            weights = np.concatenate((weights[1:], weights[-1:]))
        if self.as_words:
            everywhere = np.ones(weights.shape, dtype=bool)
            one = Attended(kind="cross", layer=0, weights=weights[None], allowed=everywhere)
            weights = merged(one, self.target, self.source).weights[0]
        return weights[:-1, :-1]


class Linked(NamedTuple):
    """The links of one pair, and how many words, or pieces, its sides have."""

    links: Links
    lengths: tuple[int, int]


def align(
    translator: Translator,
    source: Path,
    target: Path,
    *,
    choice: Choice,
    way: str,
    as_words: bool,
    other: tuple[Translator, Choice] | None = None,
) -> Iterator[Linked]:
    """The links of each pair of two files; none where a side is blank.

    Args:
        translator: Whose attention it is.
        source: Sentences.
        target: Their translations.
        choice: Which attention.
        way: How what target words chose and what source words chose become one.
        as_words: Whether words are linked, or pieces.
        other: A model for the other direction, by which source words choose.

    Raises:
        CorpusError: files that cannot be read, are not of one length, or are too long.
        RecipeError: the other model has other pieces, and pieces are linked.
    """
    turned = looks(other[0], target, source, as_words=as_words) if other else repeat(None)
    for looked, back in zip(looks(translator, source, target, as_words=as_words), turned):  # noqa: B905
        if looked is None:
            yield Linked(frozenset(), (0, 0))
            continue
        by_source = None
        if other and back:
            if back.lengths != looked.lengths[::-1]:
                raise RecipeError("the two runs have other pieces; align words, without --pieces")
            by_source = strongest(back.weights(other[1]))
        yield Linked(links(looked, choice, way, by_source), looked.lengths)


def links(looked: Looked, choice: Choice, way: str, by_source: Links | None = None) -> Links:
    """The links of one pair.

    Args:
        looked: What the target looked at.
        choice: Which attention is taken.
        way: How two directions become one.
        by_source: What each source word chose, by another model; from whom it got the largest
            share here, if None.
    """
    weights = looked.weights(choice)
    by_source = strongest(weights.T) if by_source is None else by_source
    return combined(swapped(strongest(weights)), by_source, way)


def looks(
    translator: Translator, source: Path, target: Path, *, as_words: bool
) -> Iterator[Looked | None]:
    """What every attention to the source does with given pairs; None where a side is blank.

    Raises:
        CorpusError: files that cannot be read, are not of one length, or are too long.
        RecipeError: the model has no attention to the source.
    """
    for window in windows_of(translator, source, target):
        for given in window:
            blank = not (given.source_ids and given.target_ids)
            yield None if blank else _look(translator, given, as_words=as_words)


def _look(translator: Translator, given: Given, *, as_words: bool) -> Looked:
    source, target = [*given.source_ids, EOS], [*given.target_ids, EOS]
    found, _ = attentions(translator.model, source, target)
    layers = tuple(attended.weights for attended in found if attended.kind == "cross")
    sides = Side.of(translator.source, source), Side.of(translator.target, target)
    return Looked(layers, *sides, as_words)


def choose(
    translator: Translator,
    named: Named,
    dev: tuple[Path, Path, Path] | None,
    *,
    way: str,
    as_words: bool,
    first: int,
    turned: bool = False,
) -> Choice:
    """The attention that is named; what is not named, by the lowest error rate on given pairs.

    Without such pairs it is the mean of the heads of the last layer, and the step that says a word.

    Args:
        translator: Whose attention it is.
        named: What is given.
        dev: Source, target and gold links.
        way: How two directions become one.
        as_words: Whether words are linked, or pieces.
        first: What gold links count from.
        turned: Whether `translator` is for the other direction.

    Raises:
        RecipeError: there is no such layer or head.
        CorpusError: the pairs or their links cannot be used.
    """
    heads = _heads(translator)
    choices = _choices(heads, named)
    if dev is None:
        usual = Named(len(heads) - 1, MEAN, 0)
        wanted = (
            getattr(usual, name) if getattr(named, name) is None else getattr(named, name)
            for name in ("layer", "head", "shift")
        )
        return Choice(*wanted)
    files = (dev[1], dev[0]) if turned else dev[:2]
    looked = list(islice(looks(translator, *files, as_words=as_words), MOST))
    lengths = [each.lengths if each else (0, 0) for each in looked]
    gold = read_gold(dev[2], lengths, first=first, turned=turned)
    pairs = [(each, its) for each, its in zip(looked, gold, strict=True) if each]
    if not any(its.sure for _, its in pairs):
        raise CorpusError(f"{dev[2]} has no sure link to choose by; give some")
    wanted = [its for _, its in pairs]
    return min(
        choices,
        key=lambda choice: errors([links(each, choice, way) for each, _ in pairs], wanted).aer,
    )


def _heads(translator: Translator) -> list[int]:
    """How many heads each attention to the source has."""
    found, _ = attentions(translator.model, [EOS], [EOS])
    heads = [len(attended.weights) for attended in found if attended.kind == "cross"]
    if not heads:
        raise RecipeError(
            f"a {type(translator.model).__name__} without attention to the source aligns nothing;"
            " take a Transformer, or a recurrent model with attention"
        )
    return heads


def _choices(heads: Sequence[int], named: Named) -> list[Choice]:
    """All that is as `named` says."""
    if named.layer is not None and named.layer >= len(heads):
        raise RecipeError(f"layer {named.layer + 1} is asked for; {len(heads)} see the source")
    layers = range(len(heads)) if named.layer is None else [named.layer]
    found = [
        Choice(layer, head, shift)
        for layer in layers
        for head in (MEAN, *range(heads[layer]))
        for shift in (0, 1)
        if named.head in (None, head) and named.shift in (None, shift)
    ]
    if not found:
        raise RecipeError(f"head {(named.head or 0) + 1} is asked for; there are {max(heads)}")
    return found


def read_gold(
    path: Path, lengths: Sequence[tuple[int, int]], *, first: int, turned: bool = False
) -> list[Gold]:
    """The gold links of each pair, whose sides have so many words; of the first pairs of a file.

    Args:
        path: A file with a line for each pair.
        lengths: How many words source and target have.
        first: What links count from.
        turned: Whether the file's source is the pairs' target.

    Raises:
        CorpusError: it cannot be read, has too few lines, or links what is not there.
    """
    found = []
    lines = read_lines(path)
    for number, sides in enumerate(lengths, start=1):
        line = next(lines, None)
        if line is None:
            raise CorpusError(
                f"{path} has {number - 1} lines, and there are more pairs; give gold links line for"
                " line"
            )
        try:
            gold = parse(line, first=first)
        except ValueError as error:
            raise CorpusError(f"{path}, line {number}: {error}") from None
        gold = Gold(swapped(gold.sure), swapped(gold.possible)) if turned else gold
        for link in gold.possible:
            if any(word >= length for word, length in zip(link, sides, strict=True)):
                raise CorpusError(
                    f"{path}, line {number}: link {link[0] + first}-{link[1] + first} is beyond a"
                    f" pair of {sides[0]} and {sides[1]}; see that it counts from {first}"
                )
        found.append(gold)
    return found
