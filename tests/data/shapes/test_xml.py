"""TMX and XLIFF: against another reader; tricks of XML; bytes that stay."""

import io
import re
import tracemalloc
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from shape_parts import filled, parts_of, raw

from regard.data.pairs import read_pairs
from regard.data.shapes import Entry, Reading
from regard.data.shapes.tmx import tmx
from regard.data.shapes.xliff import xliff
from regard.data.shapes.xml import DEEPEST
from regard.errors import CorpusError
from regard.text.codes import plain

EN_DE = Reading(languages=("en", "de"))
TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<!-- a <tu> in a comment -->
<tmx version="1.4">
  <header srclang="en" adminlang="a>b"/>
  <body>
    <tu tuid="1">
      <note>x</note>
      <tuv xml:lang="EN-us"><seg>Hi <bpt i="1">&lt;b></bpt>you<ept i="1">&lt;/b></ept> &amp; <hi>me</hi><ph/></seg></tuv>
      <tuv xml:lang="fr"><seg>Salut</seg></tuv>
      <tuv xml:lang="de"><seg>Hallö<![CDATA[ <du>]]></seg></tuv>
    </tu>
    <tu><tuv xml:lang="en"><seg>one</seg></tuv><tuv xml:lang="fr"><seg>un</seg></tuv></tu>
    <tu>
      <tuv xml:lang='en' note="a>b" ><seg>two</seg></tuv>
      <tuv xml:lang='de'><seg/></tuv>
    </tu>
    <tu><tuv lang="fr"><seg>trois</seg></tuv></tu>
  </body>
</tmx>
"""  # noqa: E501
XLIFF1 = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="x" source-language="en-US" target-language="de" datatype="plaintext">
  <body>
   <trans-unit id="1">
    <source>Hi <g id="1">you</g> <x id="2"/>!</source>
   </trans-unit>
   <trans-unit id="2"><source>two</source><target state="final">zwei</target></trans-unit>
   <trans-unit id="3"><source>three</source><target state="new">three</target></trans-unit>
   <trans-unit id="4" translate="no"><source>four</source></trans-unit>
   <group translate="no"><trans-unit id="5"><source>five</source></trans-unit>
   <trans-unit id="6" translate="yes"><source>six</source><target/>
    <alt-trans><source>other</source><target>andere</target></alt-trans></trans-unit></group>
  </body>
 </file>
</xliff>
"""
XLIFF2 = """<xliff version="2.0" srcLang="en" trgLang="de"
 xmlns="urn:oasis:names:tc:xliff:document:2.0">
 <file id="f">
  <unit id="1">
   <segment id="s1"><source>One <pc id="1">bold</pc>.</source></segment>
   <ignorable><source> </source></ignorable>
   <segment id="s2" state="final"><source>Two.</source><target>Zwei.</target></segment>
  </unit>
  <unit id="2" translate="no"><segment><source>Three</source></segment></unit>
 </file>
</xliff>
"""


def pairs(parts):
    return [(plain(p.source), plain(p.target)) for p in parts if isinstance(p, Entry)]


