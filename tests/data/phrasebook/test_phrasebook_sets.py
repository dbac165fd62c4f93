"""What the sets hold, and that they are held apart."""

import os
import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest
from phrasebook_tree import read

from regard.data.phrasebook import examples, held_out
from regard.data.phrasebook.lexicon import ADJECTIVES, NOUNS, VERBS
from regard.data.phrasebook.shapes import SHAPES
from regard.data.phrasebook.words import is_withheld


def test_sets_are_disjoint(training, held):
    sets = [{example.source for example in held[name]} for name in held]
    sets.append({example.source for example in training})
    assert sum(map(len, sets)) == len(set().union(*sets))
    assert [len(examples) for examples in held.values()] == [200] * 4


def test_other_seeds_keep_the_sets_apart_too(held):
    tested = {example.source for name in ("dev", "random", "unseen") for example in held[name]}
    assert not any(example.source in tested for example in islice(examples(seed=2), 5000))


def test_longer_is_longer(training, held):
    most = max(len(example.source.split()) for example in training)
    lengths = {len(example.source.split()) for example in held["longer"]}
    assert (most, min(lengths), max(lengths)) == (16, 17, 24)


def test_every_word_occurs_in_training(training, held):
    english = Counter(word for example in training for word in example.source.split())
    german = {word for example in training for word in example.target.split()}
    vocabulary = {form for noun in NOUNS.values() for form in (noun.english, noun.plural) if form}
    vocabulary |= {form for verb in VERBS.values() for form in verb.finite.values()}
    vocabulary |= ADJECTIVES.keys()
    assert vocabulary <= english.keys()
    assert min(english.values()) >= 2
    for name in held:
        for example in held[name]:
            assert set(example.source.split()) <= english.keys()
    assert 300 <= len(english) <= 500
    assert 700 <= len(german) <= 800


# Which words stand together, read from the trees.

BASE = {form: word for word in VERBS for form in VERBS[word].finite.values()}
BASE |= {word.split()[0]: word for word in VERBS}
LEMMA = {form: noun for noun in NOUNS for form in (noun, NOUNS[noun].plural)}


def heads(phrase):
    """The nouns of a noun phrase."""
    inner = [child for child in phrase.children if child.label == "NP"]
    if phrase.child("CC"):
        return [noun for child in inner for noun in heads(child)]
    if inner:
        return heads(inner[0])
    noun = phrase.child("NN", "NNS")
    return [LEMMA[noun.word]] if noun and noun.word in LEMMA else []


def deeds(tree):
    """The innermost verb phrases of a clause, with their verbs."""
    for child in tree.children:
        if child.label in ("VP", "S") and tree.label in ("S", "VP", "SQ"):
            yield from deeds(child)
    if tree.label == "VP" and (verb := tree.child("VB", "VBZ", "VBP")) and verb.word in BASE:
        yield BASE[verb.word], tree


def together(tree):
    """All (adjective, noun) and (verb, object) that stand together in a sentence."""
    for part in tree.all():
        if part.label in ("NP", "WHNP") and (noun := part.child("NN", "NNS")):
            for leaf in part.all():
                if leaf.label == "JJ" and leaf.word in ADJECTIVES and noun.word in LEMMA:
                    yield leaf.word, LEMMA[noun.word]
        if part.label in ("S", "SQ"):
            subjects = [child for child in part.children if child.label == "NP"]
            yield from said(part, heads(subjects[-1]) if subjects else [])
        if part.label == "NP" and (relative := part.child("SBAR")):
            clause = relative.child("S")
            yield from asked(clause, heads(part))
        if part.label == "SBARQ" and part.children[0].label == "WHNP":
            yield from asked(part.child("SQ"), heads(part.children[0]))
        if part.label == "VP":
            yield from objects(part)


def said(clause, nouns):
    for part in clause.children:
        if part.label == "ADJP":
            yield from ((part.child("JJ").word, noun) for noun in nouns)
        if part.label == "VP" or (part.label == "S" and clause.label == "VP"):
            yield from said(part, nouns)


