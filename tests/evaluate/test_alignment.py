"""links: combined as Koehn et al. (2003) print it, rated as Och and Ney (2003) define it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.evaluate.alignment import (
    WAYS,
    Gold,
    combined,
    errors,
    parse,
    show,
    strongest,
    swapped,
)

LINKS = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def test_an_error_rate_by_hand():
    gold = [parse("1-1 2-3 2p2", first=1), parse("", first=1), parse("1?1", first=1)]
    assert gold[0] == Gold(frozenset({(0, 0), (1, 2)}), frozenset({(0, 0), (1, 2), (1, 1)}))
    found = [frozenset({(0, 0), (1, 1), (4, 4)}), frozenset(), frozenset({(0, 0)})]
    rates = errors(found, gold)  # 1 of 2 sure ones, 3 of 4 links are possible
    assert rates.aer == pytest.approx(1 - (1 + 3) / (4 + 2))
    assert (rates.precision, rates.recall, rates.links) == (3 / 4, 1 / 2, 4)


@given(LINKS, LINKS)
def test_the_error_rate_is_that_of_the_definition(found, sure):
    (rates,) = [errors([found], [Gold(sure, sure)])]
    both = len([link for link in found if link in sure])
    counted = len(found) + len(sure)
    assert rates.aer == pytest.approx(1 - 2 * both / counted if counted else 0.0)
    assert errors([sure], [Gold(sure, sure)]).aer == pytest.approx(0)


def grow_diag(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    """As in Koehn et al. (2003): whole passes over a table until one adds nothing."""
    table, union = forward & backward, forward | backward
    while True:
        before = table.copy()
        for i, j in np.argwhere(before):
            for a in range(max(i - 1, 0), min(i + 2, len(table))):
                for b in range(max(j - 1, 0), min(j + 2, table.shape[1])):
                    if union[a, b] and not (table[a].any() and table[:, b].any()):
                        table[a, b] = True
        if (table == before).all():
            return table


@given(LINKS, LINKS)
def test_directions_are_combined_as_defined(of_target, of_source):
    forward, backward = np.zeros((2, 5, 5), dtype=bool)
    for i, j in of_target:
        forward[i, j] = True
    for i, j in of_source:
        backward[i, j] = True
    wanted = {
        "target": forward, "source": backward, "union": forward | backward,
        "intersection": forward & backward, "grow-diag": grow_diag(forward, backward),
    }  # fmt: skip
    assert set(wanted) == set(WAYS)
    for way, table in wanted.items():
        links = {(int(i), int(j)) for i, j in np.argwhere(table)}
        assert combined(of_target, of_source, way) == links
    with pytest.raises(ValueError, match="'x' must be one of"):
        combined(of_target, of_source, "x")


@given(LINKS)
def test_what_is_shown_can_be_read(links):
    assert parse(show(links)).sure == links
    assert swapped(swapped(links)) == links


def test_the_strongest_of_each_query():
    assert strongest(np.array([[0.1, 0.9], [0.5, 0.5]])) == {(0, 1), (1, 0)}
    assert strongest(np.zeros((0, 3))) == strongest(np.zeros((3, 0))) == frozenset()


@pytest.mark.parametrize(
    ("line", "message"), [("1-", "'1-' is no link"), ("1-1 0-2", "'0-2' counts from 0")]
)
def test_what_is_no_link_is_said(line, message):
    with pytest.raises(ValueError, match=message):
        parse(line, first=1)
