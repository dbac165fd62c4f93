# ruff: noqa: RUF001 (odd characters are the subject)
"""text -> the text a model sees."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regard.text.normalise import invisible, normalise

ANY = st.text(st.characters())  # lone surrogates too

DROPPED = [*range(0x00, 0x09), *range(0x0E, 0x1C), 0x7F, *range(0x80, 0x85), *range(0x86, 0xA0)]
INVISIBLE = [
    0xAD, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F),
    *range(0x2060, 0x2065), *range(0x2066, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC),
]  # fmt: skip
SPACES = [
    *range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
    0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
]  # fmt: skip
KEPT = [
    "x²", "ﬁn", "…", "Ⅷ", "½", "ｆｕｌｌ", "ß", "İ", "ǆ", "C++", "3.14", "1,234.56", "2026-11-29",
    "%s {0} ${x}", "<b>&lt;</b>", "https://example.org/?a=b&c", "</s><pad>▁@@￭", "\u2585", "\uf8ff",
    "👨\u200d👩\u200d👧", "🇩🇪", "1\ufe0f\u20e3", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "क्\u200dष",
    "🏴\U000e0067\U000e0062\U000e007f", "\u034f", "\u0601", "\U000e0001", "\U0010ffff",
    "\ufffd", "\u0378",
]  # fmt: skip


@given(ANY)
@example(" \u0308a\x01\u0308 ")
@example("a\x00\u0308")
@example("\ud83d\ude00")
@example("\u2000\u0308")
def test_doing_it_twice_changes_nothing(text):
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)
    once.encode()  # whatever came in, UTF-8 can hold it
    assert "\n" not in once
    assert once == once.strip()


@pytest.mark.parametrize("code", DROPPED, ids=hex)
def test_control_characters_are_dropped(code):
    assert normalise(f"a{chr(code)}b") == "ab"


@pytest.mark.parametrize("code", INVISIBLE, ids=hex)
def test_what_nobody_sees_is_dropped(code):
    assert normalise(f"a{chr(code)}b") == "ab"
    assert normalise(f" {chr(code)} ") == ""
    assert invisible(f"a{chr(code)}b")


@pytest.mark.parametrize("text", ["a\u200db", "\u200cمی\u200c", "👨\u200d", "👨\u200d \u200d👩"])
def test_a_joiner_stays_only_between_what_it_joins(text):
    assert normalise(text) == text.replace("\u200c", "").replace("\u200d", "")


@given(ANY)
def test_invisible_is_what_is_dropped_besides_white_space(text):
    """Against the definition in Unicode's own words: controls and format characters."""
    dropped = len(text) - sum(
        unicodedata.category(c) not in ("Cc", "Cf") or c.isspace() for c in text
    )
    assert invisible(text) <= (dropped > 0)


@pytest.mark.parametrize("code", SPACES, ids=hex)
def test_white_space_of_any_kind_becomes_one_space(code):
    assert normalise(f"{chr(code)}a{chr(code)}{chr(code)} b{chr(code)}") == "a b"
    assert normalise(chr(code)) == ""


@pytest.mark.parametrize("text", KEPT, ids=ascii)
def test_nothing_else_is_lost(text):
    assert normalise(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A\u0308pfel", "Äpfel"),
        ("\u212b", "Å"),
        ("\u1100\u1161\u11a8", "각"),
        ("q\u0323\u0307", "q\u0323\u0307"),
        ("\ud800", "\ufffd"),
        ("a\udfffb", "a\ufffdb"),
        ("", ""),
        (" \t\u3000\x00", ""),
    ],
)
def test_one_unicode_form(text, expected):
    assert normalise(text) == expected


def test_every_character_is_dropped_made_a_space_or_kept():
    """All of Unicode against the two tables above; bars, with which nothing composes, between."""
    table = dict.fromkeys([*DROPPED, *INVISIBLE], "") | dict.fromkeys(SPACES, " ")
    codes = [*range(0xD800), *range(0xE000, 0x110000)]
    codes.remove(ord("|"))
    found = normalise("|".join(map(chr, codes))).split("|")
    expected = [table.get(code, unicodedata.normalize("NFC", chr(code))) for code in codes]
    assert [
        (hex(code), ascii(a), ascii(b))
        for code, a, b in zip(codes, found, expected, strict=True)
        if a != b
    ] == []
