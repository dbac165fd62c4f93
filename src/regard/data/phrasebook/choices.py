"""The closed classes -> how often each word is chosen: a word that stands twice comes up twice."""

from typing import NamedTuple

from regard.data.phrasebook import closed
from regard.data.phrasebook.closed import POSSESSIVES, THE, Determiner, Pronoun
from regard.data.phrasebook.syntax import PLAIN, Manner, Nominal

_OWN_SINGULAR = 6 * (THE,) + (closed.THIS, *POSSESSIVES)
_OWN_PLURAL = 3 * (THE,) + (closed.THIS, *POSSESSIVES)
_ANY_SINGULAR = 5 * (closed.A,) + (closed.EVERY,)
_ANY_PLURAL = 2 * (closed.SOME, closed.MANY) + (closed.TWO, closed.THREE, closed.FOUR)
_SUBJECTS = (closed.I, closed.I, closed.HE, closed.SHE, closed.WE, closed.THEY)
_OTHERS = (closed.HE, closed.SHE, closed.THEY)


class Style(NamedTuple):
    """What a noun phrase may begin with, or be.

    Determiners stand with whether the noun is plural; mass nouns have their own.
    """

    countable: tuple[tuple[Determiner, bool], ...]
    mass: tuple[Determiner, ...]
    pronouns: tuple[Pronoun, ...] = ()


def _style(
    singular: tuple[Determiner, ...],
    plural: tuple[Determiner, ...],
    pronouns: tuple[Pronoun, ...] = (),
) -> Style:
    count = (*((one, False) for one in singular), *((many, True) for many in plural))
    return Style(count, _OWN_SINGULAR, pronouns)


SUBJECT = _style(_OWN_SINGULAR + _ANY_SINGULAR, _OWN_PLURAL + _ANY_PLURAL, _SUBJECTS)
# What is denied is definite or an indefinite object, which takes the "not" in German: kein.
DENIED_SUBJECT = _style(_OWN_SINGULAR, _OWN_PLURAL, _SUBJECTS)
_DENIED_OBJECT = _style(_OWN_SINGULAR + 4 * (closed.A,), _OWN_PLURAL, _SUBJECTS)
PLACE = _style(2 * _OWN_SINGULAR + 4 * (closed.A,), 4 * (THE,) + (closed.MANY,))
WHICH = Style(((closed.WHICH, False), (closed.WHICH, False), (closed.WHICH, True)), (closed.WHICH,))


def object_style(subject: Nominal | None, *, denied: bool) -> Style:
    """What an object may be; with I and we, "me" and "us" would have to be "myself" ..."""
    style = _DENIED_OBJECT if denied else SUBJECT
    if subject is closed.I or subject is closed.WE:
        return style._replace(pronouns=_OTHERS)
    return style


TIMES = {
    1: (closed.TODAY, closed.NOW),
    2: (closed.EVERY_DAY, closed.ON_MONDAY, closed.ON_SUNDAY),
    3: (closed.IN_THE_MORNING, closed.IN_THE_EVENING),
}
CONJUNCTIONS = (
    *2 * (closed.BECAUSE,),
    *2 * (closed.IF, closed.WHEN_EVER),
    closed.WHILE,
    closed.ALTHOUGH,
    closed.UNTIL,
)
JOINING = (closed.AND, closed.AND, closed.BUT)

_ADVERBS = (closed.OFTEN, closed.ALWAYS, closed.SOMETIMES)
_MODALS = (closed.CAN, closed.MUST, closed.SHOULD, closed.MAY)
MANNERS = {
    "plain": (PLAIN,),
    "often": tuple(Manner(adverb=adverb) for adverb in _ADVERBS),
    "modal": tuple(Manner(modal=modal) for modal in _MODALS),
    "want": (Manner(modal=closed.WANT),),
    "not": (Manner(negated=True),),
    "modal not": tuple(Manner(modal=modal, negated=True) for modal in (closed.CAN, closed.SHOULD)),
    "want not": (Manner(modal=closed.WANT, negated=True),),
}
CONTENTS = {"say": closed.THAT, "tell": closed.THAT, "ask": closed.WHETHER}
COMPANY = {"with": (closed.WITH, closed.WITH, closed.WITHOUT), "for": (closed.FOR,)}
ASKED = {"yesno": None, "where": closed.WHERE, "when": closed.WHEN, "why": closed.WHY}
ASKED_MANNERS = (*3 * (PLAIN,), *MANNERS["modal"][:1])
