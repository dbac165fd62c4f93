"""regard translate: a file in some shape comes out as it went in, its translations filled in."""

import gzip
import json
import shutil
import subprocess

import pytest
from backports import zstd
from lxml import etree

from regard.commands import run

PO = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

# a note
#, c-format
msgid "the cat sleeps\\n"
msgstr ""

msgid "the dog runs"
msgstr "Hund läuft"

msgid "%d"
msgstr ""
"""
SRT = "1\r\n00:00:01,000 --> 00:00:02,000\r\nthe cat\r\nsleeps\r\n\r\n"
XLIFF = (
    '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u"><segment>'
    "<source>the cat <pc id='1'>sleeps</pc></source></segment></unit></file></xliff>"
)
TMX = '<tmx><body><tu><tuv xml:lang="en"><seg>the cat sleeps</seg></tuv></tu></body></tmx>'


@pytest.fixture
def filled(tiny_run, tmp_path, monkeypatch, capsys):
    """A file of that name and content through the program, and what it said."""
    monkeypatch.chdir(tmp_path)

    def through(name: str, content: str, *options: str) -> tuple[str, str]:
        (tmp_path / name).write_bytes(content.encode())
        out = f"out-{name}"
        code = run(["translate", str(tiny_run), "--input", name, "--output", out, *options])
        said = capsys.readouterr().err
        assert code == 0, said
        return (tmp_path / out).read_bytes().decode(), said

    return through


def test_a_catalogue(filled, tmp_path):
    out, said = filled("a.po", PO)
    assert out == PO.replace(
        '#, c-format\nmsgid "the cat sleeps\\n"\nmsgstr ""',
        '#, fuzzy, c-format\nmsgid "the cat sleeps\\n"\nmsgstr "Katze schläft\\n"',
    ).replace('msgid "%d"\nmsgstr ""', '#, fuzzy\nmsgid "%d"\nmsgstr "%d"')
    assert said == "regard: a.po: 2 texts translated; 1 had a translation and keep it\n"
    if shutil.which("msgfmt"):
        subprocess.run(
            ["msgfmt", "--use-fuzzy", "-o", "out.mo", "out-a.po"], check=True, cwd=tmp_path
        )


def test_subtitles(filled):
    out, _ = filled("a.srt", SRT)
    assert out == SRT.replace("the cat\r\nsleeps", "Katze\r\nschläft")


def test_an_xliff(filled):
    out, _ = filled("a.xlf", XLIFF)
    target = '<target>Katze <pc id="1">schläft</pc></target>'.replace('"', "'")
    assert out == XLIFF.replace("</source>", f"</source>{target}")
    assert etree.fromstring(out.encode()) is not None


def test_a_memory_in_the_languages_that_are_said(filled):
    out, _ = filled("a.tmx", TMX, "--languages", "en", "de")
    target = '<tuv xml:lang="de"><seg>Katze schläft</seg></tuv>'
    assert out == TMX.replace("</tu>", f"{target}</tu>")


def test_tables(filled):
    out, _ = filled("a.tsv", "the cat sleeps\nthe dog\tHund\n\n")
    assert out == "the cat sleeps\tKatze schläft\nthe dog\tHund\n\n"
    out, _ = filled("a.jsonl", '{"en": "the cat sleeps"}\nno\n', "--fields", "en", "de")
    assert out == '{"en": "the cat sleeps", "de": "Katze schläft"}\nno\n'


def test_an_entry_that_cannot_be_read_is_named(filled):
    _, said = filled("a.jsonl", '{"source": "the cat"}\nno\n')
    assert "1 of the lines held an entry that cannot be read, which stays as it is: 2\n" in said


def test_lost_placeholders_are_put_back_and_named(filled):
    out, said = filled("a.jsonl", '{"source": "the cat %s sleeps {n}"}')
    assert sorted(w for w in json.loads(out)["target"].split() if w in ("%s", "{n}")) == [
        "%s", "{n}"
    ]  # fmt: skip
    assert "1 of the lines had lost placeholders" in said


@pytest.mark.parametrize(
    ("name", "unpack"), [("a.gz", gzip.decompress), ("a.zst", zstd.decompress)]
)
def test_what_is_compressed_comes_out_compressed(tiny_run, tmp_path, monkeypatch, name, unpack):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.srt.gz").write_bytes(gzip.compress(SRT.encode()))
    assert run(["translate", str(tiny_run), "--input", "in.srt.gz", "--output", name]) == 0
    assert b"Katze\r\n" in unpack((tmp_path / name).read_bytes())


def test_lines_keep_their_byte_order_mark_and_what_is_odd_is_said_once(filled):
    out, said = filled("a.txt", "\ufeffthe ca\u00adt sleeps\r\nthe\u200b dog runs\r\n")
    assert out.startswith("\ufeffKatze schläft\r\n")
    assert said == (
        "regard: a.txt: texts with characters that nobody sees, nor the model: 2"
        " (the first: line 1)\n"
    )


def test_a_line_longer_than_what_was_learnt_is_named(filled):
    out, said = filled("a.txt", "the cat sleeps. " * 20 + "\nthe cat\n")
    assert out.count("\n") == 2
    assert out.count("Katze") >= 20
    assert "1 of the lines were longer than what the model has learnt from" in said


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("a.mo", b"", (), "a.mo is compiled; translate the .po file that it was made from"),
        ("a.tmx", TMX.encode(), (), "a.tmx may have many languages; name two"),
        ("a.tmx", TMX.encode(), ("--languages", "fr", "de"), "a.tmx has no text in 'fr'"),
        ("a.tmx", TMX.encode(), ("--languages", "en", "en"), "languages must name"),
        ("a.po", b'msgid "\xff"\nmsgstr ""\n', (), "a.po, line 1, byte 8: 0xff is not UTF-8"),
        ("a.txt", b"caf\xe9\n", (), "a.txt, line 1, byte 4"),
        ("a.txt.gz", b"the cat\n", (), "a.txt.gz is not whole gz data"),
        ("a.txt", "the cat\n".encode("utf-16"), (), "a.txt is UTF-16, not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(
    tiny_run, tmp_path, monkeypatch, capsys, name, content, options, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    assert run(["translate", str(tiny_run), "--input", name, "--output", "out", *options]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_bytes_that_are_not_utf8_are_replaced_where_asked(tiny_run, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_bytes(b"the cat\n\xff\xff sleeps\n")
    assert run(["translate", str(tiny_run), "--input", "a", "--invalid", "replace"]) == 0
    found = capsys.readouterr()
    assert found.out.count("\n") == 2
    assert "a: lines with bytes that are not UTF-8, read as U+FFFD: 1" in found.err
