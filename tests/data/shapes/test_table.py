"""TSV and JSONL: read, and filled without touching what is not filled."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_parts import filled, parts_of, raw

from regard.data.pairs import read_pairs
from regard.data.shapes import Bad, Entry, Reading
from regard.data.shapes.table import jsonl, tsv
from regard.errors import CorpusError


def test_a_quote_means_nothing_in_a_tsv():
    content = b'First\tfirst\n"Second\tsecond\nThird "x"\tthird\nFourth\tfourth'
    found = parts_of(tsv, content)
    assert [(entry.source, entry.target) for entry in found] == [
        (["First"], ["first"]), (['"Second'], ["second"]), (['Third "x"'], ["third"]),
        (["Fourth"], ["fourth"]),
    ]  # fmt: skip


def test_columns_can_be_numbered_or_named():
    content = b"\xef\xbb\xbfid\ten\tde\r\n1\ta\tx\r\n2\tb\r\n"
    for fields in (("2", "3"), ("en", "de")):
        found = parts_of(tsv, content, Reading(fields=fields))
        entries = [part for part in found if isinstance(part, Entry) and part.line > 1]
        assert [(e.source, e.target) for e in entries] == [(["a"], ["x"]), (["b"], [""])]
        assert raw(found) == content
        assert filled(found).endswith(b"1\ta\tx\r\n2\tb\t<b>\r\n")
    for fields in (("en", "fr"), ("0", "fr"), ("1", "99999")):
        with pytest.raises(CorpusError, match=r"t, line 1: no one column is named .*; there are"):
            parts_of(tsv, content, Reading(fields=fields))


def test_only_an_empty_cell_is_filled():
    content = b"a\tx\r\nb\t\tnote\nc\n\n \t\nd\t"
    assert filled(parts_of(tsv, content)) == b"a\tx\r\nb\t<b>\tnote\nc\t<c>\n\n \t\nd\t<d>"


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\n\t"), max_size=8)


@given(st.lists(st.lists(CELL, min_size=1, max_size=4), max_size=6), st.sampled_from("\n\r"))
def test_the_parts_of_a_tsv_are_the_file(rows, last):
    content = "\n".join("\t".join(row) for row in rows).encode() + last.encode()
    assert raw(parts_of(tsv, content)) == content


OBJECTS = [
    b'{"source": "a", "target": "x"}\n',
    b'\xef\xbb\xbf{"target":"x","source":"a"}\r\n',
    b'{"id": [1, {"target": ","}], "source": "a \\"}{\\" \\u00e4", "target": "x"} \n',
]


@pytest.mark.parametrize("content", OBJECTS)
def test_an_object_is_read_as_json_reads_it(content):
    (entry,) = parts_of(jsonl, content)
    expected = json.loads(content.decode("utf-8-sig"))
    assert (entry.source, entry.target) == ([expected["source"]], [expected["target"]])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"source": "a"}\n', b'{"source": "a", "target": "<a>"}\n'),
        (b'{"source":"a","n":1}\r\n', b'{"source":"a","n":1,"target":"<a>"}\r\n'),
        (b'{ "source" : "a" }', b'{ "source" : "a", "target": "<a>" }'),
        (b'{"target": null, "source": "a"}', b'{"target": "<a>", "source": "a"}'),
        (b'{"target" : "" , "source":"a"}', b'{"target" : "<a>" , "source":"a"}'),
        (b'{"source": "\\ud83d"}', b'{"source": "\\ud83d", "target": "<\\ud83d>"}'),
        (b'{"source": "\\u00e4"}', b'{"source": "\\u00e4", "target": "<\\u00e4>"}'),
        ('{"source": "ä"}'.encode(), '{"source": "ä", "target": "<ä>"}'.encode()),
        (b'\xef\xbb\xbf{"source": "a"}', b'\xef\xbb\xbf{"source": "a", "target": "<a>"}'),
        (b'{"source": "a", "target": "x"}', b'{"source": "a", "target": "x"}'),
        (b'{"source": " "}\n\n', b'{"source": " "}\n\n'),
    ],
)
def test_only_the_value_is_written(content, expected):
    found = filled(parts_of(jsonl, content))
    assert found == expected


def test_fields_are_named_or_the_languages():
    content = b'{"en": "a", "de": "x"}\n'
    for reading in (Reading(fields=("en", "de")), Reading(languages=("en", "de"))):
        (entry,) = parts_of(jsonl, content, reading)
        assert (entry.source, entry.target) == (["a"], ["x"])


def test_a_field_of_an_object_inside_is_named_with_a_dot():
    reading = Reading(fields=("translation.en", "translation.de"))
    inside = b'{"translation": {"en": "b"}, "n": 2}'
    content = b'{"id": 1, "translation": {"en": "a", "de": "x"}}\n' + inside
    found = parts_of(jsonl, content, reading)
    assert [(entry.source, entry.target) for entry in found] == [(["a"], ["x"]), (["b"], [""])]
    assert filled(found).endswith(b'\n{"translation": {"en": "b", "de": "<b>"}, "n": 2}')
    (empty,) = parts_of(jsonl, b'{"en": "a", "t": {}}', Reading(fields=("en", "t.de")))
    assert empty.reason == "field 't.de' would stand in an object that is empty"
    (bad,) = parts_of(jsonl, b'{"translation": "a"}', reading)
    assert bad.reason == "no field 'translation.en'; there are translation"


BAD = {
    b"a\tb": "not a JSON object: a brace is missing at character 1",
    b"[1]": "a brace is missing",
    b"{": "a name in quotes is missing at character 2",
    b'{"source": "a"': "a comma or a closing brace is missing",
    b'{"source": "a"} x': "the end of the line is missing",
    b'{"source": "a",}': "a comma or a closing brace is missing",
    b'{"source" "a"}': "a colon is missing",
    b'{"source": nothing}': "Expecting value",
    b'{"source": 3}': "field 'source' is 3, not a text",
    b'{"sauce": "a"}': "no field 'source'; there are sauce",
    b"{}": "no field 'source'; there are none",
    b'{"source": "a", "source": "b"}': "field 'source' stands there twice",
    b'{"source": "a", "target": ["x"]}': "field 'target' is [\"x\"], not a text",
    b'{"source": ' + b"[" * 100_000 + b"}": "",
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:20].decode())
def test_an_object_that_cannot_be_read_is_named_and_left_as_it_is(line):
    content = b'{"source": "a"}\n' + line + b"\n"
    (_, bad) = found = parts_of(jsonl, content)
    assert isinstance(bad, Bad)
    assert bad.line == 2
    assert BAD[line] in bad.reason
    assert filled(found).endswith(b"\n" + line + b"\n")


def test_a_bad_entry_is_refused_or_dropped_as_the_recipe_says(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b'{"source": "a", "target": "x"}\nnone\n{"source": "b", "target": "y"}\n')
    with pytest.raises(CorpusError, match=r"pairs\.jsonl, line 2: not a JSON object.*bad = "):
        list(read_pairs([path]))
    told: list[str] = []
    assert list(read_pairs([path], Reading(bad="drop"), told.append)) == [("a", "x"), ("b", "y")]
    assert told == [f"{path}: entries that cannot be read and were dropped: 1 (the first: line 2)"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(
    st.dictionaries(st.text(max_size=4), VALUES, max_size=4),
    st.text(min_size=1, max_size=9),
    st.booleans(),
)
def test_what_is_filled_is_what_json_reads(others, source, ascii_only):
    line = json.dumps({**others, "source": source, "target": None}, ensure_ascii=ascii_only)
    (entry,) = parts_of(jsonl, line.encode(errors="replace"))
    again = json.loads(entry.filled(["translated\n"]))
    assert again == json.loads(line.encode(errors="replace")) | {"target": "translated\n"}
