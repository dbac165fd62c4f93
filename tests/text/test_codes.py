"""text -> its placeholders and tags; a translation -> one that has them all."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.text.codes import Code, coded, placeholders, plain, put_back


@pytest.mark.parametrize(
    "code",
    ["%s", "%d", "%1$s", "%(name)s", "%-5.2f", "%lu", "%%", "%1", "%L2", "%#<PRIx64>", "%H",
     "%-d", "{}", "{0}", "{name}",
     "{0:.2f}", "{{x}}", "${x}", "$HOME", "<b>", "</b>", "<br/>",
     '<a href="x">', "&lt;", "&#39;",
     "&#x27;"],
)  # fmt: skip
def test_a_placeholder_is_found_inside_text(code):
    assert coded(f"before {code}, after") == ["before ", code, ", after"]
    assert placeholders(f"{code} and {code}") == Counter({code: 2})


@pytest.mark.parametrize(
    "text", ["50% of it", "5 < 6 & 7 > 3", "100 % sure", "a $5 note", "C++", "%CPU"]
)
def test_what_only_looks_like_one_is_text(text):
    assert coded(text) == [text]


B, END, X = Code("<b>"), Code("</b>"), Code("<x/>")


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        (["the ", B, "old", END, " dog"], "der alte Hund", "der <b>alte</b> Hund"),
        ([B, "all of it", END], "alles", "<b>alles</b>"),
        (coded("file %s"), "Datei", "Datei %s"),
        (coded("%s: file"), ": Datei", "%s: Datei"),
        (coded("%s file in %s"), "Datei im", "%s Datei im %s"),
        (["one two ", X, " three four"], "1 2 3 4", "1 2 <x/> 3 4"),
        (["a", X, "b"], "c", "c<x/>"),
        ([X], "", "<x/>"),
        ([], "", ""),
    ],
)
def test_codes_stand_where_they_stood(source, translation, expected):
    assert "".join(put_back(source, translation)) == expected


TOKENS = st.lists(st.sampled_from(["a ", "b", " c", " ", X, B, END, Code("%s")]), max_size=12)


@given(TOKENS, st.lists(st.sampled_from(["x", "yy", "z."]), max_size=8))
def test_every_code_comes_back_in_its_order_and_every_word(source, words):
    found = put_back(source, " ".join(words))
    assert [part for part in found if isinstance(part, Code)] == [
        part for part in source if isinstance(part, Code)
    ]
    assert plain(found).replace(" ", "") == "".join(words)
