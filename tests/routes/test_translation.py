"""A text in several parts is one translation again."""

from regard.translation import Translation, joined


def test_parts_are_joined_with_all_that_is_odd_about_them():
    parts = ["one two. ", "three"]
    found = [
        Translation("eins zwei.", -1.5, pieces=(5, 6), warnings=("numbers", "length")),
        Translation("drei", -0.25, ended=False, pieces=(7,), warnings=("length",)),
    ]
    assert joined(parts, found) == Translation(
        "eins zwei. drei",
        -1.75,
        ended=False,
        parts=2,
        pieces=(5, 6, 7),
        warnings=("numbers", "length"),
    )


def test_one_part_stays_what_it_is():
    found = Translation("eins", -1.0, others=(Translation("ein", -2.0),))
    assert joined(["one"], [found]) is found
