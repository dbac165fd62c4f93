"""pairs -> examples, and what became of each pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.data.checks import FINDINGS, Checks, HeldOut
from regard.data.encode import Encoder
from regard.data.examples import Ragged
from regard.data.pairs import Pair
from regard.text.pieces import EOS, Pieces

PIECES = Pieces.learn(["a b c d e f g"], size=300)


def encoder(**options) -> Encoder:
    return Encoder(**{"source": PIECES, "target": PIECES, "longest": 99, "ratio": 9.0, **options})


@pytest.mark.parametrize("blank", ["", " ", "\t", "\x00", "\u3000\u2028"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_a_blank_side_never_becomes_an_example(blank, side):
    pair = Pair("a", "b")
    encoded = encoder(longest=9, ratio=9.0)([pair, pair._replace(**{side: blank})])
    report = encoded.report
    assert len(encoded.examples) == 1
    assert (report.total, report.used, report.left_out["empty"], report.dropped) == (2, 1, 1, 1)
    assert report.found["empty"] == 1


def test_pairs_too_long_or_too_uneven_are_left_out_and_counted():
    words = {n: " ".join("abcdefg"[i % 7] for i in range(n)) for n in (1, 2, 3, 4, 5, 6)}
    lengths = {n: len(PIECES.split(text)) for n, text in words.items()}
    cases = [(1, 1), (1, 3), (5, 5), (6, 6), (4, 2), (2, 5), (6, 1)]
    longest, ratio = lengths[5] + 1, 2.0  # a piece more than five words have, for EOS
    pairs = [Pair(words[s], words[t]) for s, t in cases]
    report = encoder(longest=longest, ratio=ratio)(pairs).report
    long = [(s, t) for s, t in cases if max(lengths[s], lengths[t]) + 1 > longest]
    uneven = [
        (s, t) for s, t in cases
        if (s, t) not in long and max(lengths[s], lengths[t]) > 2 * min(lengths[s], lengths[t])
    ]  # fmt: skip
    assert (long, uneven) == ([(6, 6), (6, 1)], [(1, 3), (2, 5)])
    assert (report.left_out["too long"], report.left_out["too uneven"], report.used) == (2, 2, 3)
    assert (report.found["too long"], report.found["too uneven"]) == (2, 3)  # (6, 1) is both
    assert str(report) == "3 of 7 pairs used; left out: 2 too long, 2 too uneven"


SIDE = st.text("abcxyz \x00\u2028猫", max_size=30)


@given(st.lists(st.builds(Pair, SIDE, SIDE), max_size=20), st.integers(2, 20), st.floats(1, 5))
def test_used_and_dropped_add_up_to_the_total(pairs, longest, ratio):
    encoded = encoder(longest=longest, ratio=ratio)(pairs)
    examples, report = encoded.examples, encoded.report
    assert report.used + report.dropped == report.total == len(pairs)
    assert report.used == len(examples) == len(examples.target)
    assert encoded.reasons.astype(bool).sum() == report.dropped
    assert examples.numbers.tolist() == (np.flatnonzero(encoded.reasons == 0) + 1).tolist()
    for side in (examples.source, examples.target):
        assert all(side.lengths <= longest)
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
    some = np.arange(0, len(rows), 2)
    assert ragged.lengths_of(some).tolist() == [len(rows[row]) for row in some]


HELD_OUT = [
    HeldOut("dev", [Pair("a  held", "ein b")]),
    HeldOut("test", [Pair("Seen once", "c d e")]),
]
MATTER = {
    Pair("a b", "c d"): set(),
    Pair("", "c"): {"empty"},
    Pair("a\x00b", "c\x1b"): {"control"},
    Pair("a\tb", "c d"): set(),
    Pair("a \ufffd", "c"): {"damaged"},
    Pair("a &amp; b", "c"): {"entity"},
    Pair("a & b; c", "AT&T;d"): set(),
    Pair("&#39; &#x27;", "c"): {"entity"},
    Pair("a & b ;", "&;"): set(),
    Pair(" a  b", "a b"): {"equal"},
    Pair("a b", "A b"): set(),
    Pair("ж ю в a", "c d"): {"script"},
    Pair("a ж", "c d"): set(),
    Pair("1 2 .", "猫"): {"script"},
    Pair("a held", "c"): {"dev", "dev-folded"},
    Pair("A HELD", "c"): {"dev-folded"},
    Pair("a", "Ein b"): {"dev-folded"},
    Pair("ein b", "a held"): set(),
    Pair("seen once", "c d e"): {"test", "test-folded"},
}


def test_what_is_the_matter_is_found():
    checks = Checks(HELD_OUT, ["Latin", "Latin"])
    pairs = list(MATTER)
    report = encoder(checks=checks)(pairs).report
    wanted = {name: sum(name in found for found in MATTER.values()) for name in FINDINGS}
    assert {name: n for name, n in report.found.items() if not name.startswith("too ")} == {
        name: n for name, n in wanted.items() if not name.startswith("too ")
    }
    for pair, found in MATTER.items():
        one = encoder(checks=checks)([pair]).report
        assert {name for name, n in one.found.items() if n} - {"too uneven"} == found, pair


@pytest.mark.parametrize("name", [name for name in FINDINGS[1:-2] if name != "duplicate"])
def test_each_filter_is_off_or_on(name):
    pairs = list(MATTER)
    checks = Checks(HELD_OUT, ["Latin", "Latin"])
    without = encoder(checks=checks)(pairs)
    with_it = encoder(checks=checks, filters=[name])(pairs)
    assert without.report.left_out[name] == 0
    assert with_it.report.left_out[name] > 0
    for report in (without.report, with_it.report):
        assert report.used + report.dropped == report.total == len(pairs)
    for pair, reason in zip(pairs, with_it.reasons, strict=True):
        assert (reason == FINDINGS.index(name) + 1) <= (name in MATTER[pair])
        assert (name in MATTER[pair]) <= (reason > 0)


def test_a_pair_left_out_for_several_reasons_counts_for_the_first():
    pair = Pair("a &amp; b", "a &amp; b")
    encoded = encoder(filters=["equal", "entity"])([pair, pair], np.array([False, True]))
    assert encoded.reasons.tolist() == [FINDINGS.index("entity") + 1] * 2
    assert encoded.report.found["equal"] == 2
    assert encoded.report.found["duplicate"] == 1
    assert encoded.report.dropped == 2


def test_words_pieces_and_unknown_ones_are_counted():
    report = encoder()([Pair("a b c", "d 猫"), Pair("a", ""), Pair("g f", "e")]).report
    sources, targets = ["a b c", "g f"], ["d 猫", "e"]
    assert report.words == (5, 3)
    assert report.pieces == tuple(
        sum(len(PIECES.split(text)) for text in side) for side in (sources, targets)
    )
    assert report.unknown == (0, len("猫".encode()))


def test_a_line_without_end_is_too_long_whatever_it_costs():
    report = encoder(longest=5)([Pair("a" * 10_000_000, "b"), Pair("a b", "c")]).report
    assert (report.left_out["too long"], report.used) == (1, 1)
