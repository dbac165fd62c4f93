"""The closed classes -> how often each word is chosen: a word that stands twice comes up twice."""

from typing import NamedTuple

from regard.data.phrasebook import closed
from regard.data.phrasebook.closed import POSSESSIVES, THE, Determiner
from regard.data.phrasebook.syntax import PLAIN, Manner

_OWN_SINGULAR = 6 * (THE,) + (closed.THIS, *POSSESSIVES)
_OWN_PLURAL = 3 * (THE,) + (closed.THIS, *POSSESSIVES)
_ANY_SINGULAR = 5 * (closed.A,) + (closed.EVERY,)
_ANY_PLURAL = 2 * (closed.SOME, closed.MANY) + (closed.TWO, closed.THREE, closed.FOUR)


class Style(NamedTuple):
    """Determiners to choose from, each with whether the noun is plural; and those of mass nouns."""

    count: tuple[tuple[Determiner, bool], ...]
    mass: tuple[Determiner, ...]


def _style(singular: tuple[Determiner, ...], plural: tuple[Determiner, ...]) -> Style:
    count = [(determiner, False) for determiner in singular]
    count += [(determiner, True) for determiner in plural]
    return Style(tuple(count), _OWN_SINGULAR)


ANY = _style(_OWN_SINGULAR + _ANY_SINGULAR, _OWN_PLURAL + _ANY_PLURAL)
# What a sentence denies is either definite or an indefinite object, which German gives a kein.
DENIED_SUBJECT = _style(_OWN_SINGULAR, _OWN_PLURAL)
DENIED_OBJECT = _style(_OWN_SINGULAR + 4 * (closed.A,), _OWN_PLURAL)
PLACE = _style(2 * _OWN_SINGULAR + 4 * (closed.A,), (THE, THE))
WHICH = Style(((closed.WHICH, False), (closed.WHICH, False), (closed.WHICH, True)), (closed.WHICH,))

SUBJECT_PRONOUNS = (closed.I, closed.HE, closed.SHE, closed.WE, closed.THEY)
# After I and we, "me" and "us" would have to be "myself" and "ourselves".
OBJECT_PRONOUNS = (*SUBJECT_PRONOUNS, closed.HE, closed.SHE)
OTHERS = (closed.HE, closed.SHE, closed.THEY)

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
