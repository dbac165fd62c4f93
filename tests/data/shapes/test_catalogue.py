"""PO and MO: against gettext's own programs and modules, and another reader."""

import gettext
import io
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_parts import filled, parts_of, raw

from regard.data.pairs import read_pairs
from regard.data.shapes import Bad, Entry, Reading
from regard.data.shapes.catalogue import mo, po
from regard.errors import CorpusError
from regard.text.codes import plain

HEADER = r"""# Somebody <somebody@example.org>, 2026
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n==1?0:n==2?1:2);\n"

"""
CATALOGUE = (
    HEADER
    + r"""#. for the menu
#: menu.c:3
#, c-format
msgid "Open %s"
msgstr "Öffne %s"

#: menu.c:4
#, c-format
msgctxt "a verb"
msgid "Close %s"
msgstr ""

#, fuzzy
msgid "almost"
msgstr "beinahe"

msgid ""
"first line\n"
"second \"line\"\t\\ \303\244\n"
msgstr ""
#| msgid "a bird"
msgid "one bird"
msgid_plural "%d birds"
msgstr[0] ""
msgstr[1] ""

#~ msgid "gone"
#~ msgstr "weg"
"""
).encode()


def checked(content: bytes) -> str:
    """What gettext's own compiler makes of a catalogue, fuzzy entries too."""
    if not shutil.which("msgfmt"):
        pytest.skip("there is no msgfmt here")
    done = subprocess.run(
        ["msgfmt", "--check", "--use-fuzzy", "--statistics", "-o", "-", "-"],
        input=content, check=False, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


def strings(text):
    return getattr(text, "strings", [text])


def entries(parts):
    return [part for part in parts if isinstance(part, Entry)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_its_parts_are_the_file(end, mark):
    content = mark.encode() + CATALOGUE.replace(b"\n", end.encode())
    found = parts_of(po, content)
    assert raw(found) == content
    assert not any(isinstance(part, Bad) for part in found)


def test_entries_are_read_as_another_reader_reads_them():
    from translate.storage import pypo

    content = CATALOGUE.replace(rb"\303\244", "ä".encode())  # which the other one cannot read
    expected = [
        (str(source), str(target))
        for unit in pypo.pofile(io.BytesIO(content)).units
        if not (unit.isheader() or unit.isfuzzy() or unit.isobsolete())
        for source, target in zip(strings(unit.source), strings(unit.target), strict=False)
    ]
    found = [(plain(e.source), plain(e.target)) for e in entries(parts_of(po, CATALOGUE))]
    assert found == [*expected, ("%d birds", "")]  # and the third plural, which is not there yet


def test_only_translations_and_their_mark_are_written():
    out = filled(parts_of(po, CATALOGUE)).decode().splitlines()
    before = CATALOGUE.decode().splitlines()
    new = [line for line in out if line not in before]
    assert new == [
        "#, fuzzy, c-format",
        'msgstr "<Close %s>"',
        r'"<first line\n"',
        r'"second \"line\"\t\\ ä\n"',
        '">"',
        'msgstr[0] "<one bird>"',
        'msgstr[1] "<%d birds>"',
        'msgstr[2] "<%d birds>"',
    ]
    assert [line for line in before if line not in out] == ['msgstr[0] ""', 'msgstr[1] ""']
    assert out.count("#, fuzzy") == 3


def test_the_result_passes_the_formats_own_checker():
    def kept(parts):
        for part in parts:
            empty = isinstance(part, Entry) and part.source and not plain(part.target)
            yield part.filled(part.source) if empty else getattr(part, "raw", part)

    assert "3 untranslated" in checked(CATALOGUE)
    said = checked(b"".join(kept(parts_of(po, CATALOGUE))))
    assert said.splitlines()[-1] == "1 translated message, 4 fuzzy translations."


@pytest.mark.parametrize("plurals", [1, 2, 4])
def test_there_are_as_many_plurals_as_the_header_says(plurals):
    header = HEADER.replace("nplurals=3", f"nplurals={plurals}").replace("(n==1?0:n==2?1:2)", "0")
    empty = b'msgid "one bird"\nmsgid_plural "%d birds"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    out = filled(parts_of(po, header.encode() + empty))
    assert out.count(b"msgstr[") == plurals
    assert checked(out).splitlines()[-1] == "0 translated messages, 1 fuzzy translation."


def test_a_template_says_its_charset_once_it_is_filled():
    template = CATALOGUE.replace(b"UTF-8", b"CHARSET")
    assert b"charset=UTF-8" in filled(parts_of(po, template))


@pytest.mark.parametrize("charset", ["ISO-8859-1", "EUC-JP", "SHIFT_JIS", "KOI8-R"])
def test_another_charset_is_read_and_written(charset):
    word = {"ISO-8859-1": "schön", "KOI8-R": "да"}.get(charset, "表示")
    text = HEADER.replace("UTF-8", charset) + f'msgid "{word}"\nmsgstr ""\n'
    content = text.encode(charset)
    found = parts_of(po, content)
    assert raw(found) == content
    assert [entry.source for entry in entries(found)] == [[word]]
    assert filled(found).decode(charset).endswith(f'#, fuzzy\nmsgid "{word}"\nmsgstr "<{word}>"\n')


def test_what_a_charset_cannot_write_is_said():
    content = HEADER.replace("UTF-8", "ISO-8859-1").encode() + b'msgid "a"\nmsgstr ""\n'
    (entry,) = entries(parts_of(po, content))
    with pytest.raises(CorpusError, match=r"ISO8859-1, which cannot write 'ł' .* msgconv -t UTF-8"):
        entry.filled(["ł"])


@pytest.mark.parametrize("charset", ["nonsense", "hex", "unicode_escape"])
def test_a_charset_that_is_none_is_refused(charset):
    content = HEADER.replace("UTF-8", charset).encode()
    with pytest.raises(CorpusError, match=f"t: encoding '{charset}' is not known"):
        parts_of(po, content)


def test_bytes_that_are_not_what_it_says_are_refused_with_their_place():
    content = HEADER.encode() + b'msgid "caf\xe9"\nmsgstr ""\n'
    with pytest.raises(CorpusError, match="t, line 7, byte 11: 0xe9 is not UTF-8"):
        parts_of(po, content)
    found = parts_of(po, content, Reading(invalid="replace"))
    assert raw(found) == content


BAD = {
    'msgid "a\nmsgstr ""\n': "no keyword with a text in quotes",
    'msgid "a"\n': "does the file break off?",
    'msgstr "a"\n': "does the file break off?",
    'msgid "a"\nmsgid "b"\nmsgstr ""\n': "a second msgid",
    'msgid "a"\nmsgstr ""\nnonsense\n': "no keyword",
    "nonsense\n": "no keyword",
}


@pytest.mark.parametrize("bad", BAD)
def test_an_entry_that_cannot_be_read_is_named_and_stays(bad, tmp_path):
    content = HEADER + bad + '\nmsgid "b"\nmsgstr "y"\n'
    found = parts_of(po, content.encode())
    (wrong,) = (part for part in found if isinstance(part, Bad))
    assert wrong.line == 7
    assert BAD[bad] in wrong.reason
    assert filled(found) == content.encode()
    path = tmp_path / "bad.po"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CorpusError, match=r"bad\.po, line 7: "):
        list(read_pairs([path]))
    assert list(read_pairs([path], Reading(bad="drop"))) == [("b", "y")]


TEXT = st.text(st.sampled_from('ab"\\\n\tä\r\x07 %') | st.characters(codec="utf-8"), max_size=12)


@given(TEXT.filter(str.strip), TEXT.filter(str.strip))
def test_any_text_can_be_written_and_read_again(source, target):
    (entry,) = entries(parts_of(po, HEADER.encode() + b'msgid "x"\nmsgstr ""\n'))
    again = entry.filled([target])
    (entry,) = entries(parts_of(po, (HEADER + again.decode().replace("#, fuzzy\n", "")).encode()))
    assert plain(entry.target) == target


@pytest.fixture(scope="module", params=["little", "big"])
def compiled(request):
    if not shutil.which("msgfmt"):
        pytest.skip("there is no msgfmt here")
    content = CATALOGUE.replace(b'msgstr[0] ""', b'msgstr[0] "ein \\126ogel"').replace(
        b'msgstr[1] ""', b'msgstr[1] "%d V\xc3\xb6gel"\nmsgstr[2] "%d viele"'
    )
    done = subprocess.run(
        ["msgfmt", f"--endianness={request.param}", "-o", "-", "-"],
        input=content, check=True, capture_output=True,
    )  # fmt: skip
    return done.stdout


def test_a_compiled_catalogue_is_read_as_pythons_gettext_reads_it(compiled):
    catalogue = gettext.GNUTranslations(io.BytesIO(compiled))
    found = [(plain(e.source), plain(e.target)) for e in entries(parts_of(mo, compiled))]
    assert found == [
        ("Open %s", catalogue.gettext("Open %s")),
        ("one bird", catalogue.ngettext("one bird", "%d birds", 1)),
        ("%d birds", catalogue.ngettext("one bird", "%d birds", 2)),
        ("%d birds", catalogue.ngettext("one bird", "%d birds", 3)),
    ]


def test_what_each_machine_spells_its_own_way_is_read_too():
    """msgfmt puts such strings elsewhere; msgunfmt writes them as they were."""
    entry = '#, c-format\nmsgid "%<PRIu64> of %d"\nmsgstr "%<PRIu64> von %d"\n'
    done = subprocess.run(
        ["msgfmt", "-o", "-", "-"],
        input=(HEADER + entry).encode(), check=True, capture_output=True,
    )  # fmt: skip
    (found,) = entries(parts_of(mo, done.stdout))
    assert (found.source, found.target) == (["%<PRIu64> of %d"], ["%<PRIu64> von %d"])


def test_a_compiled_catalogue_that_breaks_off_is_refused(compiled):
    for cut in (0, 3, 10, 27, 40, len(compiled) - 5):
        with pytest.raises(CorpusError, match=r"t (breaks off|is not an MO file)"):
            parts_of(mo, compiled[:cut])