@pytest.mark.parametrize(
    ("shape", "content"), [(tmx, TMX), (xliff, XLIFF1), (xliff, XLIFF2)], ids=["tmx", "1.2", "2.0"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_its_parts_are_the_file_and_what_is_filled_is_xml(shape, content, encoding, end):
    if encoding == "iso-8859-1":
        content = f'<?xml version="1.0" encoding="{encoding}"?>' + re.sub(
            r"^<\?.*?\?>", "", content
        )
    elif encoding == "utf-16":
        content = content.replace(' encoding="UTF-8"', "")
    raw_content = content.replace("\n", end).encode(encoding)
    parts = parts_of(shape, raw_content, EN_DE)
    assert raw(parts) == raw_content
    expected = etree.fromstring(raw_content)
    found = etree.fromstring(filled(parts))
    sources = [
        ["".join(e.itertext()) for e in tree.iter("{*}source")] for tree in (expected, found)
    ]
    assert sources[0] == sources[1]


def test_what_calls_itself_utf16_and_is_not_is_read():
    content = TMX.replace("UTF-8", "UTF-16").encode()
    assert len(pairs(parts_of(tmx, content, EN_DE))) == 3
    assert raw(parts_of(tmx, content, EN_DE)) == content


def test_what_xml_cannot_hold_is_never_written():
    (entry, *_) = [part for part in parts_of(tmx, TMX.encode(), EN_DE) if isinstance(part, Entry)]
    etree.fromstring(b"<tmx>" + entry.filled(["a\x02\uffffb]]>"]) + b"</tmx>")


def test_a_memorys_languages_are_found_as_another_reader_finds_them():
    from translate.storage import tmx as other

    store = other.tmxfile(io.BytesIO(TMX.encode()), sourcelanguage="en", targetlanguage="de")
    expected = [(unit.source, unit.target or "") for unit in store.units if unit.source]
    found = pairs(parts_of(tmx, TMX.encode(), EN_DE))
    assert found == [("Hi you & me", "Hallö <du>"), ("one", ""), ("two", "")]
    assert [target for _, target in found] == [target for _, target in expected]
    assert found[1:] == expected[1:]  # the other one has what stands inside <bpt> in its text


def test_a_memory_gets_what_it_lacks_and_nothing_else():
    out = filled(parts_of(tmx, TMX.encode(), EN_DE)).decode()
    added = '<tuv xml:lang="de"><seg>&lt;one&gt;</seg></tuv>'
    assert added in out
    assert "<tuv xml:lang='de'><seg>&lt;two&gt;</seg></tuv>" in out
    assert out.replace(added, "").replace("<seg>&lt;two&gt;</seg>", "<seg/>") == TMX


def test_a_memory_in_other_languages_is_refused():
    with pytest.raises(CorpusError, match=r"t has no text in 'sv'; it has EN-us, de, en, fr"):
        parts_of(tmx, TMX.encode(), Reading(languages=("sv", "de")))
    with pytest.raises(CorpusError, match="name two"):
        parts_of(tmx, TMX.encode())


@pytest.mark.parametrize("content", [XLIFF1, XLIFF2])
def test_units_are_found_as_another_reader_finds_them(content):
    from translate.storage import xliff as first
    from translate.storage import xliff2 as second

    kind = first.xlifffile if content is XLIFF1 else second.Xliff2File
    units = kind(io.BytesIO(content.encode())).units
    found = parts_of(xliff, content.encode())
    if content is XLIFF1:
        expected = {unit.source for unit in units if unit.istranslatable()} | {"six"}
        assert {source for source, _ in pairs(found)} == expected - {"five"}  # which is in a group
    else:
        assert pairs(found) == [("One bold.", ""), ("Two.", "Zwei.")]


def test_targets_are_filled_with_their_inline_elements_and_marked():
    out = filled(parts_of(xliff, XLIFF1.encode())).decode()
    mark = 'state="needs-review-translation" state-qualifier="leveraged-mt"'
    for added in (
        f'\n    <target {mark}>&lt;Hi <g id="1">you</g> <x id="2"/>!&gt;</target>',
        f"<target {mark}>&lt;three&gt;</target>",
        f"<target {mark}>&lt;six&gt;</target>",
    ):
        assert out.count(added) == 1
        old = '<target state="new">three</target>' if "three" in added else "<target/>"
        out = out.replace(added, "" if "Hi" in added else old)
    assert out == XLIFF1
    out = filled(parts_of(xliff, XLIFF2.encode())).decode()
    assert out.replace('<target>&lt;One <pc id="1">bold</pc>.&gt;</target>', "") == XLIFF2


def test_a_file_of_version_2_must_say_its_target_language():
    parts = parts_of(xliff, XLIFF2.replace(' trgLang="de"', "").encode())
    with pytest.raises(CorpusError, match=r't, line 1: .*give <xliff> a trgLang="\.\.\."'):
        filled(parts)


def test_units_in_other_languages_are_left_out():
    assert not pairs(parts_of(xliff, XLIFF1.encode(), Reading(languages=("en", "fr"))))
    assert pairs(parts_of(xliff, XLIFF1.encode(), Reading(languages=("en", "de-AT"))))


ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE tmx [<!ENTITY x {}>]>
<tmx version="1.4"><header/><body>
<tu><tuv xml:lang="en"><seg>a&x;</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu>
</body></tmx>"""


@pytest.mark.parametrize("what", ['"y"', 'SYSTEM "file:///etc/passwd"', '"&x;&x;"'])
def test_entities_of_a_files_own_are_refused(what):
    with pytest.raises(CorpusError, match=r"t, line 2: entity 'x'.* refused"):
        parts_of(tmx, ENTITIES.format(what).encode(), EN_DE)


def test_an_entity_that_is_declared_elsewhere_is_not_silently_nothing():
    content = TMX.replace("two", "two&nbsp;")
    with pytest.raises(CorpusError, match="t, line 15: entity 'nbsp'"):
        parts_of(tmx, content.encode(), EN_DE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TMX[:600], r"t, line \d+: not XML: (no element found|unclosed)"),
        (TMX[:-3], "not XML: unclosed token"),
        (TMX.replace("</tuv>", "</tu>", 1), "t, line 9: not XML: mismatched tag"),
        (TMX.replace("two", "\x02"), "t, line 15: not XML: not well-formed"),
        (TMX.replace("two", "&#x2;"), "t, line 15: not XML: reference to invalid character"),
        (TMX.replace("UTF-8", "latin-99"), "t, line 1: encoding 'latin-99' is not known"),
        (TMX.replace("UTF-8", "rot13"), "t, line 1: encoding 'rot13' is not known"),
        (TMX.replace("UTF-8", "idna"), "t, line 1: encoding 'idna' is not known"),
        ("", "t, line 1: not XML: no element found"),
        ("hello", "t, line 1: not XML: syntax error"),
        (TMX.replace("two", "<hi>" * 200 + "</hi>" * 200), f"more than {DEEPEST} elements inside"),
    ],
)
def test_what_is_no_xml_is_refused_with_its_line(content, message):
    for reading in (EN_DE, Reading(languages=("en", "de"), bad="drop")):
        if "\x02" in content or "#x2" in content:
            reading = EN_DE
        with pytest.raises(CorpusError, match=message):
            parts_of(tmx, content.encode(), reading)


def test_bytes_that_are_not_what_it_says_are_refused():
    content = TMX.encode().replace(b"two", b"\xff")
    with pytest.raises(CorpusError, match="t, line 15: 0xff is not UTF-8"):
        parts_of(tmx, content, EN_DE)
    reading = Reading(languages=("en", "de"), invalid="replace")
    assert ("\ufffd", "") in pairs(parts_of(tmx, content, reading))


@pytest.mark.parametrize("bad", ["\x02", "&#2;", "&#x1F;", "\x00"])
def test_a_character_that_xml_forbids_loses_its_entry_only(tmp_path, bad):
    path = tmp_path / "memory.tmx"
    path.write_text(
        TMX.replace("Hallö", f"Hallö{bad}").replace("<seg/>", "<seg>zwei</seg>"), "utf-8"
    )
    told: list[str] = []
    reading = Reading(languages=("en", "de"), bad="drop")
    assert list(read_pairs([path], reading, told.append)) == [("two", "zwei")]
    assert "entries that cannot be read and were dropped: 1 (the first: line 7)" in told[0]
    with pytest.raises(CorpusError, match="line 11"):
        list(read_pairs([path], EN_DE))


TEXT = st.text(st.sampled_from("<>&\"' äb]") | st.characters(codec="utf-8"), max_size=9)


@given(
    st.lists(TEXT.map(lambda t: re.sub("[\x00-\x1f\ufffe\uffff]", "", t)), max_size=5),
    st.integers(1, 9),
)
def test_any_text_is_read_as_another_parser_reads_it(texts, block):
    root = etree.Element("tmx")
    for text in texts:
        tu = etree.SubElement(root, "tu")
        for language in ("en", "de"):
            tuv = etree.SubElement(tu, "tuv", lang=language)
            etree.SubElement(tuv, "seg").text = text
    content = etree.tostring(root)
    assert pairs(parts_of(tmx, content, EN_DE)) == [(text, text) for text in texts]


class Memory(io.BufferedIOBase):
    """A translation memory of any size, made as it is read."""

    def __init__(self, units: int):
        sides = ('<tuv lang="en"><seg>a {0}</seg></tuv>', '<tuv lang="de"><seg>x {0}</seg></tuv>')
        unit = f"<tu>{''.join(sides)}</tu>\n"
        many = (unit.format(n) * 100 for n in range(units // 100))
        self.pieces = chain(["<tmx>"], many, ["</tmx>"])

    def read(self, size=-1, /):
        return next(self.pieces, "").encode()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file():
    from regard.text.noticed import Noticed

    peaks = []
    for units in (2_000, 20_000):
        tracemalloc.start()
        parts = tmx(Memory(units), "t", EN_DE, Noticed("t"))
        assert sum(isinstance(part, Entry) for part in parts) == units
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 300_000
