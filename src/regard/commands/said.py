"""translations -> what a person should know about some of them, once, on standard error."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from regard.text.normalise import invisible
from regard.text.noticed import Noticed

if TYPE_CHECKING:
    from regard.translation import Translation

NAMED = 10
"""Lines that are named for each thing to be said."""
PARTED = "were longer than what the model has learnt from and were translated in parts"
CUT = "met a length limit and may not be whole"
WARNINGS = {
    "repeats": "go round in a loop",
    "copied": "came out as they went in",
    "length": "became far shorter or longer",
    "numbers": "have other numbers than their source",
}
"""What is said for each of `text.warnings`."""


class Said:
    """How many lines there are of which something is to be said, and the first of them."""

    def __init__(self, noticed: Noticed):
        self.noticed = noticed
        self.counts: dict[str, int] = {}
        self.first: dict[str, list[int]] = {}

    def see(self, number: int, text: str, found: "Translation") -> str:
        """A line's translation, looked at."""
        if invisible(text):
            self.noticed.add("texts with characters that nobody sees, nor the model", number)
        self._note(number, PARTED, there=found.parts > 1)
        self._note(number, CUT, there=not found.ended)
        for name, reason in WARNINGS.items():
            self._note(number, reason, there=name in found.warnings)
        return found.text

    def _note(self, number: int, reason: str, *, there: bool) -> None:
        if there:
            self.counts[reason] = self.counts.get(reason, 0) + 1
            self.first.setdefault(reason, []).extend([number] * (self.counts[reason] <= NAMED))

    def say(self) -> None:
        """To the person, once."""
        for reason in (PARTED, CUT, *WARNINGS.values()):
            say_of(reason, self.first.get(reason, []), count=self.counts.get(reason, 0))
        if self.noticed:
            typer.echo(f"regard: {self.noticed}", err=True)


def say_of(what: str, numbers: Sequence[int], *, count: int | None = None) -> None:
    """Say something of lines, if there are any; `count` of them, if these are only the first."""
    count = len(numbers) if count is None else count
    if count:
        some = ", ".join(map(str, numbers[:NAMED])) + " ..." * (count > NAMED)
        typer.echo(f"regard: {count} of the lines {what}: {some}", err=True)
