"""What is to be looked at twice, and what is not."""

import pytest

from regard.text.warnings import warnings

GOOD = [
    ("it costs 1,250.50 euros", "es kostet 1.250,50 Euro"),
    ("at 18:10", "um 18h10"),
    ("room 7, floor 3", "Etage 3, Zimmer 7"),
    ("\u0e51\u0e52 cats", "12 Katzen"),
    ("very very very very good", "sehr sehr sehr sehr gut"),
    ("a . . . . . b", "a . . . . . b"),
    ("-" * 40, "-" * 40),
    ("Berlin", "Berlin"),
    ("C++ 11", "C++ 11"),
    ("", ""),
    ("the cat sleeps", "die Katze schl\u00e4ft"),
    ("ha ha", "ha ha ha"),
    ("x\u00b2 and \u00bd", "x\u00b2 und \u00bd"),
]
BAD = [
    ("it costs 1,250.50", "es kostet 1.250,05", ("numbers",)),
    ("7 of 9", "7 von 9 von 9", ("numbers",)),
    ("the cat", "die 3 Katzen", ("numbers",)),
    ("the cat sleeps", "The cat sleeps", ("copied",)),
    ("a good cat", "gut gut gut gut gut", ("repeats",)),
    ("a good cat", "nicht so nicht so nicht so nicht so", ("repeats",)),
    ("\u732b", "\u732b\u304c\u732b\u304c\u732b\u304c\u732b\u304c", ("repeats",)),
    ("abc def", "lalalalala", ("repeats",)),
]


@pytest.mark.parametrize(("source", "translation"), GOOD)
def test_nothing_is_said_of_a_good_translation(source, translation):
    assert warnings(source, translation) == () or source == translation


@pytest.mark.parametrize(("source", "translation", "wanted"), BAD)
def test_what_is_odd_is_said(source, translation, wanted):
    assert warnings(source, translation) == wanted


@pytest.mark.parametrize(
    ("lengths", "odd"),
    [((4, 14), False), ((4, 15), True), ((40, 12), True), ((30, 10), False), ((0, 99), True)],
)
def test_lengths_out_of_proportion(lengths, odd):
    assert (warnings("a", "b", lengths=lengths) == ("length",)) == odd


def test_a_long_text_takes_no_long_time():
    assert warnings("a", "b c " * 50_000) == ("repeats",)
    assert warnings("a", " ".join(map(str, range(1000, 1060)))) == ("numbers",)
