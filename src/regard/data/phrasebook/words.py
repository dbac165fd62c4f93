"""The vocabulary -> which words go together, and which pairs of words are withheld.

About one pair in ten, of an adjective with a noun or of a verb with its object, is withheld from
all sentences but those that are to say something new. Which, a checksum of the two words decides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar
from zlib import crc32

from regard.data.phrasebook.closed import PLACE_PREPOSITIONS, Preposition
from regard.data.phrasebook.lexicon import ADJECTIVES, NOUNS, USES, Adjective, Noun, Use, Verb
from regard.data.phrasebook.nouns import FITTING, PLACES

W = TypeVar("W")


@dataclass(frozen=True)
class Pool(Generic[W]):
    """Words that fit a given word: those that it is known with, and those withheld from it."""

    known: tuple[W, ...]
    withheld: tuple[W, ...] = ()


def is_withheld(word: Adjective | Verb, noun: Noun) -> bool:
    """Whether this adjective or verb meets this noun only where something new is to be said."""
    return crc32(f"{word.english} {noun.english}".encode()) % 10 == 0


def _pool(held: dict[W, bool]) -> Pool[W]:
    """Words, each with whether it is withheld."""
    known = tuple(word for word, is_held in held.items() if not is_held)
    return Pool(known, tuple(word for word, is_held in held.items() if is_held))


_KINDS = {
    "person": ("person",),
    "animal": ("animal",),
    "small": ("food", "drink", "dish", "reading", "clothes", "tool", "container"),
    "large": ("vehicle", "furniture", "opening", "building", "outside"),
}
_KINDS["thing"] = _KINDS["small"] + _KINDS["large"]
_KINDS[""] = tuple(noun.kind for noun in NOUNS.values())

# What a shape is about ("" leaves it open) -> its nouns.
NOUNS_ABOUT = {
    about: Pool(tuple(noun for noun in NOUNS.values() if noun.kind in kinds))
    for about, kinds in _KINDS.items()
}


def _adjectives(column: int) -> Iterator[tuple[Noun | str, Pool[Adjective]]]:
    for line in FITTING.strip().splitlines():
        kind, _, columns = line.partition(": ")
        adjectives = tuple(ADJECTIVES[word] for word in columns.split(" | ")[column].split())
        yield kind, Pool(adjectives)
        for noun in NOUNS.values():
            if noun.kind == kind:
                yield noun, _pool({word: is_withheld(word, noun) for word in adjectives})


# Noun, or kind for a pronoun -> adjectives: of two, one of FIRST stands before one of SECOND.
FIRST = dict(_adjectives(0))
SECOND = dict(_adjectives(1))
EITHER = {
    key: Pool(first.known + SECOND[key].known, first.withheld + SECOND[key].withheld)
    for key, first in FIRST.items()
}

# A verb that makes something also acts upon it; both reach for what is asked or told of.
_FRAMES = {"make": ("make", "act", "reach"), "act": ("act", "reach")}


def _frames() -> Iterator[tuple[str, str, Use, Pool[Noun]]]:
    """Each frame and kind of object in which a use of a verb can stand, with its objects."""
    for use in USES:
        wanted = {*use.objects, *(_KINDS["thing"] if "thing" in use.objects else ())}
        for about, nouns in NOUNS_ABOUT.items():
            objects = [noun for noun in nouns.known if {noun.english, noun.kind} & wanted]
            pool = _pool({noun: is_withheld(use.verb, noun) for noun in objects})
            for frame in _FRAMES.get(use.frame, (use.frame,)):
                if pool.known or not about:
                    yield frame, about, use, pool


def _verbs() -> dict[tuple[str, str, str], tuple[Verb, ...]]:
    verbs: dict[tuple[str, str, str], tuple[Verb, ...]] = {}
    for frame, about, use, _ in _frames():
        for subject in use.subjects:
            key = frame, subject, about
            verbs[key] = (*verbs.get(key, ()), use.verb)
    return verbs


# (frame, about the subject, about the object) -> verbs.
VERBS = _verbs()
# (frame, about the subject, verb, about the object) -> objects.
OBJECTS = {
    (frame, subject, use.verb, about): pool
    for frame, about, use, pool in _frames()
    for subject in use.subjects
}


def _reaching(noun: Noun) -> Pool[Verb]:
    objects = {verb: OBJECTS["reach", "person", verb, ""] for verb in VERBS["reach", "person", ""]}
    reach = [verb for verb, pool in objects.items() if noun in pool.known + pool.withheld]
    return _pool({verb: is_withheld(verb, noun) for verb in reach})


# Noun -> the verbs by which a person can reach for it.
REACHING = {noun: _reaching(noun) for noun in NOUNS.values()}

Places = list[tuple[Preposition, Pool[Noun]]]


def _places(purpose: str, only: tuple[str, ...] = ()) -> Places:
    found: Places = []
    for line in PLACES.strip().splitlines():
        head, _, nouns = line.partition(": ")
        for_what, preposition = head.split()
        if for_what == purpose and (not only or preposition in only):
            pool = Pool(tuple(NOUNS[noun] for noun in nouns.split()))
            found.append((PLACE_PREPOSITIONS[preposition], pool))
    return found


# Purpose, or a verb of going -> the prepositions, each with its places.
PLACES_FOR: dict[str | Verb, Places] = {
    **{purpose: _places(purpose) for purpose in ("place", "spot", "live", "put")},
    **{use.verb: _places("go", use.objects) for use in USES if use.frame == "go"},
}
