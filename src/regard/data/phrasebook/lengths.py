"""A grammar of shapes, and a number of words -> one shape of exactly that many words.

Every rule has a probability. A draw keeps to these probabilities given the length: the chance that
a symbol comes out at a certain length is summed once over its rules and over all ways to share the
words among the parts; then a rule and a way to share are drawn in proportion.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from regard.data.phrasebook.lexicon import lines

Parts = tuple[tuple[str, int], ...]


class Rule(NamedTuple):
    """One way to make a symbol: some words of its own, and parts that are symbols again."""

    name: str
    chance: float
    words: int
    parts: tuple[str, ...]


def rules(table: str, each: dict[str, tuple[str, ...]]) -> dict[str, list[Rule]]:
    """Symbol -> its rules; a line reads "weight name: word or symbol, ..."."""
    rows = [row for block in re.split(r"\n(?=\S)", table) for row in lines(_repeated(block, each))]
    found: dict[str, list[Rule]] = {symbol: [] for symbol, _ in rows}
    for symbol, line in rows:
        head, _, body = line.partition(":")
        weight, _, name = head.partition(" ")
        parts = tuple(word for word in body.split() if word in found)
        if unknown := [word for word in body.split() if "." in word and word not in found]:
            raise ValueError(f"{symbol} has parts that are no symbols: {unknown}")
        found[symbol].append(Rule(name, float(weight), len(body.split()) - len(parts), parts))
    return {symbol: _normalised(ways) for symbol, ways in found.items()}


def _repeated(block: str, each: dict[str, tuple[str, ...]]) -> str:
    """A symbol with its rules, once for every choice for a word in capitals."""
    for word, choices in each.items():
        if word in block:
            return "\n".join(_repeated(block.replace(word, choice), each) for choice in choices)
    return block


def _normalised(ways: list[Rule]) -> list[Rule]:
    total = sum(rule.chance for rule in ways)
    return [rule._replace(chance=rule.chance / total) for rule in ways]


class Shapes:
    """A grammar of shapes, and what follows from it for each length, found when first needed.

    A word in capitals stands for each of some words, in a symbol and in all its rules.
    """

    def __init__(self, table: str, *, each: dict[str, tuple[str, ...]]) -> None:
        self._rules = rules(table, each)
        self.chance = cache(self._chance)
        self._ways = cache(self._find_ways)
        self._ladder = cache(self._build_ladder)

    def draw(self, symbol: str, size: int, chance: float) -> tuple[str, Parts]:
        """The name of a rule for the symbol, and its parts with their numbers of words.

        The chance is a number from 0 to 1, drawn evenly.
        """
        outcomes, heights = self._ladder(symbol, size)
        return outcomes[bisect(heights, chance)]

    def _chance(self, symbol: str, size: int) -> float:
        """The probability that the symbol comes out at this many words."""
        return sum((chance for _, _, chance in self._outcomes(symbol, size)), 0.0)

    def _outcomes(self, symbol: str, size: int) -> Iterator[tuple[str, Parts, float]]:
        for rule in self._rules[symbol]:
            for parts, chance in self._ways(rule.parts, size - rule.words):
                yield rule.name, parts, rule.chance * chance

    def _find_ways(self, symbols: tuple[str, ...], size: int) -> list[tuple[Parts, float]]:
        """All ways to share the words among the parts, each with its probability."""
        if not symbols or size < 0:
            return [] if size else [((), 1.0)]
        first, *rest = symbols
        return [
            (((first, own), *others), chance * other_chance)
            for own in (range(size + 1) if rest else [size])
            if (chance := self.chance(first, own))
            for others, other_chance in self._ways(tuple(rest), size - own)
        ]

    def _build_ladder(self, symbol: str, size: int) -> tuple[list[tuple[str, Parts]], list[float]]:
        outcomes = list(self._outcomes(symbol, size))
        total = sum(chance for _, _, chance in outcomes)
        heights = list(accumulate(chance / total for _, _, chance in outcomes[:-1]))
        return [(name, parts) for name, parts, _ in outcomes], heights
