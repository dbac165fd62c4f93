"""bytes -> lines, and back."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regard.errors import CorpusError
from regard.text.lines import Line, lines, raw_lines, read_lines
from regard.text.noticed import Noticed

NO_ENDS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\r"]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "text"


def read(path):
    with path.open("rb") as opened:
        return list(lines(opened, name=path.name))


@pytest.mark.parametrize("character", NO_ENDS, ids=ascii)
def test_only_a_line_feed_ends_a_line(file, character):
    file.write_bytes(f"a{character}b\nc\n".encode())
    assert read(file) == [Line(f"a{character}b", "\n"), Line("c", "\n")]
    assert list(read_lines(file)) == [f"a{character}b", "c"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n", [("", "\n")]),
        (b"a", [("a", "")]),
        (b"a\n\nb", [("a", "\n"), ("", "\n"), ("b", "")]),
        (b"a\r\nb\r\n", [("a", "\r\n"), ("b", "\r\n")]),
        (b"\r\n\r", [("", "\r\n"), ("\r", "")]),
        (b"a\r\r\n", [("a\r", "\r\n")]),
        (b"\x00\n", [("\x00", "\n")]),
        ("\ufeffa\n\ufeffb".encode(), [("a", "\n", "\ufeff"), ("\ufeffb", "")]),
    ],
)
def test_what_ended_a_line_travels_with_it(file, content, expected):
    file.write_bytes(content)
    assert read(file) == [Line(*line) for line in expected]


@given(st.text(st.sampled_from("\n\r\x0b\x0c\x85\u2028 aä猫😀\x00") | st.characters(codec="utf-8")))
@example("a\r\n\r\n\nb\r")
def test_lines_and_their_ends_joined_are_the_file(text):
    found = list(lines(io.BytesIO(text.encode()), name="text"))
    assert "".join(line.mark + line.text + line.end for line in found).encode() == text.encode()
    assert len(found) == text.count("\n") + (not text.endswith("\n") and text != "")
    assert all("\n" not in line.text for line in found)


@pytest.mark.parametrize(
    ("raw", "byte", "value"),
    [
        (b"caf\xe9 noir", 4, "0xe9"),
        (b"\xc0\xaf", 1, "0xc0"),
        (b"ab\xed\xa0\x80", 3, "0xed"),
        ("ä".encode() + b"\xff", 3, "0xff"),
        ("猫".encode()[:2], 1, "0xe7"),
        ("a".encode("utf-16"), 1, "0xff"),
    ],
)
def test_bytes_that_are_not_utf8_are_refused_with_their_place(file, raw, byte, value):
    file.write_bytes("gut\nschön\r\n".encode() + raw + b"\ngut\n")
    texts = read_lines(file)
    assert [next(texts), next(texts)] == ["gut", "schön"]
    with pytest.raises(CorpusError, match=f"text, line 3, byte {byte}: {value} is not UTF-8"):
        next(texts)


LIKE_UTF16 = {
    "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32",
}  # fmt: skip


@pytest.mark.parametrize(("encoding", "kind"), LIKE_UTF16.items())
def test_utf16_is_refused_with_what_to_do(file, encoding, kind):
    file.write_bytes("The cat sleeps.\nThe dog runs.\n".encode(encoding))
    with pytest.raises(CorpusError, match=f"text is {kind}, .*: iconv -f {kind} -t UTF-8 .*text"):
        read(file)


def test_bytes_that_are_not_utf8_are_replaced_where_asked_and_counted():
    noticed = Noticed("menu")
    raw = [b"caf\xe9\r\n", b"\xc0\xaf\n", b"gut\n", b"\xed\xa0\x80"]
    found = list(lines(raw, name="menu", invalid="replace", noticed=noticed))
    assert [line.text for line in found] == ["caf\ufffd", "\ufffd" * 2, "gut", "\ufffd" * 3]
    assert str(noticed) == (
        "menu: lines with bytes that are not UTF-8, read as U+FFFD: 3 (the first: line 1)"
    )


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory():
    endless = io.BufferedReader(Zeros())
    with pytest.raises(CorpusError, match="zero, line 1: more than 64 MiB without a line feed"):
        list(lines(raw_lines(endless), name="zero"))


class Zeros(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = bytes(len(buffer))
        return len(buffer)


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(CorpusError, match=f"{path} cannot be read"):
            list(read_lines(path))
    with pytest.raises(CorpusError, match="cannot be a path"):
        list(read_lines(tmp_path / "a\0b"))


def test_a_file_that_breaks_off_is_named():
    def broken():
        yield b"a\n"
        raise OSError(5, "Input/output error")

    found = lines(broken(), name="tape")
    assert next(found) == Line("a", "\n")
    with pytest.raises(CorpusError, match="tape cannot be read: Input/output error"):
        next(found)
