"""The German of the parts of a clause -> the German of the clause: what goes where.

A German word travels with the positions of the English words that it stands for.
"""

from regard.data.phrasebook.english import Positions
from regard.data.phrasebook.syntax import Predicate

Word = tuple[str, Positions]

_CONTRACTED = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("von", "dem"): "vom",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
}


class Middle:
    """What stands between the two places of the verb, and after the second one: clauses."""

    def __init__(self) -> None:
        self.pronouns: list[Word] = []
        self.adverbs: list[Word] = []
        self.nouns: list[Word] = []
        self.refusal: list[Word] = []
        self.where: list[Word] = []
        self.goal: list[Word] = []
        self.after: list[Word] = []

    def words(self) -> list[Word]:
        """All but the clauses, in the order of German."""
        before = self.pronouns + self.adverbs + self.nouns
        return before + self.refusal + self.where + self.goal


def verbs(
    predicate: Predicate, person: str, modal: Positions, full: Positions, *, last: bool
) -> tuple[list[Word], list[Word]]:
    """The verb in second place and what goes to the end: ruft .. an, kann .. anrufen, .. anruft."""
    verb, auxiliary = predicate.verb, predicate.manner.modal
    if auxiliary:
        finite = (auxiliary.german_finite[person], modal)
        infinitive = (verb.particle + verb.german, full)
        return ([], [infinitive, finite]) if last else ([finite], [infinitive])
    finite = verb.german_finite[person]
    if last:
        return [], [(verb.particle + finite, full)]
    return [(finite, full)], [(verb.particle, full)] if verb.particle else []


def joined(preposition: Word, words: list[Word], *, defined: bool) -> list[Word]:
    """Im Garten; but in dem Garten, where a relative clause says which garden."""
    form, positions = preposition
    short = None if defined else _CONTRACTED.get((form, words[0][0]))
    if short is None:
        return [preposition, *words]
    return [(short, positions + words[0][1]), *words[1:]]


def between_commas(words: list[Word]) -> list[Word]:
    """A clause inside another one."""
    return [(",", ()), *words, (",", ())]


def punctuate(words: list[Word]) -> list[Word]:
    """One comma where two meet, none at either end or before a question mark."""
    kept: list[Word] = []
    comma: Positions | None = None
    for word in words:
        if word[0] == ",":
            comma = word[1] if comma is None else comma + word[1]
            continue
        if comma is not None and kept and word[0] != "?":
            kept.append((",", comma))
        comma = None
        kept.append(word)
    return kept
