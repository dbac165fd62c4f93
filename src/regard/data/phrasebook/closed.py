"""The closed classes: determiners, pronouns, prepositions, conjunctions, times, modal verbs."""

import re
from dataclasses import dataclass, field

from regard.data.phrasebook.inflect import english_verb, german_determiner, german_verb
from regard.data.phrasebook.lexicon import Verb


@dataclass(frozen=True, eq=False)
class Determiner:
    """A determiner; german is by (case, gender): the word, and the ending of what follows it."""

    english: str
    tag: str
    plural: str
    german: dict[tuple[str, str], tuple[str, str]] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Pronoun:
    """A personal pronoun, or one that asks (tag WP); both languages by case."""

    english: dict[str, str]
    german: dict[str, str]
    person: str
    tag: str = "PRP"


@dataclass(frozen=True, eq=False)
class Preposition:
    """A preposition and the case it governs."""

    english: str
    german: str
    case: str
    tag: str = "IN"


@dataclass(frozen=True, eq=False)
class Adverbial:
    """A fixed expression: its English tree, after a space, its English and its German words."""

    tree: str
    english: tuple[str, ...]
    german: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Conjunction:
    """A word between or before clauses."""

    english: str
    german: str
    tag: str = "IN"


def _determiner(english: str, tag: str, stem: str, pattern: str, plural: str = "") -> Determiner:
    return Determiner(english, tag, plural or english, german_determiner(stem, pattern))


def _pronoun(english: str, german: str, person: str, tag: str = "PRP") -> Pronoun:
    subject, other = english.split("/")
    nominative, accusative, dative = german.split("/")
    return Pronoun(
        {"nom": subject, "acc": other, "dat": other},
        {"nom": nominative, "acc": accusative, "dat": dative},
        person,
        tag,
    )


def _adverbial(tree: str, german: str) -> Adverbial:
    return Adverbial(" " + tree, tuple(re.findall(r" (\w+)\)", tree)), tuple(german.split()))


def _modal(english: str, german: str, singular: str) -> Verb:
    return Verb(
        english, dict.fromkeys(("I", "sg", "pl"), english), german, _finite(german, singular)
    )


def _finite(infinitive: str, singular: str) -> dict[str, str]:
    return german_verb(infinitive, f"{singular}/{singular}")


THE = _determiner("the", "DT", "", "der")
A = _determiner("a", "DT", "ein", "ein")
NO = _determiner("no", "DT", "kein", "ein")
BARE = _determiner("", "", "", "zwei")
THIS = _determiner("this", "DT", "dies", "dieser", "these")
EVERY = _determiner("every", "DT", "jed", "dieser")
WHICH = _determiner("which", "WDT", "welch", "dieser")
MY = _determiner("my", "PRP$", "mein", "ein")
HIS = _determiner("his", "PRP$", "sein", "ein")
HER = _determiner("her", "PRP$", "ihr", "ein")
OUR = _determiner("our", "PRP$", "unser", "ein")
THEIR = _determiner("their", "PRP$", "ihr", "ein")
SOME = _determiner("some", "DT", "einig", "viele")
MANY = _determiner("many", "JJ", "viel", "viele")
TWO = _determiner("two", "CD", "zwei", "zwei")
THREE = _determiner("three", "CD", "drei", "zwei")
FOUR = _determiner("four", "CD", "vier", "zwei")
POSSESSIVES = (MY, HIS, HER, OUR, THEIR)

I = _pronoun("I/me", "ich/mich/mir", "I")  # noqa: E741
HE = _pronoun("he/him", "er/ihn/ihm", "sg")
SHE = _pronoun("she/her", "sie/sie/ihr", "sg")
WE = _pronoun("we/us", "wir/uns/uns", "pl")
THEY = _pronoun("they/them", "sie/sie/ihnen", "pl")
IT = _pronoun("it/it", "es/es/ihm", "sg")
WHO = _pronoun("who/who", "wer/wen/wem", "sg", "WP")
WHAT = _pronoun("what/what", "was/was/was", "sg", "WP")

PLACE_PREPOSITIONS = {
    preposition.english: preposition
    for preposition in (
        Preposition("in", "in", "dat"),
        Preposition("on", "auf", "dat"),
        Preposition("under", "unter", "dat"),
        Preposition("behind", "hinter", "dat"),
        Preposition("beside", "neben", "dat"),
        Preposition("at", "an", "dat"),
        Preposition("into", "in", "acc"),
        Preposition("onto", "auf", "acc"),
        Preposition("through", "durch", "acc"),
        Preposition("to", "zu", "dat", "TO"),
        Preposition("from", "aus", "dat"),
    )
}
WITH = Preposition("with", "mit", "dat")
WITHOUT = Preposition("without", "ohne", "acc")
FOR = Preposition("for", "für", "acc")

TODAY = _adverbial("(NP (NN today))", "heute")
NOW = _adverbial("(ADVP (RB now))", "jetzt")
EVERY_DAY = _adverbial("(NP (DT every) (NN day))", "jeden Tag")
ON_MONDAY = _adverbial("(PP (IN on) (NP (NNP monday)))", "am Montag")
ON_SUNDAY = _adverbial("(PP (IN on) (NP (NNP sunday)))", "am Sonntag")
IN_THE_MORNING = _adverbial("(PP (IN in) (NP (DT the) (NN morning)))", "am Morgen")
IN_THE_EVENING = _adverbial("(PP (IN in) (NP (DT the) (NN evening)))", "am Abend")
OFTEN = _adverbial("(ADVP (RB often))", "oft")
ALWAYS = _adverbial("(ADVP (RB always))", "immer")
SOMETIMES = _adverbial("(ADVP (RB sometimes))", "manchmal")
WHERE = _adverbial("(WHADVP (WRB where))", "wo")
WHEN = _adverbial("(WHADVP (WRB when))", "wann")
WHY = _adverbial("(WHADVP (WRB why))", "warum")

CAN = _modal("can", "können", "kann")
MUST = _modal("must", "müssen", "muss")
SHOULD = _modal("should", "sollten", "sollte")
MAY = _modal("may", "dürfen", "darf")
DO = Verb("do", {"I": "do", "sg": "does", "pl": "do"}, "", {})
WANT = Verb("want", english_verb("want"), "wollen", _finite("wollen", "will"))

AND = Conjunction("and", "und", "CC")
BUT = Conjunction("but", "aber", "CC")
THAT = Conjunction("that", "dass")
WHETHER = Conjunction("whether", "ob")
BECAUSE = Conjunction("because", "weil")
IF = Conjunction("if", "wenn")
WHEN_EVER = Conjunction("when", "wenn", "WRB")
WHILE = Conjunction("while", "während")
ALTHOUGH = Conjunction("although", "obwohl")
UNTIL = Conjunction("until", "bis")
