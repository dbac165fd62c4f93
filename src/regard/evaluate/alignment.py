"""attention weights -> links between words; links, gold links -> alignment error rate.

A link (i, j) says that word i of the source and word j of the target belong together; both count
from 0.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

Links = frozenset[tuple[int, int]]

WAYS = ("target", "source", "union", "intersection", "grow-diag")
"""How the links of two directions become one set: either's alone, or both put together."""

_LINK = re.compile(r"(\d+)([-?p])(\d+)")
_NEIGHBOURS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]


class Gold(NamedTuple):
    """What people linked: what must be there, and what may be there (all of `sure` included)."""

    sure: Links
    possible: Links


class Errors(NamedTuple):
    """How far links are from gold (Och and Ney 2003), over a whole text.

    Attributes:
        aer: 1 - (|A and S| + |A and P|) / (|A| + |S|), for links A, sure S and possible P.
        precision: |A and P| / |A|.
        recall: |A and S| / |S|.
        links: |A|.
    """

    aer: float
    precision: float
    recall: float
    links: int

    def __str__(self) -> str:
        return (
            f"AER {self.aer:.4f}, precision {self.precision:.4f}, recall {self.recall:.4f},"
            f" {self.links:,} links"
        )


def parse(line: str, *, first: int = 0) -> Gold:
    """Links as Pharaoh writes them, `3-4`; possible ones have `p` or `?` between the numbers.

    Args:
        line: The links of one sentence pair, with spaces between.
        first: The number of the first word.

    >>> sorted(parse("1-2 2p1", first=1).possible)
    [(0, 1), (1, 0)]

    Raises:
        ValueError: something that is no link, or a number below `first`.
    """
    sure, possible = set(), set()
    for word in line.split():
        found = _LINK.fullmatch(word)
        if not found:
            raise ValueError(f"{word!r} is no link; write 3-4, or 3p4 if it is only possible")
        link = (int(found[1]) - first, int(found[3]) - first)
        if min(link) < 0:
            raise ValueError(f"{word!r} counts from {min(int(found[1]), int(found[3]))}, and the"
                             f" first word is {first}")  # fmt: skip
        (sure if found[2] == "-" else possible).add(link)
    return Gold(frozenset(sure), frozenset(sure | possible))


def show(links: Links) -> str:
    """Links as Pharaoh writes them.

    >>> show(frozenset({(1, 0), (0, 2)}))
    '0-2 1-0'
    """
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


def errors(found: Sequence[Links], gold: Sequence[Gold]) -> Errors:
    """Links of a text against gold, sentence by sentence.

    Where there is nothing at all nothing is wrong.

    Raises:
        ValueError: they are not as many.
    """
    pairs = list(zip(found, gold, strict=True))
    links, sure = sum(map(len, found)), sum(len(each.sure) for each in gold)
    right = sum(len(some & each.sure) for some, each in pairs)
    allowed = sum(len(some & each.possible) for some, each in pairs)
    return Errors(
        aer=1 - (right + allowed) / (links + sure) if links + sure else 0.0,
        precision=allowed / links if links else 0.0,
        recall=right / sure if sure else 0.0,
        links=links,
    )


def strongest(weights: Float[np.ndarray, "queries keys"]) -> Links:
    """Each query with the key that it gives the largest share to, the first of equals."""
    if not weights.size:
        return frozenset()
    return frozenset(enumerate(weights.argmax(1).tolist()))


def swapped(links: Links) -> Links:
    """The same, from the other side."""
    return frozenset((j, i) for i, j in links)


def combined(of_target: Links, of_source: Links, way: str) -> Links:
    """One set of links from those that each target word and those that each source word chose.

    "grow-diag" (Koehn et al. 2003) starts from what both chose, and adds again and again what
    either chose beside a link that is there, even diagonally, if it links a word that has no link.

    Raises:
        ValueError: `way` is none of `WAYS`.
    """
    if way not in WAYS:
        raise ValueError(f"'{way}' must be one of {', '.join(WAYS)}")
    return {
        "target": lambda: of_target,
        "source": lambda: of_source,
        "union": lambda: of_target | of_source,
        "intersection": lambda: of_target & of_source,
        "grow-diag": lambda: _grown(of_target & of_source, of_target | of_source),
    }[way]()


def _grown(links: Links, candidates: Links) -> Links:
    found = set(links)
    sources, targets = {i for i, _ in found}, {j for _, j in found}
    grows = True
    while grows:
        grows = False
        for i, j in sorted(found):
            for link in ((i + a, j + b) for a, b in _NEIGHBOURS):
                new = link[0] not in sources or link[1] not in targets
                if link in candidates and link not in found and new:
                    found.add(link)
                    sources.add(link[0])
                    targets.add(link[1])
                    grows = True
    return frozenset(found)
