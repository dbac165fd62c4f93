"""pairs -> parts that share no sentence."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.data.split import components, set_aside
from regard.errors import CorpusError

KEYS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=40)


def by_walking(pairs):
    """The first of each component, found by walking from pair to pair."""
    found = [None] * len(pairs)
    for start in range(len(pairs)):
        waiting = [start] if found[start] is None else []
        while waiting:
            at = waiting.pop()
            if found[at] is None:
                found[at] = start
                waiting += [
                    i for i, pair in enumerate(pairs) if any(map(int.__eq__, pair, pairs[at]))
                ]
    return found


@given(KEYS)
def test_components_are_those_that_walking_finds(pairs):
    assert components(*np.array(pairs).T).tolist() == by_walking(pairs)


def test_a_long_chain_is_one_component():
    links = np.arange(10_000)
    shuffled = np.random.default_rng(1).permutation(10_000)
    assert not components((links // 2)[shuffled], ((links + 1) // 2)[shuffled]).any()


@given(KEYS, st.integers(0, 6), st.integers(0, 6))
def test_no_key_is_in_two_parts_and_parts_are_as_large_as_asked(pairs, dev, test):
    first = components(*np.array(pairs).T)
    try:
        parts = set_aside(first, np.ones(len(pairs), bool), [dev, test])
    except CorpusError:
        return
    assert np.bincount(parts, minlength=3)[1:].tolist() == [dev, test]
    for (one, a), (other, b) in product(zip(pairs, parts, strict=True), repeat=2):
        assert a == b or (one[0] != other[0] and one[1] != other[1])


def test_many_sentences_rather_than_one_again_and_again():
    first = np.array([*range(60), *[60] * 40])
    parts = set_aside(first, np.ones(100, bool), [50, 10])
    assert not parts[60:].any()
    with pytest.raises(CorpusError, match="70 pairs cannot be set aside, only 60"):
        set_aside(first, np.ones(100, bool), [70])


def test_what_hangs_together_with_what_must_stay_stays():
    first = np.array([0, 1, 2, 0])
    parts = set_aside(first, np.array([True, True, True, False]), [2])
    assert parts.tolist() == [0, 1, 1, 0]
