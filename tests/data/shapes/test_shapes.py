"""All shapes: the same pairs from each, mixed in one list; damage is an error, not a traceback."""

import gzip
import json
import lzma
from itertools import islice
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st
from shape_parts import parts_of, raw

from regard.data import phrasebook
from regard.data.pairs import Pair, grouped, read_pairs
from regard.data.shapes import Reading, fillable, shape_of
from regard.errors import CorpusError

PAIRS = [
    Pair(example.source, example.target)
    for example in islice(phrasebook.examples(seed=3, shortest=2, longest=9), 5)
]
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
READING = Reading(languages=("en", "de"))


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def together(before: str, entry: str, after: str) -> bytes:
    """A file with an entry for each pair; `{a}`, `{b}` as XML, `{c}`, `{d}` as they are."""
    entries = [
        entry.format(a=escape(a), b=escape(b), c=a, d=b, q=quoted(a), r=quoted(b), n=n)
        for n, (a, b) in enumerate(PAIRS)
    ]
    return (before + "".join(entries) + after).encode()


TUV = '<tuv xml:lang="{}"><seg>{{{}}}</seg></tuv>'
FILES = {
    "a.tsv": together("", "{c}\t{d}\n", ""),
    "a.jsonl": together("", '{{"en": {q}, "de": {r}}}\n', ""),
    "a.tmx": together(
        '<?xml version="1.0"?><tmx version="1.4"><header/><body>\n',
        f"<tu>{TUV.format('en', 'a')}{TUV.format('de', 'b')}</tu>\n",
        "</body></tmx>",
    ),
    "a.po": together(HEADER, 'msgctxt "{n}"\nmsgid {q}\nmsgstr {r}\n\n', ""),
    "a.xlf": together(
        '<xliff version="1.2"><file source-language="en" target-language="de"><body>\n',
        '<trans-unit id="{n}"><source>{a}</source><target>{b}</target></trans-unit>\n',
        "</body></file></xliff>",
    ),
    "b.xliff": together(
        '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u">\n',
        "<segment><source>{a}</source><target>{b}</target></segment>\n",
        "</unit></file></xliff>",
    ),
}
SIDES = {
    ("a.en", "a.de"): (together("", "{c}\n", ""), together("", "{d}\r\n", "")),
    ("a.en.srt", "a.de.srt"): tuple(
        together("", f"{{n}}\n00:00:0{{n}},000 --> 00:00:0{{n}},900\n{text}\n\n", "")
        for text in ("{c}", "{d}")
    ),
}
PACK = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstd.compress}


@pytest.mark.parametrize("packed", PACK)
def test_every_shape_gives_the_same_pairs_alone_and_mixed(tmp_path, packed):
    for name, content in FILES.items():
        (tmp_path / f"{name}{packed}").write_bytes(PACK[packed](content))
        assert list(read_pairs([tmp_path / f"{name}{packed}"], READING)) == PAIRS, name
    names = [f"{name}{packed}" for name in FILES]
    for both, contents in SIDES.items():
        for name, content in zip(both, contents, strict=True):
            (tmp_path / f"{name}{packed}").write_bytes(PACK[packed](content))
            names.append(f"{name}{packed}")
    told: list[str] = []
    paths = [tmp_path / name for name in names]
    assert list(read_pairs(paths, READING, told.append)) == PAIRS * (len(FILES) + len(SIDES))
    assert told == []


def test_files_with_both_sides_stand_alone_and_others_two_by_two():
    paths = [Path(name) for name in ("a.tmx", "a.en", "a.de.gz", "b.po.zst", "c.srt", "d.srt")]
    names = [[path.name for path in group] for group in grouped(paths)]
    assert names == [["a.tmx"], ["a.en", "a.de.gz"], ["b.po.zst"], ["c.srt", "d.srt"]]
    with pytest.raises(CorpusError, match=r"a\.en has no target"):
        grouped([Path("a.tmx"), Path("a.en")])


@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
def test_whatever_damage_there_is_no_byte_is_lost_and_no_traceback_shown(name, data):
    content = FILES[name]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))
    put = data.draw(st.binary(max_size=6) | st.sampled_from([b"<", b"&x;", b'"', b"\n", b"]]>"]))
    damaged = content[:start] + put + content[end:]
    shape = fillable(Path(name))
    assert shape is shape_of(Path(name))
    for reading in (READING, Reading(languages=("en", "de"), bad="drop")):
        try:
            parts = parts_of(shape, damaged, reading)
        except CorpusError as error:
            assert str(error).startswith(("t, line ", "t has no text"))  # noqa: PT017
        else:
            assert raw(parts) == damaged or reading.bad == "drop"
