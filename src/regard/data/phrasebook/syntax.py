"""Choices -> one abstract sentence: what is said, before either language says it.

Nothing here knows a word order. Where a sentence or a relative clause asks for one of its parts, a
`Gap` stands in the place of that part.
"""

from typing import Final, NamedTuple

from regard.data.phrasebook.closed import (
    BARE,
    Adverbial,
    Conjunction,
    Determiner,
    Preposition,
    Pronoun,
)
from regard.data.phrasebook.lexicon import Adjective, Noun, Verb


class Gap:
    """The part that a relative pronoun or a question word stands for."""


GAP: Final = Gap()


class NounPhrase(NamedTuple):
    """The very old cat, with at most one of: on the rug, that sleeps."""

    noun: Noun
    determiner: Determiner = BARE
    plural: bool = False
    adjectives: tuple[Adjective, ...] = ()
    very: bool = False
    place: "Prepositional | None" = None
    relative: "Clause | None" = None


class Both(NamedTuple):
    """The cat and the mouse."""

    first: NounPhrase
    second: NounPhrase


Nominal = NounPhrase | Both | Pronoun | Gap


class Prepositional(NamedTuple):
    """On the rug."""

    preposition: Preposition
    object: Nominal


class Quality(NamedTuple):
    """(Is) very old."""

    adjective: Adjective
    very: bool = False


class Manner(NamedTuple):
    """How a verb is put: can, wants to; often; not."""

    modal: Verb | None = None
    adverb: Adverbial | None = None
    negated: bool = False


PLAIN: Final = Manner()


class Predicate(NamedTuple):
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


class Clause(NamedTuple):
    """Somebody does something, or one thing and another."""

    subject: Nominal
    predicates: tuple[Predicate, ...]


class Subordinate(NamedTuple):
    """Because the cat sleeps, because the cat sleeps and the mouse plays."""

    conjunction: Conjunction
    clauses: tuple[Clause, ...]


class Statement(NamedTuple):
    """A main clause, something before it, and perhaps another statement after it."""

    clause: Clause
    front: Adverbial | Subordinate | None = None
    conjunction: Conjunction | None = None
    rest: "Statement | None" = None


class Question(NamedTuple):
    """A clause that is asked, for the part in its gap, for a circumstance, or for yes or no."""

    clause: Clause
    asked: NounPhrase | Pronoun | Adverbial | None = None


Sentence = Statement | Question
