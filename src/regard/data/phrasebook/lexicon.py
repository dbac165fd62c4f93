"""The tables of words -> entries with all their forms, found by their English name."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from regard.data.phrasebook import inflect, nouns, verbs


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun; german is by case and whether it is plural; a mass noun has no plural."""

    english: str
    plural: str
    gender: str
    kind: str
    german: dict[tuple[str, bool], str] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective; german as it stands after "is", stem as the endings want it."""

    english: str
    german: str
    stem: str


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb or modal verb: finite forms by person, the infinitive, and what the object needs."""

    english: str
    finite: dict[str, str] = field(repr=False)
    german: str
    german_finite: dict[str, str] = field(repr=False)
    particle: str = ""
    case: str = "acc"
    preposition: str = ""
    german_preposition: str = ""


@dataclass(frozen=True)
class Use:
    """One way to use a verb: its frame, who does it, and to whom, to what, or where to."""

    frame: str
    verb: Verb
    subjects: tuple[str, ...]
    objects: tuple[str, ...]


def lines(table: str) -> Iterator[tuple[str, str]]:
    """A table -> its indented lines, each with the heading that it stands under."""
    heading = ""
    for line in table.strip("\n").splitlines():
        if line.startswith(" "):
            yield heading, line.strip()
        else:
            heading = line


def _noun(kind: str, line: str) -> Noun:
    english, german = line.split(" = ")
    singular, _, plural = english.partition("/")
    article, noun, *rest = german.replace(",", "").split()
    forms = inflect.german_noun(noun, rest[0] if rest else "", weak="weak" in rest)
    if rest and not plural:
        plural = inflect.english_s(singular)
    return Noun(singular, plural, {"der": "m", "die": "f", "das": "n"}[article], kind, forms)


def _adjective(line: str) -> Adjective:
    english, german = line.split(" = ")
    return Adjective(english, german, inflect.german_stem(german))


def _verb(line: str) -> Verb:
    english, german = line.split(" = ")
    base, _, preposition = english.partition(" ")
    words = german.split()
    case = words.pop()[1:] if words[-1].startswith("+") else "acc"
    german_preposition = words.pop() if words[-1] in ("auf", "an", "von", "über") else ""
    particle, _, infinitive = words[0].rpartition("|")
    return Verb(
        base,
        inflect.english_verb(base),
        infinitive,
        inflect.german_verb(infinitive, *words[1:]),
        particle,
        case,
        preposition,
        german_preposition,
    )


def _use(heading: str, verb: Verb) -> Use:
    frame, _, who_whom = heading.partition(": ")
    who, _, whom = who_whom.partition(" > ")
    return Use(frame, verb, tuple(who.split()), tuple(whom.split()))


NOUNS = {noun.english: noun for noun in (_noun(*entry) for entry in lines(nouns.NOUNS))}
ADJECTIVES = {
    adjective.english: adjective
    for adjective in (_adjective(line) for _, line in lines(nouns.ADJECTIVES))
}
VERBS = {line.split(" = ")[0]: _verb(line) for _, line in lines(verbs.VERBS)}
USES = [_use(heading, VERBS[line.split(" = ")[0]]) for heading, line in lines(verbs.VERBS)]

BE = Verb(
    "be",
    {"I": "am", "sg": "is", "pl": "are"},
    "sein",
    {"I": "bin", "sg": "ist", "pl": "sind"},
)
