"""lengths -> groups, and the order in which they are learnt from."""

from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.data.budget import groups
from regard.data.examples import Examples, Ragged
from regard.data.stream import Stream

LENGTHS = st.lists(st.tuples(st.integers(1, 31), st.integers(1, 31)), min_size=1, max_size=60)


def places(found: list[np.ndarray], source, target) -> list[tuple[int, int]]:
    """Positions of each group's two sides, padding counted."""
    return [(len(rows) * source[rows].max(), len(rows) * target[rows].max()) for rows in found]


def like_multi30k(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Lengths as the words of Multi30k's captions have: 13 +- 4, the sides correlated at 0.86."""
    random = np.random.default_rng(7)
    source = random.lognormal(np.log(12.4), 0.31, count)
    target = source * random.lognormal(-0.05, 0.17, count)
    return tuple(np.clip(side.round(), 3, 44).astype(np.int64) for side in (source, target))


@given(LENGTHS, st.integers(31, 200), st.randoms(use_true_random=False))
def test_groups_are_a_partition_within_the_budget(lengths, pieces, random):
    source, target = np.array(lengths).T
    order = np.array(random.sample(range(len(source)), len(source)))
    found = groups(source, target, pieces=pieces, order=order)
    assert sorted(np.concatenate(found).tolist()) == list(range(len(source)))
    assert all(max(sides) <= pieces for sides in places(found, source, target))
    assert all(len(rows) for rows in found)


@given(LENGTHS, st.integers(31, 200))
def test_no_group_could_have_taken_the_next_example(lengths, pieces):
    source, target = np.array(lengths).T
    found = groups(source, target, pieces=pieces, order=np.arange(len(source)))
    for rows, following in pairwise(found):
        more = np.append(rows, following[0])
        assert len(more) * max(source[more].max(), target[more].max()) > pieces


def test_an_example_longer_than_the_budget_is_refused():
    lengths = np.array([5, 11])
    with pytest.raises(ValueError, match="11 pieces does not fit into 10"):
        groups(lengths, lengths[::-1].copy(), pieces=10, order=np.arange(2))


def test_padding_is_under_five_and_a_half_percent_on_captions():
    source, target = like_multi30k(29_000)
    assert 0.84 < np.corrcoef(source, target)[0, 1] < 0.88
    order = np.random.default_rng(1).permutation(len(source))
    found = groups(source, target, pieces=4096, order=order)
    padded = sum(map(sum, places(found, source, target)))
    assert 1 - (source.sum() + target.sum()) / padded < 0.055


@pytest.fixture(scope="module")
def examples():
    source, target = like_multi30k(211)
    return Examples(
        Ragged.of([[4] * length for length in source]),
        Ragged.of([[4] * length for length in target]),
    )


def stream(examples, seed=3):
    return Stream(examples, pieces=307, seed=seed)


def test_an_epoch_is_a_permutation_and_no_two_are_alike(examples):
    epochs = [np.concatenate(stream(examples).epoch(number)).tolist() for number in range(3)]
    for epoch in epochs:
        assert sorted(epoch) == list(range(211))
    assert epochs[0] != epochs[1] != epochs[2] != epochs[0]
    groups_of = [{frozenset(r.tolist()) for r in stream(examples).epoch(n)} for n in range(2)]
    assert groups_of[0] != groups_of[1]  # other neighbours, not only another order


def test_the_order_follows_from_the_seed_alone(examples):
    def first(seed):
        return [rows.tolist() for rows in islice(stream(examples, seed).batches(), 40)]

    assert first(3) == first(3)
    assert first(3) != first(4)


def test_short_and_long_sentences_come_in_no_order(examples):
    lengths = [examples.source.lengths[rows].mean() for rows in stream(examples).epoch(0)]
    assert lengths != sorted(lengths)
    assert lengths != sorted(lengths, reverse=True)


def test_taken_up_anywhere_the_stream_goes_on_as_if_never_left(examples):
    straight = [rows.tolist() for rows in islice(stream(examples).batches(), 45)]
    assert sum(map(len, straight)) > 2 * 211  # beyond two ends of an epoch
    seen = 0
    for done, rows in enumerate(straight):
        rest = [rows.tolist() for rows in islice(stream(examples).batches(seen), 45 - done)]
        assert rest == straight[done:]
        seen += len(rows)


def test_a_place_within_a_batch_counts_as_its_end(examples):
    straight = [rows.tolist() for rows in islice(stream(examples).batches(), 30)]
    ends = np.cumsum([0, *map(len, straight)])
    for seen in range(ends[-2]):
        following = straight[np.searchsorted(ends, seen)]
        assert next(stream(examples).batches(seen)).tolist() == following
        place = stream(examples).place(seen)
        assert place == ends[np.searchsorted(ends, seen)]
        assert next(stream(examples).batches(place)).tolist() == following


def test_from_a_place_between_two_batches_every_way_of_going_on_is_the_same(examples):
    """Not so from within a batch: what is seen then lags behind where the stream is."""
    for seen in range(0, 211, 7):
        seen = stream(examples).place(seen)
        straight = [rows.tolist() for rows in islice(stream(examples).batches(seen), 12)]
        for rows in straight:
            assert next(stream(examples).batches(seen)).tolist() == rows
            seen += len(rows)


def test_weights_say_how_often_an_epoch_has_each(examples):
    weights = [(100, 2.0), (11, 1.0), (100, 0.25)]
    weighted = Stream(examples, pieces=307, seed=3, weights=weights)
    epochs = [np.concatenate(weighted.epoch(number)) for number in range(2)]
    for epoch in epochs:
        times = np.bincount(epoch, minlength=211)
        assert len(epoch) == len(weighted) == 236
        assert set(times[:100]) == {2}
        assert set(times[100:111]) == {1}
        assert sorted(times[111:]) == [0] * 75 + [1] * 25
    assert set(epochs[0][epochs[0] > 110]) != set(epochs[1][epochs[1] > 110])
    straight = [rows.tolist() for rows in islice(weighted.batches(), 40)]
    rest = [rows.tolist() for rows in islice(weighted.batches(len(straight[0])), 39)]
    assert rest == straight[1:]


def cut_one_by_one(source, target, *, pieces, order):
    """The same groups, example by example."""
    longer = np.maximum(source, target)
    uneven = (source - target) * np.where(longer % 2 == 0, 1, -1)
    ranked = sorted(order.tolist(), key=lambda row: (longer[row], uneven[row]))
    found = [[]]
    for row in ranked:
        if (len(found[-1]) + 1) * longer[row] > pieces:
            found.append([])
        found[-1].append(row)
    return found


@given(LENGTHS, st.integers(31, 200), st.randoms(use_true_random=False))
def test_groups_are_those_that_are_found_one_by_one(lengths, pieces, chance):
    source, target = np.array(lengths).T
    order = np.array(chance.choices(range(len(source)), k=2 * len(source)))
    found = groups(source, target, pieces=pieces, order=order)
    wanted = cut_one_by_one(source, target, pieces=pieces, order=order)
    assert [rows.tolist() for rows in found] == wanted


def test_lengths_that_16_bits_cannot_hold_are_in_order_too():
    lengths = np.array([2**15 + 1, 3, 2**15, 2**15 - 1, 40_000])
    found = groups(lengths, lengths[::-1].copy(), pieces=40_000, order=np.arange(5))
    assert [rows.tolist() for rows in found] == cut_one_by_one(
        lengths, lengths[::-1].copy(), pieces=40_000, order=np.arange(5)
    )


@pytest.mark.parametrize("weight", [0.3, 2.5])
def test_a_part_of_a_corpus_goes_on_where_the_epoch_before_stopped(examples, weight):
    weighted = Stream(examples, pieces=307, seed=3, weights=[(111, weight), (100, 1.0)])
    share = round(111 * weight)
    own = [
        np.array([row for row in np.concatenate(weighted.epoch(number)).tolist() if row < 111])
        for number in range(20)
    ]
    assert all(len(rows) == share for rows in own)
    for number in range(1, 21):
        times = np.bincount(np.concatenate(own[:number]), minlength=111)
        assert times.max() - times.min() <= 1  # none comes again before all have been there


def test_examples_of_each_corpus_are_counted(examples):
    weighted = Stream(examples, pieces=307, seed=3, weights=[(111, 0.3), (100, 2.0)])
    counted, seen = np.zeros(2, int), 0
    for rows in islice(weighted.batches(), 60):
        assert weighted.passed(seen).tolist() == counted.tolist()
        counted += np.histogram(rows, [0, 111, 211])[0]
        seen += len(rows)
    assert weighted.passed(7 * len(weighted)).tolist() == [7 * 33, 7 * 200]
