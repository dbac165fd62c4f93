"""Chance and a number of English words -> an abstract sentence of just that many.

The shapes say what consists of what; here words are put in, the subject before the verb and the
verb before its objects, each from what fits.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from regard.data.phrasebook import closed
from regard.data.phrasebook.choices import (
    ASKED,
    ASKED_MANNERS,
    COMPANY,
    CONJUNCTIONS,
    CONTENTS,
    DENIED_SUBJECT,
    JOINING,
    MANNERS,
    PLACE,
    SUBJECT,
    TIMES,
    WHICH,
    Style,
    object_style,
)
from regard.data.phrasebook.closed import IT, Adverbial, Conjunction, Pronoun
from regard.data.phrasebook.lexicon import BE, Adjective, Noun, Verb
from regard.data.phrasebook.shapes import draw
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
    EITHER,
    FIRST,
    NOUNS_ABOUT,
    OBJECTS,
    PLACES_FOR,
    REACHING,
    SECOND,
    VERBS,
    Places,
    Pool,
)

W = TypeVar("W")


class Speaker:
    """Says one sentence after another.

    With daring it may use pairs of words that are withheld; `dared` tells whether the last sentence
    has such a pair.
    """

    def __init__(self, random: Random, *, daring: bool = False) -> None:
        self._chance = random.random
        self._daring = daring
        self.dared = False

    def sentence(self, size: int) -> Sentence:
        """A sentence of this many English words."""
        self.dared = False
        kind, (part,) = draw("sentence", size, self._chance())
        return self._question(*part) if kind == "question" else self._statement(*part)

    def _pick(self, choices: Sequence[W]) -> W:
        return choices[int(self._chance() * len(choices))]

    def _fit(self, pool: Pool[W]) -> W:
        if self._daring and pool.withheld and self._chance() < 0.3:
            self.dared = True
            return self._pick(pool.withheld)
        return self._pick(pool.known)

    def _statement(self, symbol: str, size: int) -> Statement:
        _, ((symbol, size), *more) = draw(symbol, size, self._chance())
        name, parts = draw(symbol, size, self._chance())
        front = None
        if name == "timed":
            front = self._time(parts[0][1])
        elif name == "conditioned":
            front = self._subordinate(parts[0][1])
        clause = self._clause(*parts[-1])
        if not more:
            return Statement(clause, front)
        return Statement(clause, front, self._pick(JOINING), self._statement(*more[0]))

    def _subordinate(self, size: int) -> Subordinate:
        return self._content(self._pick(CONJUNCTIONS), size - 1)

    def _content(self, conjunction: Conjunction, size: int) -> Subordinate:
        _, parts = draw("content", size, self._chance())
        return Subordinate(conjunction, tuple(self._clause(*part) for part in parts))

    def _clause(self, symbol: str, size: int) -> Clause:
        _, ((symbol, size),) = draw(symbol, size, self._chance())
        polarity, (who, what, *why) = draw(symbol, size, self._chance())
        style = DENIED_SUBJECT if polarity == "not" else SUBJECT
        subject = self._subject(*who, style)
        circumstance = self._subordinate(why[0][1]) if why else None
        return Clause(subject, self._predicates(subject, *what, circumstance))

    def _subject(self, symbol: str, size: int, style: Style) -> NounPhrase | Both | Pronoun:
        about = symbol.partition(".")[2]
        return IT if about == "weather" else self._nominal(symbol, size, style, NOUNS_ABOUT[about])

    def _predicates(
        self,
        subject: Nominal | None,
        symbol: str,
        size: int,
        circumstance: Subordinate | None = None,
    ) -> tuple[Predicate, ...]:
        name, parts = draw(symbol, size, self._chance())
        if name in ("act", "be"):
            return (self._predicate(subject, self._manner(*parts[0]), *parts[1], circumstance),)
        if name == "two":
            first = self._predicate(subject, PLAIN, *parts[0])
            return (first, *self._predicates(subject, *parts[1]))
        if name == "circumstance":
            circumstance = self._subordinate(parts[1][1])
        return self._predicates(subject, *parts[0], circumstance)

    def _manner(self, symbol: str, size: int) -> Manner:
        return self._pick(MANNERS[draw(symbol, size, self._chance())[0]])

    def _predicate(
        self,
        subject: Nominal | None,
        manner: Manner,
        symbol: str,
        size: int,
        circumstance: Subordinate | None = None,
    ) -> Predicate:
        name, parts = draw(symbol, size, self._chance())
        frame, _, about = name.partition(" ")
        doer = symbol.partition(".")[2]
        verb = BE if frame == "be" else self._pick(VERBS[frame, doer, about])
        style = object_style(subject, denied=manner.negated)
        more: dict[str, Any] = {"circumstance": circumstance}
        for part, words in parts:
            role = part.partition(".")[0]
            if role == "free":
                more |= self._free(part, words)
            elif role == "place":
                goals = PLACES_FOR.get(verb if frame == "go" else frame) or _places_of(doer)
                more["where" if frame == "do" else "goal"] = self._place(part, words, goals)
            elif role == "with":
                more["where"] = self._company(part, words, style)
            elif role == "quality":
                more[role] = self._quality(words, subject, doer, frame)
            elif role == "content":
                more[role] = self._content(CONTENTS[frame], words)
            elif role == "recipient":
                more[role] = self._nominal(part, words, style, NOUNS_ABOUT["person"])
            else:
                more["object"] = self._nominal(
                    part, words, style, OBJECTS[frame, doer, verb, about]
                )
        return Predicate(verb, manner, **more)

    def _free(self, symbol: str, size: int) -> dict[str, Any]:
        """When and where, as far as there are words for it."""
        found: dict[str, Any] = {}
        for part, words in draw(symbol, size, self._chance())[1]:
            if part == "time":
                found["when"] = self._time(words)
            else:
                found["where"] = self._place(part, words, PLACES_FOR["place"])
        return found

    def _time(self, size: int) -> Adverbial:
        return self._pick(TIMES[size])

    def _place(self, symbol: str, size: int, places: Places) -> Prepositional:
        _, ((symbol, size),) = draw(symbol, size, self._chance())
        preposition, nouns = self._pick(places)
        phrase = self._nominal(symbol, size, PLACE, nouns)
        return Prepositional(preposition, phrase)

    def _company(self, symbol: str, size: int, style: Style) -> Prepositional:
        name, ((symbol, size),) = draw(symbol, size, self._chance())
        nominal = self._nominal(symbol, size, style, NOUNS_ABOUT["person"])
        return Prepositional(self._pick(COMPANY[name]), nominal)

    def _quality(self, size: int, subject: Nominal | None, about: str, frame: str) -> Quality:
        """What is said of the subject, or, where it is only asked for, of anybody."""
        table = FIRST if frame == "seem" else EITHER
        if isinstance(subject, NounPhrase):
            return Quality(self._fit(table[subject.noun]), very=size > 1)
        if isinstance(subject, Both):
            both = set(FIRST[subject.second.noun].known)
            shared = [word for word in FIRST[subject.first.noun].known if word in both]
            return Quality(self._pick(shared), very=size > 1)
        return Quality(self._pick(table[about].known), very=size > 1)

    def _nominal(
        self, symbol: str, size: int, style: Style, pool: Pool[Noun]
    ) -> NounPhrase | Both | Pronoun:
        name, parts = draw(symbol, size, self._chance())
        if not parts:
            if name == "pronoun":
                return self._pick(style.pronouns)
            return self._noun_phrase(name, size, style, pool)
        first = self._simple(*parts[0], style, pool)
        if name == "both":
            other = Pool(tuple(noun for noun in pool.known if noun is not first.noun))
            return Both(first, self._simple(*parts[1], style, other if other.known else pool))
        if name == "place":
            places = _places_of(symbol.partition(".")[2])
            return first._replace(place=self._place(*parts[1], places))
        if name == "relative":
            return first._replace(relative=self._relative(first, *parts[1]))
        return first

    def _simple(self, symbol: str, size: int, style: Style, pool: Pool[Noun]) -> NounPhrase:
        return self._noun_phrase(draw(symbol, size, self._chance())[0], size, style, pool)

    def _noun_phrase(self, name: str, size: int, style: Style, pool: Pool[Noun]) -> NounPhrase:
        noun = self._fit(pool)
        if name == "bare":
            adjectives = self._adjectives(noun, size - 1)
            return NounPhrase(noun, closed.BARE, plural=bool(noun.plural), adjectives=adjectives)
        if noun.plural:
            determiner, plural = self._pick(style.countable)
        else:
            determiner, plural = self._pick(style.mass), False
        if name == "very":
            adjective = self._fit(FIRST[noun])
            return NounPhrase(noun, determiner, plural, adjectives=(adjective,), very=True)
        return NounPhrase(noun, determiner, plural, adjectives=self._adjectives(noun, size - 2))

    def _adjectives(self, noun: Noun, number: int) -> tuple[Adjective, ...]:
        if number == 0:
            return ()
        if number == 1:
            return (self._fit(EITHER[noun]),)
        return self._fit(FIRST[noun]), self._fit(SECOND[noun])

    def _relative(self, head: NounPhrase, symbol: str, size: int) -> Clause:
        name, parts = draw(symbol, size, self._chance())
        if name == "subject":
            return Clause(GAP, self._predicates(head, *parts[0]))
        return self._reach(self._fit(REACHING[head.noun]), *parts)

    def _reach(self, verb: Verb, agent: tuple[str, int], reach: tuple[str, int]) -> Clause:
        """A person and a verb, whose object is told or asked elsewhere."""
        subject = self._nominal(*agent, SUBJECT, NOUNS_ABOUT["person"])
        _, (free,) = draw(*reach, self._chance())
        return Clause(subject, (Predicate(verb, object=GAP, **self._free(*free)),))

    def _question(self, symbol: str, size: int) -> Question:
        name, parts = draw(symbol, size, self._chance())
        about = parts[0][0].partition(".")[2]
        if name == "who":
            return Question(Clause(GAP, self._predicates(None, *parts[0])), closed.WHO)
        if name == "which":
            asked = self._simple(*parts[0], WHICH, NOUNS_ABOUT[about])
            return Question(Clause(GAP, self._predicates(asked, *parts[1])), asked)
        if name in ("whom", "what"):
            verb = self._pick(VERBS["reach", "person", parts[-1][0].partition(".")[2]])
            return Question(
                self._reach(verb, *parts), closed.WHO if name == "whom" else closed.WHAT
            )
        if name == "which object":
            verb = self._pick(VERBS["reach", "person", about])
            asked = self._simple(*parts[0], WHICH, OBJECTS["reach", "person", verb, about])
            return Question(self._reach(verb, *parts[1:]), asked)
        who, *rest = parts
        subject = self._subject(*who, SUBJECT)
        if not rest:
            return Question(Clause(subject, (Predicate(BE),)), closed.WHERE)
        what, *why = rest
        manner = PLAIN if what[0].startswith("be.") else self._pick(ASKED_MANNERS)
        circumstance = self._subordinate(why[0][1]) if why else None
        predicate = self._predicate(subject, manner, *what, circumstance)
        return Question(Clause(subject, (predicate,)), ASKED[name])


def _places_of(about: str) -> Places:
    """Where a person, an animal or a large thing can be, and where a small one."""
    return PLACES_FOR["spot" if about == "small" else "place"]
