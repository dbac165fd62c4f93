"""a pair -> what is the matter with it: what a report counts, and a recipe may leave out."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from regard.data.pairs import Pair
from regard.text.normalise import normalise
from regard.text.script import is_other

Filter = Literal[
    "control", "damaged", "entity", "equal", "script", "duplicate",
    "dev", "dev-folded", "test", "test-folded",
]  # fmt: skip
"""What a recipe may leave out of the text to learn from."""

FINDINGS = ("empty", *get_args(Filter), "too long", "too uneven")
"""All that is counted; a pair that is left out for several reasons is counted for the first."""

MEANING = {
    "empty": "a side is blank",
    "control": "control characters",
    "damaged": "U+FFFD: bytes that somebody could not read",
    "entity": "an entity of HTML, as &amp; or &#39;",
    "equal": "both sides are the same",
    "script": "most letters of a side are of another script",
    "duplicate": "the same pair stands earlier",
    "dev": "a side stands in the validation text",
    "dev-folded": "the same, whatever the case",
    "test": "a side stands in the test text",
    "test-folded": "the same, whatever the case",
    "too long": "more pieces than data.longest",
    "too uneven": "one side data.ratio times longer",
}
"""What they are, in words; equal is what a model would see as equal."""

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ENTITY = re.compile("&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")


def bit(finding: str) -> int:
    """The bit that a finding has in a number of several."""
    return 1 << FINDINGS.index(finding)


def bits(findings: Iterable[str]) -> int:
    """Several findings as one number."""
    return sum(map(bit, set(findings)))


class HeldOut:
    """The sides of pairs that nothing must be learnt from, exactly and case-folded."""

    def __init__(self, name: Literal["dev", "test"], pairs: Iterable[Pair]):
        self._exact: tuple[set[str], set[str]] = (set(), set())
        for pair in pairs:
            for own, text in zip(self._exact, map(normalise, pair), strict=True):
                own.add(text)
        self._folded = tuple({text.casefold() for text in own} for own in self._exact)
        self._bits = bit(name), bit(f"{name}-folded")

    def find(self, sides: Sequence[str], folded: Sequence[str]) -> int:
        """Whether a side of a pair is one of them."""
        exact, casefolded = self._bits
        return exact * _any(sides, self._exact) | casefolded * _any(folded, self._folded)


def _any(sides: Sequence[str], own: Sequence[set[str]]) -> bool:
    return any(side in texts and side != "" for side, texts in zip(sides, own, strict=True))


class Checks:
    """Looks at one pair after another.

    Args:
        held_out: What nothing must be learnt from.
        scripts: What the source and the target are written in; "" for any.
    """

    def __init__(
        self,
        held_out: Sequence[HeldOut] = (),
        scripts: Sequence[str] = ("", ""),
    ):
        self._held_out = held_out
        self._scripts = scripts

    def __call__(self, pair: Pair, source: str, target: str) -> int:
        """What is the matter, as bits; `source` and `target` are the pair's, normalised."""
        sides = source, target
        found = _EMPTY * (not source or not target)
        found |= _CONTROL * any(map(_CONTROLS.search, pair))
        found |= _DAMAGED * any("\ufffd" in side for side in sides)
        found |= _WITH_ENTITY * any("&" in side and bool(_ENTITY.search(side)) for side in sides)
        found |= _EQUAL * (source == target != "")
        found |= _SCRIPT * any(map(is_other, sides, self._scripts))
        if self._held_out:
            folded = [side.casefold() for side in sides]
            for held_out in self._held_out:
                found |= held_out.find(sides, folded)
        return found


_EMPTY, _CONTROL, _DAMAGED, _WITH_ENTITY, _EQUAL, _SCRIPT = map(
    bit, ("empty", "control", "damaged", "entity", "equal", "script")
)
