"""files -> pairs."""

import pytest

from regard.data.pairs import read_pairs
from regard.errors import CorpusError


def write(path, content: bytes):
    path.write_bytes(content)
    return path


def test_two_files_are_read_line_by_line(tmp_path):
    source = write(tmp_path / "en", "a\u2028b\n\r\nc".encode())
    target = write(tmp_path / "de", b"x\ny\r\nz\n")
    assert list(read_pairs([source, target])) == [("a\u2028b", "x"), ("", "y"), ("c", "z")]


def test_of_a_tab_separated_line_the_first_two_columns_are_taken(tmp_path):
    tsv = write(tmp_path / "tsv", b"a\tx\nb\ty\tother\t\nno tab\n\tz\nc\t\n\n")
    assert list(read_pairs([tsv])) == [
        ("a", "x"), ("b", "y"), ("no tab", ""), ("", "z"), ("c", ""), ("", "")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "target", "longer", "counts"),
    [(b"1\n2\n3\n", b"1\n2\n", "en", (3, 2)), (b"1\n", b"1\n2\n3\n4", "de", (4, 1)),
     (b"", b"1\n", "de", (1, 0)), (b"1\n\n", b"1\n", "en", (2, 1))],
)  # fmt: skip
def test_files_of_unequal_length_are_refused_with_both_counts(
    tmp_path, source, target, longer, counts
):
    paths = [write(tmp_path / "en", source), write(tmp_path / "de", target)]
    shorter = "de" if longer == "en" else "en"
    expected = (
        f"{longer} has {counts[0]} lines but .*{shorter} has {counts[1]};"
        f".* at or before line {counts[1] + 1}$"
    )
    with pytest.raises(CorpusError, match=expected):
        list(read_pairs(paths))


def test_a_byte_that_is_not_utf8_is_named_with_its_file(tmp_path):
    paths = [write(tmp_path / "en", b"a\nb\n"), write(tmp_path / "de", b"x\n\xff\n")]
    with pytest.raises(CorpusError, match="de, line 2, byte 1: 0xff"):
        list(read_pairs(paths))
