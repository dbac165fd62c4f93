"""Choices -> one abstract sentence: what is said, before either language says it.

Nothing here knows a word order. Where a sentence or a relative clause asks for one of its parts, a
`Gap` stands in the place of that part.
"""

from dataclasses import dataclass
from typing import Final

from regard.data.phrasebook.closed import (
    BARE,
    Adverbial,
    Conjunction,
    Determiner,
    Preposition,
    Pronoun,
)
from regard.data.phrasebook.lexicon import Adjective, Noun, Verb


@dataclass(frozen=True)
class Gap:
    """The part that a relative pronoun or a question word stands for."""


GAP: Final = Gap()


@dataclass(frozen=True)
class NounPhrase:
    """The very old cat, with at most one of: on the rug, that sleeps."""

    noun: Noun
    determiner: Determiner = BARE
    plural: bool = False
    adjectives: tuple[Adjective, ...] = ()
    very: bool = False
    place: "Prepositional | None" = None
    relative: "Clause | None" = None


@dataclass(frozen=True)
class Both:
    """The cat and the mouse."""

    first: NounPhrase
    second: NounPhrase


Nominal = NounPhrase | Both | Pronoun | Gap


@dataclass(frozen=True)
class Prepositional:
    """On the rug."""

    preposition: Preposition
    object: Nominal


@dataclass(frozen=True)
class Quality:
    """(Is) very old."""

    adjective: Adjective
    very: bool = False


@dataclass(frozen=True)
class Manner:
    """How a verb is put: can, wants to; often; not."""

    modal: Verb | None = None
    adverb: Adverbial | None = None
    negated: bool = False


PLAIN: Final = Manner()


@dataclass(frozen=True)
class Predicate:
    """A verb and all that stands with it.

    The goal is a place that the verb requires; the content is what is said or known, the
    circumstance why or when all this is so.
    """

    verb: Verb
    manner: Manner = PLAIN
    recipient: Nominal | None = None
    object: Nominal | None = None
    quality: Quality | None = None
    goal: Prepositional | None = None
    where: Prepositional | None = None
    when: Adverbial | None = None
    content: "Subordinate | None" = None
    circumstance: "Subordinate | None" = None


@dataclass(frozen=True)
class Clause:
    """Somebody does something, or one thing and another."""

    subject: Nominal
    predicates: tuple[Predicate, ...]


@dataclass(frozen=True)
class Subordinate:
    """Because the cat sleeps, because the cat sleeps and the mouse plays."""

    conjunction: Conjunction
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Statement:
    """A main clause, something before it, and perhaps another statement after it."""

    clause: Clause
    front: Adverbial | Subordinate | None = None
    conjunction: Conjunction | None = None
    rest: "Statement | None" = None


@dataclass(frozen=True)
class Question:
    """A clause that is asked, for the part in its gap, for a circumstance, or for yes or no."""

    clause: Clause
    asked: NounPhrase | Pronoun | Adverbial | None = None


Sentence = Statement | Question
