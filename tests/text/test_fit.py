# ruff: noqa: RUF001 (full-width marks are the subject)
"""text -> parts that fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.text.fit import fit
from regard.text.normalise import normalise
from regard.text.pieces import Pieces

PIECES = Pieces.learn(["the cat sleeps. the dog runs! who sings? a b c d e f g"], size=300)


def count(text: str) -> int:
    return len(PIECES.split(text))


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("text", "room", "parts"),
    [
        ("", 1, [""]),
        ("a b c", 3, ["a b c"]),
        ("a b. c d! e f", 3, ["a b. ", "c d! ", "e f"]),
        ("a b. c d! e f", 6, ["a b. c d! e f"]),
        ('he said "a b." then c', 4, ['he said "a b." ', "then c"]),
        ("a b c d e", 4, ["a b c ", "d e"]),
        ("a. b c d e f. g", 3, ["a. ", "b c d ", "e f. ", "g"]),
        ("3.14 a.b v1.2 c", 3, ["3.14 a.b ", "v1.2 c"]),
    ],
)
def test_sentence_ends_first_then_spaces_into_equal_parts(text, room, parts):
    assert fit(text, words, room=room) == parts


def test_a_script_without_spaces_ends_its_sentences_too():
    assert fit("今日は。「元気？」はい！！", len, room=6) == ["今日は。", "「元気？」", "はい！！"]


def test_what_has_neither_is_split_anywhere():
    assert fit("abcdefg", len, room=3) == ["abc", "de", "fg"]
    assert fit("ab", lambda text: 9, room=1) == ["a", "b"]


TEXT = st.text(st.sampled_from('abct. !?。 猫😀"e') | st.characters(), max_size=80)


@given(TEXT, st.integers(8, 40))
def test_parts_joined_are_the_text_and_each_fits(text, room):
    text = normalise(text)
    parts = fit(text, count, room=room)
    assert "".join(parts) == text
    assert all(count(part) <= room for part in parts)
    assert len(parts) == 1 or all(parts)


@pytest.mark.parametrize("text", ["x" * 100_000, "!" * 100_000, "。" * 50_000, '."' * 50_000,
                                  "word " * 10_000])  # fmt: skip
def test_absurd_lines_are_split_in_bounded_time(text):
    text = normalise(text)
    assert "".join(fit(text, count, room=255)) == text
