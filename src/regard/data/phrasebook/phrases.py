"""The parts that hold no clause -> their English on the page, and their German handed back."""

from regard.data.phrasebook import closed
from regard.data.phrasebook.closed import Adverbial, Conjunction, Pronoun
from regard.data.phrasebook.english import Page, Positions
from regard.data.phrasebook.german import Word
from regard.data.phrasebook.syntax import NounPhrase, Quality


def simple(
    page: Page, phrase: NounPhrase, case: str, refusal: Positions = (), label: str = "NP"
) -> list[Word]:
    """Determiner, adjectives, noun: one German word for each English one; "not a" is kein."""
    determiner, plural = phrase.determiner, phrase.plural
    form, ending = (closed.NO if refusal else determiner).german[case, gender(phrase)]
    outside = page.open(label)
    if determiner.english:
        refusal += page.word(determiner.tag, _spelled(phrase))
    words = [(form, refusal)] if form else []
    words += _attributes(page, phrase, ending)
    tag, noun = ("NNS", phrase.noun.plural) if plural else ("NN", phrase.noun.english)
    words.append((phrase.noun.german[case, plural], page.word(tag, noun)))
    page.close(outside)
    return words


def _attributes(page: Page, phrase: NounPhrase, ending: str) -> list[Word]:
    outside = page.open("ADJP") if phrase.very else page.depth
    words = [("sehr", page.word("RB", "very"))] if phrase.very else []
    words += [(a.stem + ending, page.word("JJ", a.english)) for a in phrase.adjectives]
    page.close(outside)
    return words


def gender(phrase: NounPhrase) -> str:
    """What determiner, adjectives and pronouns agree with: m, f, n, or p for the plural."""
    return "p" if phrase.plural else phrase.noun.gender


def _spelled(phrase: NounPhrase) -> str:
    if phrase.plural:
        return phrase.determiner.plural
    if phrase.determiner is not closed.A or phrase.very:
        return phrase.determiner.english
    following = phrase.adjectives[0] if phrase.adjectives else phrase.noun
    return "an" if following.english[0] in "aeiou" else "a"


def quality(page: Page, said: Quality) -> list[Word]:
    """What is said of somebody: (very) old, without an ending."""
    outside = page.open("ADJP")
    words = [("sehr", page.word("RB", "very"))] if said.very else []
    words.append((said.adjective.german, page.word("JJ", said.adjective.english)))
    page.close(outside)
    return words


def pronoun(page: Page, who: Pronoun, case: str, label: str = "NP") -> list[Word]:
    """A personal or an asking pronoun."""
    outside = page.open(label)
    at = page.word(who.tag, who.english[case])
    page.close(outside)
    return [(who.german[case], at)]


def adverbial(page: Page, when: Adverbial) -> list[Word]:
    """A fixed expression: the last words stand for each other, and so do all before them."""
    at = page.fixed(when)
    *first, last = when.german
    return [(first[0], at[:-1]), (last, at[-1:])] if first else [(last, at)]


def conjunction(page: Page, joining: Conjunction) -> Word:
    """A word between or before clauses."""
    outside = page.open("WHADVP") if joining.tag == "WRB" else page.depth
    at = page.word(joining.tag, joining.english)
    page.close(outside)
    return joining.german, at
