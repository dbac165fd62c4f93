"""SRT: numbers and times stay byte for byte; no text is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_parts import filled, parts_of, raw

from regard.data.pairs import read_pairs
from regard.data.shapes import Entry, Reading
from regard.data.shapes.subtitles import srt
from regard.errors import CorpusError
from regard.text.codes import plain

SRT = """1
00:00:01,000 --> 00:00:02,500
The cat sleeps on
the old mat.

2
00:00:03.000 --> 00:00:04,000 X1:1
- Who is it?
- A dog

after a blank line

00:00:05,000 --> 00:00:06,000
<i>no number</i>


4
00:00:07,000 --> 00:00:08,000

5
00:00:09,000 --> 00:00:10,000
1984
was a year
"""
ENTRIES = [
    (3, "The cat sleeps on the old mat."), (8, "Who is it?"), (9, "A dog"),
    (11, "after a blank line"), (14, "<i>no number</i>"), (22, "1984 was a year"),
]  # fmt: skip


def entries(parts):
    return [(part.line, plain(part.source)) for part in parts if isinstance(part, Entry)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n\n"])
@pytest.mark.parametrize("last", ["\n", "", "\n\n\n"])
def test_every_text_is_found_and_the_rest_stays(end, before, last):
    content = (before + SRT.rstrip() + last).replace("\n", end).encode()
    parts = parts_of(srt, content)
    assert raw(parts) == content
    blank = before.count("\n")
    assert entries(parts) == [(line + blank, text) for line, text in ENTRIES]
    out = filled(parts, "()").decode()
    assert out.count(end) == content.decode().count(end)
    rows = [
        (a, b) for a, b in zip(content.decode().split(end), out.split(end), strict=True) if a != b
    ]
    assert rows == [
        ("The cat sleeps on", "(The cat sleeps"), ("the old mat.", "on the old mat.)"),
        ("- Who is it?", "- (Who is it?)"), ("- A dog", "- (A dog)"),
        ("after a blank line", "(after a blank line)"), ("<i>no number</i>", "(<i>no number</i>)"),
        ("1984", "(1984 was"), ("was a year", "a year)"),
    ]  # fmt: skip


@pytest.mark.parametrize("content", ["just text\n", "1\nno times\n"])
def test_what_is_no_srt_is_refused(content):
    with pytest.raises(CorpusError, match="t, line 1: text before any time"):
        parts_of(srt, content.encode())


ROWS = st.sampled_from(
    ["1", " ", "\n", "-", "ab", "→", "<i", ">", "\r", "00:00:01,000 --> 00:00:02"]
)


@given(st.lists(ROWS, max_size=20).map("".join))
def test_the_parts_are_the_file_whatever_it_holds(text):
    content = ("00:00:00,000 --> 00:00:00,500\n" + text).encode()
    assert raw(parts_of(srt, content)) == content


def test_two_files_go_together_by_their_times(tmp_path):
    source, target = tmp_path / "film.en.srt", tmp_path / "film.de.srt"
    source.write_text(SRT)
    target.write_text(
        "1\n00:00:01,100 --> 00:00:02,500\n<i>Die Katze</i>\nschläft.\n\n"
        "2\n00:00:05,000 --> 00:00:06,000\nohne Nummer\n\n"
        "3\n00:00:08,500 --> 00:00:08,900\nnur hier\n\n"
        "4\n00:00:09,000 --> 00:00:10,000\n1984 war ein Jahr\n",
        encoding="utf-8",
    )
    told: list[str] = []
    found = list(read_pairs([source, target], Reading(bad="drop"), told.append))
    assert found == [
        ("The cat sleeps on the old mat.", "Die Katze schläft."),
        ("no number", "ohne Nummer"),
        ("1984 was a year", "1984 war ein Jahr"),
    ]
    assert told == [
        f"{source}: entries that cannot be read and were dropped: 1 (the first: line 7)",
        f"{target}: entries that cannot be read and were dropped: 1 (the first: line 11)",
    ]
    (tmp_path / "lines.de").write_text("Die Katze\n")
    for alone in ([source], [source, tmp_path / "lines.de"]):
        with pytest.raises(
            CorpusError, match=r"film\.en\.srt has no target|lines\.de, line 1: text"
        ):
            list(read_pairs(alone))
    with pytest.raises(CorpusError, match=r"film\.en\.srt, line 7: nothing in .*film\.de\.srt is"):
        list(read_pairs([source, target]))
