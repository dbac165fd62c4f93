"""Abstract sentence -> an English and a German sentence, their alignment and the English tree.

English is written from left to right. Each part, when it is written, hands back its German: a list
of words, each with the positions of the English words that it stands for; the clause puts the
German of its parts in order. So both languages come from the same choices, and every German word
knows its English.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from regard.data.phrasebook import closed, phrases
from regard.data.phrasebook.closed import Adverbial, Pronoun
from regard.data.phrasebook.english import Page, Positions, auxiliary, main_verb
from regard.data.phrasebook.german import Middle, Word, between_commas, joined, punctuate, verbs
from regard.data.phrasebook.inflect import german_relative
from regard.data.phrasebook.syntax import (
    Clause,
    Gap,
    Nominal,
    NounPhrase,
    Predicate,
    Prepositional,
    Question,
    Sentence,
    Statement,
    Subordinate,
)

_RELATIVE = german_relative()


@dataclass(frozen=True)
class Example:
    """A sentence pair with its word alignment and the constituency tree of the source.

    Words are separated by spaces. The alignment holds (source position, target position), from 0.
    """

    source: str
    target: str
    alignment: tuple[tuple[int, int], ...]
    tree: str


def realise(sentence: Sentence) -> Example:
    """Say an abstract sentence in both languages."""
    page = Page()
    if isinstance(sentence, Question):
        german = _question(page, sentence)
    else:
        german = _statement(page, sentence)
    forms = [form for form, _ in german]
    if "," in forms:
        german = punctuate(german)
        forms = [form for form, _ in german]
    return Example(
        source=" ".join(page.words),
        target=" ".join(forms),
        alignment=tuple(sorted([(i, j) for j, (_, of) in enumerate(german) for i in of])),
        tree=page.tree(),
    )


def _statement(page: Page, statement: Statement) -> list[Word]:
    outside = page.open("S")
    first = page.open("S") if statement.rest else outside
    front = _front(page, statement.front) if statement.front else []
    words = _clause(page, statement.clause, front=front)
    page.close(first)
    if statement.rest and statement.conjunction:
        words.append((",", page.word(",", ",")))
        words.append(phrases.conjunction(page, statement.conjunction))
        words += _statement(page, statement.rest)
        page.close(outside)
    return words


def _front(page: Page, front: Adverbial | Subordinate) -> list[Word]:
    if isinstance(front, Adverbial):
        return phrases.adverbial(page, front)
    return [*_subordinate(page, front)[1:-1], (",", page.word(",", ","))]


def _question(page: Page, question: Question) -> list[Word]:
    clause, asked = question.clause, question.asked
    inverted = not isinstance(clause.subject, Gap)
    outside = page.open("SBARQ" if asked else "SQ")
    front = _asked(page, asked, _gap_case(clause)) if asked else []
    inside = page.open("SQ") if asked else page.depth
    words = _clause(page, clause, front=front, inverted=inverted, gap=_person(asked))
    page.close(inside)
    words.append(("?", page.word(".", "?")))
    page.close(outside)
    return words


def _asked(page: Page, asked: NounPhrase | Pronoun | Adverbial, case: str) -> list[Word]:
    if isinstance(asked, Adverbial):
        return phrases.adverbial(page, asked)
    if isinstance(asked, Pronoun):
        return phrases.pronoun(page, asked, case, label="WHNP")
    return phrases.simple(page, asked, case, label="WHNP")


def _subordinate(page: Page, subordinate: Subordinate) -> list[Word]:
    outside = page.open("SBAR")
    words = [phrases.conjunction(page, subordinate.conjunction)]
    if len(subordinate.clauses) > 1:
        page.open("S")
    for number, clause in enumerate(subordinate.clauses):
        if number:
            words.append(phrases.conjunction(page, closed.AND))
        inside = page.open("S")
        words += _clause(page, clause, last=True)
        page.close(inside)
    page.close(outside)
    return between_commas(words)


def _relative(page: Page, head: NounPhrase, clause: Clause) -> list[Word]:
    outside = page.open("SBAR")
    inside = page.open("WHNP")
    who = page.word("WP", "who") if head.noun.kind == "person" else page.word("WDT", "that")
    page.close(inside)
    page.open("S")
    pronoun = (_RELATIVE[_gap_case(clause), phrases.gender(head)], who)
    words = _clause(page, clause, front=[pronoun], last=True, gap=_person(head))
    page.close(outside)
    return between_commas(words)


def _gap_case(clause: Clause) -> str:
    return "nom" if isinstance(clause.subject, Gap) else clause.predicates[0].verb.case


def _clause(
    page: Page,
    clause: Clause,
    *,
    front: Sequence[Word] = (),
    last: bool = False,
    inverted: bool = False,
    gap: str = "sg",
) -> list[Word]:
    """A clause without its brackets; front is what German has first, gap the person of a gap.

    With last, German has the finite verb last; inverted, English has the auxiliary first.
    """
    first, *others = clause.predicates
    person = gap if isinstance(clause.subject, Gap) else _person(clause.subject)
    subject = [] if inverted else _whole(page, clause.subject, "nom")
    outside = page.open("VP") if others else page.depth
    asked = clause.subject if inverted else None
    second, rest = _predicate(page, first, person, last=last, asked=asked)
    start = [*second, *subject] if front and not last else [*subject, *second]
    words = [*front, *start, *rest]
    for other in others:
        words.append(phrases.conjunction(page, closed.AND))
        second, rest = _predicate(page, other, person, last=last)
        words += second + rest
    page.close(outside)
    return words


def _person(nominal: Nominal | Adverbial | None) -> str:
    """The person that a subject asks of its verb."""
    if isinstance(nominal, NounPhrase):
        return "pl" if nominal.plural else "sg"
    return nominal.person if isinstance(nominal, Pronoun) else "pl"


def _predicate(
    page: Page,
    predicate: Predicate,
    person: str,
    *,
    last: bool,
    asked: Nominal | None = None,
) -> tuple[list[Word], list[Word]]:
    """A verb phrase -> the German verb in second place, and all that comes after it.

    A question hands in its subject, for English has it behind the auxiliary.
    """
    manner = predicate.manner
    outside = page.depth if asked else page.open("VP")
    helped = auxiliary(page, predicate, person, asked=asked is not None)
    subject = _whole(page, asked, "nom") if asked else []
    refusal = page.word("RB", "not") if manner.negated else ()
    middle = Middle()
    if manner.adverb:
        middle.adverbs = phrases.adverbial(page, manner.adverb)
    modal, full = main_verb(page, predicate, person, helped)
    full += _objects(page, predicate, middle, refusal)
    _circumstances(page, predicate, middle)
    page.close(outside)
    second, end = verbs(predicate, person, modal, full, last=last)
    return second, [*subject, *middle.words(), *end, *middle.after]


def _objects(page: Page, predicate: Predicate, middle: Middle, refusal: Positions) -> Positions:
    """Write recipient and object; return where a preposition stands that German has not.

    A refusal goes into an object that is indefinite (keine Katze), else it stands after the object.
    """
    verb, thing = predicate.verb, predicate.object
    if refusal and not _takes_kein(predicate):
        middle.refusal = [("nicht", refusal)]
        refusal = ()
    if predicate.recipient:
        _put(page, middle, predicate.recipient, "dat")
    if not thing:
        return ()
    outside = page.depth
    preposition: Positions = ()
    if verb.preposition:
        page.open("PP")
        preposition = page.word("TO" if verb.preposition == "to" else "IN", verb.preposition)
    if verb.german_preposition:
        words, after = _nominal(page, thing, verb.case)
        middle.goal = joined((verb.german_preposition, preposition), words, defined=bool(after))
        middle.after += after
    else:
        _put(page, middle, thing, verb.case, refusal)
    page.close(outside)
    return () if verb.german_preposition else preposition


def _takes_kein(predicate: Predicate) -> bool:
    thing = predicate.object
    indefinite = isinstance(thing, NounPhrase) and thing.determiner in (closed.A, closed.BARE)
    return indefinite and not predicate.verb.german_preposition


def _put(page: Page, middle: Middle, nominal: Nominal, case: str, refusal: Positions = ()) -> None:
    words, after = _nominal(page, nominal, case, refusal)
    place = middle.pronouns if isinstance(nominal, Pronoun) else middle.nouns
    place += words
    middle.after += after


def _circumstances(page: Page, predicate: Predicate, middle: Middle) -> None:
    """Write all that follows the objects, in English order."""
    if predicate.quality:
        middle.goal = phrases.quality(page, predicate.quality)
    if predicate.goal:
        middle.goal = _prepositional(page, predicate.goal, middle.after)
    if predicate.where:
        middle.where = _prepositional(page, predicate.where, middle.after)
    if predicate.when:
        middle.adverbs = phrases.adverbial(page, predicate.when) + middle.adverbs
    for clause in (predicate.content, predicate.circumstance):
        if clause:
            middle.after += _subordinate(page, clause)


def _prepositional(page: Page, phrase: Prepositional, after: list[Word]) -> list[Word]:
    """A prepositional phrase; a relative clause at its end is put to what comes after."""
    preposition = phrase.preposition
    outside = page.open("PP")
    at = page.word(preposition.tag, preposition.english)
    words, relative = _nominal(page, phrase.object, preposition.case)
    page.close(outside)
    after += relative
    return joined((preposition.german, at), words, defined=bool(relative))


def _whole(page: Page, nominal: Nominal, case: str) -> list[Word]:
    words, after = _nominal(page, nominal, case)
    return words + after


def _nominal(
    page: Page, nominal: Nominal, case: str, refusal: Positions = ()
) -> tuple[list[Word], list[Word]]:
    """What is spoken of, and the relative clause that German may put later."""
    if isinstance(nominal, NounPhrase):
        return _noun_phrase(page, nominal, case, refusal)
    if isinstance(nominal, Pronoun):
        return phrases.pronoun(page, nominal, case), []
    if isinstance(nominal, Gap):
        return [], []
    outside = page.open("NP")
    words = phrases.simple(page, nominal.first, case)
    words.append(phrases.conjunction(page, closed.AND))
    words += phrases.simple(page, nominal.second, case)
    page.close(outside)
    return words, []


def _noun_phrase(
    page: Page, phrase: NounPhrase, case: str, refusal: Positions
) -> tuple[list[Word], list[Word]]:
    after: list[Word] = []
    outside = page.open("NP") if phrase.place or phrase.relative else page.depth
    words = phrases.simple(page, phrase, case, refusal)
    if phrase.place:
        words += _prepositional(page, phrase.place, after)
    if phrase.relative:
        after += _relative(page, phrase, phrase.relative)
    page.close(outside)
    return words, after
