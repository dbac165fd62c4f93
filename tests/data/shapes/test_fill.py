"""Placeholders come out as they went in, whatever the model does to them."""

import io
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_parts import parts_of

from regard.data.shapes import Filled, Reading, fill
from regard.data.shapes.catalogue import po
from regard.data.shapes.table import jsonl
from regard.data.shapes.xliff import xliff
from regard.text.codes import placeholders


def through(shape, content: str, translate, reading=None) -> tuple[str, Filled]:
    """A file filled by whatever `translate` does to one text."""
    account = Filled()
    parts = parts_of(shape, content.encode(), reading)

    def ask(texts):
        asked.extend(texts)
        return [SimpleNamespace(text=translate(text)) for text in texts]

    asked, seen = [], []
    found = b"".join(fill(parts, ask, lambda line, *_: seen.append(line), account))
    assert len(asked) == len(seen) + len(account.put_back)  # what is not taken is not shown
    return found.decode(), account


def reverse(text: str) -> str:
    """Translates badly: words in another order, placeholders lost or doubled."""
    words = [word for word in text.split() if "%" not in word and "{" not in word]
    return " ".join(reversed(words)).upper()


def test_a_translation_that_keeps_its_placeholders_is_taken_as_it_is():
    out, account = through(jsonl, '{"source": "Open %s now"}', lambda text: f"Jetzt {text}!")
    assert out == '{"source": "Open %s now", "target": "Jetzt Open %s now!"}'
    assert (account.filled, account.put_back) == (1, [])


def test_placeholders_that_were_lost_are_put_back_and_said():
    out, account = through(jsonl, '\n{"source": "Open %s {n} now"}', reverse)
    assert out.endswith('"target": "NOW %s {n} OPEN"}')
    assert account.put_back == [2]


@pytest.mark.parametrize("text", ["%s: %d", "123", "{name}", "...", "<b></b>", "3.14 %"])
def test_what_has_no_words_is_no_question_for_a_model(text):
    content = f'{{"source": "{text}"}}'
    out, _ = through(jsonl, content, lambda text: pytest.fail(text))
    assert out == content[:-1] + f', "target": "{text}"}}'


def test_space_and_lines_stay_where_they_are():
    out, _ = through(
        jsonl, r'{"source": "  two  words \n\n\tand more\n"}', lambda text: f"[{text}]"
    )
    assert r'"target": "  [two  words] \n\n\t[and more]\n"' in out


def test_inline_elements_stand_at_their_place():
    unit = '<trans-unit id="1"><source>{}</source></trans-unit>'
    content = "<xliff>" + unit.format('Hi <g id="1">you</g> <x id="2"/>, %d!') + "</xliff>"
    out, account = through(xliff, content, reverse)
    target = out.partition(">YOU")[0].rpartition("<target")[2]
    assert account.put_back == [1]
    for code in ('<g id="1">', "</g>", '<x id="2"/>', "%d"):
        assert out.count(code) == 2, target


def test_segments_are_translated_each_for_itself():
    segments = '<mrk mtype="seg" mid="1">one two.</mrk> <mrk mtype="seg" mid="2">three</mrk>'
    unit = f"<trans-unit><source>s</source><seg-source>{segments}</seg-source></trans-unit>"
    out, _ = through(xliff, f"<xliff>{unit}</xliff>", reverse)
    expected = segments.replace("one two.", "TWO. ONE").replace("three", "THREE")
    assert f">{expected}</target>" in out


CODES = ["%s", "%1$d", "{name}", "<b>", "</b>", "&lt;", "word", "and", "Ä", ".", " "]


@given(st.lists(st.sampled_from(CODES), max_size=9), st.sampled_from([str, reverse, str.upper]))
def test_the_multiset_of_placeholders_is_kept(tokens, translate):
    text = " ".join(tokens)
    out, account = through(po, f'msgid "h"\nmsgstr "h"\n\nmsgid "{text}"\nmsgstr ""\n', translate)
    if text.strip():
        target = out.rpartition('msgstr "')[2]
        assert placeholders(target) == placeholders(text)
        assert account.filled == 1


def test_what_has_a_translation_keeps_it():
    content = '{"source": "a", "target": "x"}\nbroken\n{"source": ""}\n'
    out, account = through(jsonl, content, lambda text: pytest.fail(text))
    assert out == content
    assert (account.filled, account.kept, account.bad) == (0, 1, [2])
    assert Counter(out) == Counter(content)
    assert io.StringIO(out).readline() == '{"source": "a", "target": "x"}\n'


def test_reading_says_which_fields():
    out, _ = through(jsonl, '{"en": "a"}', str.upper, Reading(languages=("en", "de")))
    assert out == '{"en": "a", "de": "A"}'
