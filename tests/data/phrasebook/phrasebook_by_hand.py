"""English phrases in short -> abstract ones, for tests that put sentences together by hand."""

from regard.data.phrasebook import closed
from regard.data.phrasebook.lexicon import ADJECTIVES, BE, NOUNS, VERBS
from regard.data.phrasebook.syntax import (
    GAP,
    PLAIN,
    Both,
    Clause,
    Manner,
    NounPhrase,
    Predicate,
    Prepositional,
    Quality,
    Question,
    Statement,
    Subordinate,
)

DETERMINERS = {
    form: determiner
    for determiner in vars(closed).values()
    if isinstance(determiner, closed.Determiner) and determiner.english
    for form in (determiner.english, determiner.plural)
} | {"an": closed.A}
PRONOUNS = {
    form: pronoun
    for pronoun in (closed.I, closed.HE, closed.SHE, closed.WE, closed.THEY, closed.IT)
    for form in pronoun.english.values()
} | {"who": closed.WHO, "what": closed.WHAT, "_": GAP}
PREPOSITIONS = closed.PLACE_PREPOSITIONS | {
    "with": closed.WITH,
    "without": closed.WITHOUT,
    "for": closed.FOR,
}
PLURALS = {noun.plural: noun for noun in NOUNS.values()}
ADVERBIALS = {
    " ".join(adverbial.english): adverbial
    for adverbial in vars(closed).values()
    if isinstance(adverbial, closed.Adverbial)
}
MODALS = {
    "can": closed.CAN,
    "must": closed.MUST,
    "should": closed.SHOULD,
    "may": closed.MAY,
    "want": closed.WANT,
}
CONJUNCTIONS = {
    joining.english: joining
    for joining in vars(closed).values()
    if isinstance(joining, closed.Conjunction)
}


def nominal(text, *, place=None, relative=None):
    """A noun phrase: "the very old cats", "the cat and the dog", "she"; "_" is a gap."""
    if text in PRONOUNS:
        return PRONOUNS[text]
    if " and " in text:
        return Both(*map(nominal, text.split(" and ")))
    *words, noun = text.split()
    determiner = DETERMINERS[words.pop(0)] if words and words[0] in DETERMINERS else closed.BARE
    very = "very" in words
    return NounPhrase(
        noun=NOUNS.get(noun) or PLURALS[noun],
        determiner=determiner,
        plural=noun in PLURALS and noun not in NOUNS,
        adjectives=tuple(ADJECTIVES[word] for word in words if word != "very"),
        very=very,
        place=prepositional(place) if isinstance(place, str) else place,
        relative=relative,
    )


def prepositional(text, **more):
    """A prepositional phrase: "on the rug"."""
    preposition, _, phrase = text.partition(" ")
    return Prepositional(PREPOSITIONS[preposition], nominal(phrase, **more))


def does(verb, thing=None, *, to=None, how="", where=None, goal=None, when=None, **more):
    """A predicate: how is any of "not", a modal verb and an adverb."""
    words = how.split()
    modals = [MODALS[word] for word in words if word in MODALS]
    adverbs = [ADVERBIALS[word] for word in words if word in ADVERBIALS]
    manner = Manner(
        modal=modals[0] if modals else None,
        adverb=adverbs[0] if adverbs else None,
        negated="not" in words,
    )
    return Predicate(
        verb=BE if verb == "be" else VERBS[verb],
        manner=manner if how else PLAIN,
        object=nominal(thing) if isinstance(thing, str) else thing,
        recipient=nominal(to) if isinstance(to, str) else to,
        where=prepositional(where) if isinstance(where, str) else where,
        goal=prepositional(goal) if isinstance(goal, str) else goal,
        when=ADVERBIALS[when] if when else None,
        **more,
    )


def said(verb, adjective, **more):
    """A predicate with a quality: said("look", "very old")."""
    *very, word = adjective.split()
    return does(verb, quality=Quality(ADJECTIVES[word], very=bool(very)), **more)


def clause(subject, *predicates):
    return Clause(nominal(subject) if isinstance(subject, str) else subject, predicates)


def sub(conjunction, *clauses):
    return Subordinate(CONJUNCTIONS[conjunction], clauses)


def statement(subject, *predicates, front=None, then=None):
    """A main clause; then is "and" or "but" with another statement."""
    joining, rest = then or (None, None)
    return Statement(
        clause(subject, *predicates),
        ADVERBIALS[front] if isinstance(front, str) else front,
        CONJUNCTIONS[joining] if joining else None,
        rest,
    )


def question(subject, predicate, asked=None):
    if asked in ADVERBIALS:
        return Question(clause(subject, predicate), ADVERBIALS[asked])
    return Question(clause(subject, predicate), nominal(asked) if asked else None)
