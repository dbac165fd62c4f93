"""updates -> where a training stands, and what was out of the ordinary."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from regard.errors import CheckpointError
from regard.train.step import Update

ALWAYS = {"text", "bfloat16", "processes"}
"""What every checkpoint says about its run."""

SPIKE = 10.0
"""How many times longer than usual a gradient is that counts as a spike."""


@dataclass
class Progress:
    """Where a training stands; a checkpoint's state.json.

    Attributes:
        step: Updates made, those whose step was not taken counted.
        seen: Examples seen.
        validated: The step of the last validation.
        best: The best validation so far, and its step.
        waited: Validations since then.
        skipped: Updates whose step was not taken, since a number was not finite.
        in_a_row: How many of them are the latest ones.
        usual_norm: A moving mean of the gradient's length.
        spikes: Gradients much longer than that.
        about: What does not change: fingerprints of the text, bfloat16 or not, how many processes,
            what it began from; and each change of text since, with its step.
    """

    step: int = 0
    seen: int = 0
    validated: int = 0
    best: dict[str, Any] | None = None
    waited: int = 0
    skipped: int = 0
    in_a_row: int = 0
    usual_norm: float = 0.0
    spikes: int = 0
    about: dict[str, Any] = field(default_factory=dict)

    __pydantic_config__ = ConfigDict(extra="forbid")

    @classmethod
    def of(cls, state: dict[str, Any], run: Path) -> "Progress":
        """What a checkpoint's state.json says.

        Raises:
            CheckpointError: something else.
        """
        try:
            found = TypeAdapter(cls).validate_python(state)
        except ValidationError as error:
            found, why = None, str(error.errors()[0]["msg"])
        else:
            why = f"state.json lacks {sorted(ALWAYS - found.about.keys())}"
        if found is None or not found.about.keys() >= ALWAYS:
            raise CheckpointError(
                f"the newest checkpoint of {run} cannot be gone on with ({why}): it is an average,"
                " or of another version of regard; begin a new run --from it"
            )
        return found

    def count(self, result: Update, numbers: Sequence[int]) -> str | None:
        """Count one more update; what is out of the ordinary about it, in words.

        Args:
            result: What the update saw.
            numbers: Which pairs of the training text it saw, counted from 1.
        """
        self.step += 1
        self.seen += len(numbers)
        if result.finite:
            self.in_a_row = 0
            return self._spike(result.gradient_norm)
        self.skipped += 1
        self.in_a_row += 1
        named = ", ".join(map(str, sorted(numbers)[:8]))
        more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
        return (
            f"update {self.step}: the loss is {result.loss} and the gradient's norm"
            f" {result.gradient_norm}; it saw pairs {named}{more} of the training text; its step"
            " was not taken"
        )

    def _spike(self, norm: float) -> str | None:
        usual = self.usual_norm or norm
        self.usual_norm = usual + 0.02 * (min(norm, SPIKE * usual) - usual)
        if norm <= SPIKE * usual:
            return None
        self.spikes += 1
        return (
            f"update {self.step}: the gradient is {norm / usual:.0f} times as long as usual"
            f" ({self.spikes} such so far)"
        )


@dataclass(frozen=True)
class Outcome:
    """How a training ended.

    Attributes:
        reason: "updates" or "patience" reached, "interrupted", or "nothing to do".
        step: Updates made.
        best: The best validation, and its step.
        signal: The number of the signal that interrupted it; 0 if none did.
        notes: What a person should know, where nothing was done and so nobody was told.
    """

    reason: str
    step: int
    best: dict[str, Any] | None
    signal: int = 0
    notes: Sequence[str] = ()
