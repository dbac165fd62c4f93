"""Chance and a number of English words -> an abstract sentence of just that many.

The shapes say what consists of what; here words are put in, the subject before the verb and the
verb before its objects, each from what fits.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from regard.data.phrasebook import closed
from regard.data.phrasebook.choices import (
    CONJUNCTIONS,
    MANNERS,
    OBJECT_PRONOUNS,
    SUBJECT_PRONOUNS,
    TIMES,
    Style,
)
from regard.data.phrasebook.lexicon import BE, Noun, Verb
from regard.data.phrasebook.shapes import SHAPES
from regard.data.phrasebook.syntax import (
    GAP,
    PLAIN,
    Both,
    Clause,
    Manner,
    Nominal,
    NounPhrase,
    Predicate,
    Prepositional,
    Quality,
    Question,
    Sentence,
    Statement,
    Subordinate,
)
from regard.data.phrasebook.words import (
    FIRST,
    NOUNS_ABOUT,
    OBJECTS,
    PLACES_FOR,
    REACHING,
    SECOND,
    VERBS,
    Pool,
)

W = TypeVar("W")


class Speaker:
    """Says one sentence after another.

    With daring it may use pairs of words that are withheld; `dared` tells whether the last sentence
    has such a pair.
    """

    def __init__(self, random: Random, *, daring: bool = False) -> None:
        self._random = random
        self._chance = random.random
        self._daring = daring
        self.dared = False

    def sentence(self, size: int) -> Sentence:
        """A sentence of this many English words."""
        self.dared = False
        kind, ((_, size),) = self._draw("sentence", size)
        return self._question(size) if kind == "question" else self._statement(size)

    def _draw(self, symbol: str, size: int) -> tuple[str, Parts]:
        return SHAPES.draw(symbol, size, self._random)

    def _pick(self, choices: Sequence[W]) -> W:
        return choices[int(self._chance() * len(choices))]

    def _fit(self, pool: Pool[W]) -> W:
        if self._daring and pool.withheld and self._chance() < 0.3:
            self.dared = True
            return self._pick(pool.withheld)
        return self._pick(pool.known)

    # Sentences and clauses.

    def _statement(self, size: int) -> Statement:
        _, ((_, size), *more) = self._draw("statement", size)
        name, parts = self._draw("main", size)
        front = None
        if name == "timed":
            front = self._time(parts[0][1])
        elif name == "conditioned":
            front = self._subordinate(parts[0][1])
        clause = self._clause(*parts[-1])
        if not more:
            return Statement(clause, front)
        return Statement(clause, front, self._pick(JOINING), self._statement(more[0][1]))

    def _subordinate(self, size: int) -> Subordinate:
        return self._content(self._pick(CONJUNCTIONS), size - 1)

    def _content(self, conjunction: Conjunction, size: int) -> Subordinate:
        _, parts = self._draw("content", size)
        return Subordinate(conjunction, tuple(self._clause(*part) for part in parts))

    def _clause(self, symbol: str, size: int) -> Clause:
        _, ((symbol, size),) = self._draw(symbol, size)
        polarity, (who, what, *why) = self._draw(symbol, size)
        subject = self._nominal(*who, style=ANY if polarity == "does" else DENIED_SUBJECT)
        circumstance = self._subordinate(why[0][1]) if why else None
        return Clause(subject, self._predicates(subject, *what, circumstance))

    def _predicates(
        self,
        subject: Nominal | None,
        symbol: str,
        size: int,
        circumstance: Subordinate | None = None,
    ) -> tuple[Predicate, ...]:
        name, parts = self._draw(symbol, size)
        if name in ("act", "be"):
            return (self._predicate(subject, self._manner(*parts[0]), *parts[1], circumstance),)
        if name == "two":
            first = self._predicate(subject, PLAIN, *parts[0])
            return (first, *self._predicates(subject, *parts[1]))
        if name == "circumstance":
            circumstance = self._subordinate(parts[1][1])
        return self._predicates(subject, *parts[0], circumstance)

    def _manner(self, symbol: str, size: int) -> Manner:
        return self._pick(MANNERS[self._draw(symbol, size)[0]])

    def _predicate(
        self,
        subject: Nominal | None,
        manner: Manner,
        symbol: str,
        size: int,
        circumstance: Subordinate | None = None,
    ) -> Predicate:
        name, parts = self._draw(symbol, size)
        frame, _, about = name.partition(" ")
        doer = symbol.partition(".")[2]
        verb = BE if frame == "be" else self._pick(VERBS[frame, doer, about])
        places = PLACES_FOR[verb] if frame == "go" else places_for(frame, doer)
        style = DENIED_OBJECT if manner.negated else ANY
        more: dict[str, Any] = {"circumstance": circumstance}
        for part, words in parts:
            role = part.partition(".")[0]
            if role == "free":
                more |= self._free(part, words)
            elif role == "place":
                more["where" if frame == "do" else "goal"] = self._place(part, words, places)
            elif role == "with":
                more["where"] = self._company(part, words)
            elif role == "quality":
                more[role] = self._quality(words, subject, doer, frame)
            elif role == "content":
                more[role] = self._content(CONTENTS[frame], words)
            elif role == "recipient":
                more[role] = self._nominal(part, words, RECIPIENTS, style)
            else:
                more["object"] = self._nominal(part, words, OBJECTS[frame, verb, about], style)
        return Predicate(verb, manner, **more)