def asked(clause, nouns):
    """A gap is the subject, of whom something is said, or the object."""
    if not clause.child("NP"):
        yield from said(clause, nouns)
        return
    for verb, _ in deeds(clause):
        yield from ((verb, noun) for noun in nouns)


def objects(phrase):
    verb = phrase.child("VB", "VBZ", "VBP")
    if not verb or verb.word not in BASE:
        return
    found = [child for child in phrase.children if child.label == "NP" and heads(child)]
    word = BASE[verb.word]
    if " " in word and (prepositional := phrase.child("PP")):
        found = [child for child in prepositional.children if child.label == "NP"]
    if phrase.child("SBAR") and word == "tell" and len(found) == 1:
        return  # the one who is told
    for noun in heads(found[-1]) if found else []:
        yield word, noun


def withheld(pair):
    word, noun = pair
    return is_withheld(ADJECTIVES.get(word) or VERBS[word], NOUNS[noun])


def company(some):
    return {pair for example in some for pair in together(read(example.tree))}


def test_only_unseen_has_words_together_that_are_withheld(training, held):
    met = company(training)
    assert len(met) > 1500
    for some in (training, held["dev"], held["random"], held["longer"]):
        assert not [pair for pair in company(some) if withheld(pair)]
    for example in held["unseen"]:
        pairs = company([example])
        assert any(withheld(pair) for pair in pairs), example.source
        assert pairs - met


@pytest.mark.slow
def test_words_withheld_do_not_meet_in_fifty_thousand_pairs():
    some = [*islice(examples(seed=11), 50_000)]
    assert not [pair for pair in company(some) if withheld(pair)]
    assert min(Counter(word for pair in some for word in pair.source.split()).values()) >= 10


def test_lengths_are_even(training):
    lengths = Counter(len(example.source.split()) for example in training)
    even = len(training) / 15
    assert all(0.9 * even < lengths[length] < 1.4 * even for length in range(5, 17))
    mean = sum(length * count for length, count in lengths.items()) / len(training)
    assert 9 < mean < 10.5


def test_lengths_up_to_sixty():
    drawn = [e.source.split() for e in islice(examples(seed=4, shortest=5, longest=60), 800)]
    lengths = Counter(len(words) // 10 for words in drawn)
    assert min(len(words) for words in drawn) >= 5
    assert max(len(words) for words in drawn) == 60
    assert all(100 < lengths[tens] < 190 for tens in range(1, 6))


def test_shapes_have_every_length():
    assert SHAPES.chance("sentence", 1) == 0
    assert all(SHAPES.chance("sentence", size) > 0 for size in range(2, 61))


def test_same_seed_same_pairs_in_another_process():
    script = (
        "from itertools import islice; from regard.data.phrasebook import examples, held_out\n"
        "pairs = [*islice(examples(seed=7), 200)]\n"
        "pairs += [e for some in held_out(seed=7, size=10).values() for e in some]\n"
        "import hashlib; print(hashlib.sha256(repr(pairs).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "4")
    }
    assert len(digests) == 1


def test_other_seed_other_pairs():
    first, second = ({*islice(examples(seed=seed), 200)} for seed in (1, 2))
    assert len(first & second) < 10


@pytest.mark.parametrize(("shortest", "longest"), [(1, 5), (6, 5), (2, 81), (0, 0), (-3, 4)])
def test_impossible_lengths(shortest, longest):
    told = f"2 <= shortest <= longest <= 80, got shortest {shortest} and longest {longest}"
    with pytest.raises(ValueError, match=told):
        examples(seed=1, shortest=shortest, longest=longest)
    with pytest.raises(ValueError, match=told):
        held_out(seed=1, shortest=shortest, longest=longest)


def test_sentences_that_run_out():
    few = examples(seed=1, longest=2)
    assert len(set(islice(few, 100))) == 100
    with pytest.raises(ValueError, match=r"found only \d+ sentences of 2 to 2 words for training"):
        for _ in few:
            pass


def test_held_out_that_cannot_be_had():
    with pytest.raises(ValueError, match="size must be at least 1, got 0"):
        held_out(seed=1, size=0)
    with pytest.raises(ValueError, match="for dev; ask for fewer, or allow longer ones"):
        held_out(seed=1, longest=2)
