"""files -> pairs -> examples, and what became of each pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.data.pairs import Pair, Ragged, encode, read_pairs
from regard.errors import CorpusError
from regard.text.pieces import EOS, Pieces

PIECES = Pieces.learn(["a b c d e f g"], size=300)


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


@pytest.mark.parametrize("blank", ["", " ", "\t", "\x00", "\u3000\u2028"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_a_blank_side_never_becomes_an_example(blank, side):
    pair = Pair("a", "b")
    examples, report = encode(
        [pair, pair._replace(**{side: blank})], PIECES, PIECES, longest=9, ratio=9.0
    )
    assert len(examples) == 1
    assert (report.total, report.used, report.empty, report.dropped) == (2, 1, 1, 1)


def test_pairs_too_long_or_too_uneven_are_left_out_and_counted():
    words = {n: " ".join("abcdefg"[i % 7] for i in range(n)) for n in (1, 2, 3, 4, 5, 6)}
    lengths = {n: len(PIECES.split(text)) for n, text in words.items()}
    cases = [(1, 1), (1, 3), (5, 5), (6, 6), (4, 2), (2, 5), (6, 1)]
    longest, ratio = lengths[5] + 1, 2.0  # a piece more than five words have, for EOS
    _, report = encode(
        [Pair(words[s], words[t]) for s, t in cases], PIECES, PIECES, longest=longest, ratio=ratio
    )
    long = [(s, t) for s, t in cases if max(lengths[s], lengths[t]) + 1 > longest]
    uneven = [
        (s, t) for s, t in cases
        if (s, t) not in long and max(lengths[s], lengths[t]) > 2 * min(lengths[s], lengths[t])
    ]  # fmt: skip
    assert (long, uneven) == ([(6, 6), (6, 1)], [(1, 3), (2, 5)])
    assert (report.too_long, report.too_uneven, report.used) == (2, 2, 3)
    assert "3 of 7 pairs used" in str(report)


SIDE = st.text("abcxyz \x00\u2028猫", max_size=30)


@given(st.lists(st.builds(Pair, SIDE, SIDE), max_size=20), st.integers(2, 20), st.floats(1, 5))
def test_used_and_dropped_add_up_to_the_total(pairs, longest, ratio):
    try:
        examples, report = encode(pairs, PIECES, PIECES, longest=longest, ratio=ratio)
    except CorpusError as error:
        assert f"0 of {len(pairs)} pairs used" in str(error)  # noqa: PT017
        return
    assert report.used + report.dropped == report.total == len(pairs)
    assert report.used == len(examples) == len(examples.target)
    for side in (examples.source, examples.target):
        assert side.lengths.max() <= longest
        assert all(side[row][-1] == EOS for row in range(len(side)))
    kept = iter(zip(examples.source.lengths - 1, examples.target.lengths - 1, strict=True))
    for shorter, longer in map(sorted, kept):
        assert 1 <= shorter <= longer <= ratio * shorter


@given(st.lists(st.lists(st.integers(0, 2**31 - 1), max_size=7), max_size=11))
def test_rows_packed_into_one_array_come_back(rows):
    ragged = Ragged.of(rows)
    assert [ragged[row].tolist() for row in range(len(ragged))] == rows
    assert ragged.lengths.tolist() == [len(row) for row in rows]
    assert ragged.values.dtype == np.int32
