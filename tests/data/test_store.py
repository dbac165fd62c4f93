"""corpora -> ids on a disk, and what is known of them before."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.data import store as room
from regard.data.corpus import Corpus, DataOptions, MoreOptions, training_text
from regard.data.encode import Encoder
from regard.data.pairs import Pair
from regard.data.store import Store, build
from regard.data.survey import Sample, Survey, fingerprint
from regard.errors import CorpusError, DiskError
from regard.text.pieces import EOS, Pieces

WORDS = ["red", "green", "blue", "cat", "dog", "bird"]
PAIRS = [Pair(f"{a} {b}", f"{b} {c} {a}") for a in WORDS for b in WORDS for c in WORDS]
PIECES = Pieces.learn(WORDS, size=300)
OTHER = Pieces.learn(["red green"], size=270)


def corpus(pairs, name="training"):
    return Corpus(name, 1.0, lambda tell: iter(pairs), lambda: fingerprint(pairs))


def silent(_words):
    pass


def built(folder, corpora, origin="here", encoder=None, **options):
    encoder = encoder or Encoder(source=PIECES, target=PIECES, longest=30, ratio=9.0, **options)
    survey = Survey.of(corpora, characters=1_000_000, tell=silent)
    build(folder, {"origin": origin}, corpora, survey, encoder, silent)
    return Store.open(folder, {"origin": origin})


@pytest.mark.parametrize("chunk", [1, 7, 8192])
def test_what_is_stored_is_what_would_be_in_memory(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(room, "CHUNK_PAIRS", chunk)
    dirty = [*PAIRS[:20], Pair("", "x"), Pair("red " * 40, "x"), *PAIRS[:5], Pair("cat", "cat")]
    other = [Pair("dog", "bird"), *PAIRS[:3], Pair(" ", " "), Pair("dog  ", "bird")]
    store = built(
        tmp_path / "store",
        [corpus(dirty), corpus(other, "mixed-in (1)")],
        filters=["duplicate", "equal"],
    )
    wanted = [*enumerate(dirty[:20], 1), *enumerate(other[:4], len(dirty) + 1)]
    assert store.examples.numbers.tolist() == [number for number, _ in wanted]
    for row, (_, pair) in enumerate(wanted):
        assert store.examples.source[row].tolist() == [*PIECES.split(pair.source), EOS]
        assert store.examples.target[row].tolist() == [*PIECES.split(pair.target), EOS]
    one, two = store.reports.values()
    assert (one.left_out["empty"], one.left_out["too long"]) == (1, 1)
    assert (one.left_out["duplicate"], one.left_out["equal"]) == (5, 1)
    assert (two.left_out["empty"], two.left_out["duplicate"], two.used) == (1, 1, 4)
    used = np.flatnonzero(store.reasons == 0) + 1
    assert used.tolist() == store.examples.numbers.tolist()
    assert list(store.prints.values()) == [fingerprint(dirty), fingerprint(other)]
    assert store.source is store.target
    assert store.source.model == PIECES.model


def test_ids_are_as_narrow_as_the_vocabulary_allows(tmp_path):
    store = built(tmp_path / "store", [corpus(PAIRS)])
    values = store.examples.source.values
    assert values.dtype == np.uint16
    assert isinstance(values.base, np.memmap)
    assert isinstance(store.examples.source[0], np.ndarray)


def test_two_vocabularies_are_kept_apart(tmp_path):
    encoder = Encoder(source=PIECES, target=OTHER, longest=90, ratio=99.0)
    store = built(tmp_path / "store", [corpus(PAIRS)], encoder=encoder)
    assert (store.source.model, store.target.model) == (PIECES.model, OTHER.model)
    assert store.examples.target[0].tolist() == [*OTHER.split(PAIRS[0].target), EOS]


def test_a_store_of_other_origin_is_none(tmp_path):
    built(tmp_path / "store", [corpus(PAIRS)])
    assert Store.open(tmp_path / "store", {"origin": "here"})
    assert Store.open(tmp_path / "store", {"origin": "there"}) is None
    assert built(tmp_path / "store", [corpus(PAIRS[:9])], "there").reports["training"].total == 9


@pytest.mark.parametrize(
    "name", ["source.ids", "target.ends", "numbers", "pieces.model", "store.json"]
)
@pytest.mark.parametrize("damage", ["shorter", "gone"])
def test_a_store_that_is_not_whole_is_none(tmp_path, name, damage):
    built(tmp_path / "store", [corpus(PAIRS)])
    path = tmp_path / "store" / name
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1])
    assert Store.open(tmp_path / "store", {"origin": "here"}) is None
    assert built(tmp_path / "store", [corpus(PAIRS)])


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b"\xff", b'{"sizes": 5}'])
def test_a_manifest_that_is_none_is_no_store(tmp_path, content):
    built(tmp_path / "store", [corpus(PAIRS)])
    (tmp_path / "store" / "store.json").write_bytes(content)
    assert Store.open(tmp_path / "store", {"origin": "here"}) is None


def test_what_a_killed_process_left_is_thrown_away(tmp_path):
    (tmp_path / ".store.tmp-1").mkdir()
    (tmp_path / ".store.tmp-1" / "source.ids").write_bytes(b"x")
    built(tmp_path / "store", [corpus(PAIRS)])
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(CorpusError, match="training: no pair is left to learn from: 0 of 1 pairs"):
        built(tmp_path / "store", [corpus([Pair("x", "")])])
    assert list(tmp_path.iterdir()) == []


def test_text_that_changes_meanwhile_is_noticed(tmp_path):
    readings = iter([PAIRS, PAIRS[1:]])
    changing = replace(corpus(PAIRS), read=lambda tell: iter(next(readings)))
    with pytest.raises(CorpusError, match="the training text was changed while it was read"):
        built(tmp_path / "store", [changing])
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DiskError, match=r"file/.store.tmp-\d+ cannot be written: Not a directory"):
        built(tmp_path / "file" / "store", [corpus(PAIRS)])


def test_files_of_a_recipe_are_known_by_their_bytes(tmp_path):
    (tmp_path / "a.tsv").write_text("red\tgreen\n")
    (tmp_path / "b.tsv").write_text("red\tgreen\n")
    more = MoreOptions(folder=str(tmp_path), train=("b.tsv",), weight=0.5)
    options = DataOptions(folder=str(tmp_path), train=("a.tsv",), more=(more,))
    one, two = training_text(options)
    assert (one.name, one.weight, two.name, two.weight) == ("training", 1.0, "mixed-in (1)", 0.5)
    assert list(one.read(silent)) == list(one.read(silent)) == [("red", "green")]
    assert one.identify() == two.identify()
    (tmp_path / "b.tsv").write_text("red\tgreem\n")
    assert one.identify() != two.identify()


@pytest.mark.parametrize(
    ("name", "message"),
    [("nosuch", "nosuch cannot be read: No such file"), (".", "cannot be read: Is a directory"),
     ("/dev/null", "/dev/null is a pipe or a device, which can be read only once; give a file")],
)  # fmt: skip
def test_what_cannot_be_read_twice_is_refused(tmp_path, name, message):
    (text,) = training_text(DataOptions(folder=str(tmp_path), train=(name,)))
    with pytest.raises(CorpusError, match=message):
        text.identify()


SIDE = st.text("ab ", max_size=4)


@given(st.lists(st.builds(Pair, SIDE, SIDE), max_size=30))
def test_what_stands_earlier_is_known(pairs):
    survey = Survey.of([corpus(pairs)], characters=1_000_000, tell=silent)
    seen = set()
    for pair, repeated in zip(pairs, survey.repeated[0], strict=True):
        key = tuple(" ".join(side.split()) for side in pair)
        assert repeated == (key in seen)
        seen.add(key)
    assert survey.prints["training"] == fingerprint(pairs)
    assert survey.sample == [pair for pair in pairs if sum(map(len, pair)) <= 10_000]


def drawn(pairs, characters):
    sample = Sample(characters)
    for pair in pairs:
        sample.add(pair)
    return sample.pairs


def test_a_sample_is_drawn_from_all_the_text_within_its_bound():
    pairs = [Pair(str(n).zfill(5), "x" * 5) for n in range(10_000)]
    found = drawn(pairs, 20_000)
    assert found == drawn(pairs, 20_000) == sorted(found)
    assert len(found) == 2000
    numbers = [int(pair.source) for pair in found]
    assert 4800 < np.mean(numbers) < 5200  # the standard error is 58
    assert np.histogram(numbers, 10, (0, 10_000))[0].min() > 150
    assert drawn(pairs, 100_000) == pairs
    assert drawn([Pair("x" * 900, "y" * 101), *pairs], 100_000) == pairs


def test_a_long_reading_is_told_of(monkeypatch):
    monkeypatch.setattr("regard.data.survey.OFTEN", 100)
    told = []
    Survey.of([corpus(PAIRS)], characters=1_000_000, tell=told.append)
    assert told == ["training: 100 pairs read", "training: 200 pairs read"]


READS_MUCH = """
import random, resource, sys
from pathlib import Path
from regard.data.corpus import Corpus
from regard.data.encode import Encoder
from regard.data.pairs import Pair
from regard.data.store import build
from regard.data.survey import Survey
from regard.text.pieces import Pieces

def read(tell):
    chance = random.Random(1)
    for _ in range(int(sys.argv[1])):
        line = "the old cat of the house sees the mouse in the garden " * chance.randint(1, 4)
        yield Pair(line, line.upper())

corpus = Corpus("training", 1.0, read, str)
pieces = Pieces.learn(["the old cat", "THE OLD CAT"], size=300)
encoder = Encoder(source=pieces, target=pieces, longest=256, ratio=9.0)
survey = Survey.of([corpus], characters=1_000_000, tell=str)
build(Path(sys.argv[2]), {}, [corpus], survey, encoder, str)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_text(tmp_path):
    most = {}
    for count in (30_000, 120_000):
        command = [sys.executable, "-c", READS_MUCH, str(count), str(tmp_path / "store")]
        most[count] = int(subprocess.run(command, check=True, capture_output=True).stdout)
    text = 90_000 * 2 * 2.5 * len("the old cat of the house sees the mouse in the garden ")
    assert most[120_000] - most[30_000] < text / 2  # hashes of the pairs are all that may stay
