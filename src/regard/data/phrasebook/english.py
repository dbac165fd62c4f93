"""Tags and forms, from left to right -> the English words and their constituency tree."""

from regard.data.phrasebook.closed import DO, WANT, Adverbial
from regard.data.phrasebook.lexicon import BE, Verb
from regard.data.phrasebook.syntax import Predicate

Positions = tuple[int, ...]


class Page:
    """What has been written so far; a word's position is its number, from 0."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.depth = 0
        self._tree: list[str] = []

    def word(self, tag: str, form: str) -> Positions:
        """Write a word; return its position."""
        self._tree.append(f" ({tag} {form})")
        self.words.append(form)
        return (len(self.words) - 1,)

    def fixed(self, adverbial: Adverbial) -> Positions:
        """Write a fixed expression; return the positions of its words."""
        start = len(self.words)
        self._tree.append(adverbial.tree)
        self.words += adverbial.english
        return tuple(range(start, len(self.words)))

    def open(self, label: str) -> int:
        """Begin a constituent; return the depth outside it."""
        self._tree.append(f" ({label}")
        depth = self.depth
        self.depth = depth + 1
        return depth

    def close(self, depth: int) -> None:
        """End the constituents that are deeper than this."""
        if depth < self.depth:
            self._tree.append(")" * (self.depth - depth))
            self.depth = depth

    def tree(self) -> str:
        """The tree on one line, as in the Penn treebank."""
        return "".join(self._tree)[1:]


def auxiliary(page: Page, predicate: Predicate, person: str, *, asked: bool) -> Positions:
    """Write what stands before "not" and, in a question, before the subject: can, is, does."""
    modal = predicate.manner.modal
    if modal and modal is not WANT:
        return page.word("MD", modal.english)
    if predicate.verb is BE and not modal:
        return _finite(page, BE, person)
    if asked or predicate.manner.negated:
        return _finite(page, DO, person)
    return ()


def main_verb(
    page: Page, predicate: Predicate, person: str, helped: Positions
) -> tuple[Positions, Positions]:
    """Write the rest of the verb; return where the modal verb stands, and where the full one.

    "does", which only carries the person, counts with the verb that German has in its place; "to"
    counts with the infinitive.
    """
    modal, full = predicate.manner.modal, predicate.verb
    if full is BE and not modal:
        return (), helped
    if helped:
        page.open("VP")
    if not modal:
        return (), helped + (
            page.word("VB", full.english) if helped else _finite(page, full, person)
        )
    if modal is WANT:
        helped += page.word("VB", "want") if helped else _finite(page, WANT, person)
        page.open("S")
        page.open("VP")
        to = page.word("TO", "to")
        page.open("VP")
        return helped, to + page.word("VB", full.english)
    return helped, page.word("VB", full.english)


def _finite(page: Page, verb: Verb, person: str) -> Positions:
    return page.word("VBZ" if person == "sg" else "VBP", verb.finite[person])
