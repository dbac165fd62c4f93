"""checkpoints of a run: written, kept, thrown away, averaged."""

from dataclasses import replace
from pathlib import Path

from regard.checkpoint import (
    Checkpoint,
    average,
    checkpoints,
    load,
    remove,
    save,
    step_folder,
    step_of,
)
from regard.errors import CheckpointError, DiskError
from regard.train.recipe import Recipe
from regard.train.record import Teller


class Keeper:
    """Writes a run's checkpoints, and keeps the best, the last few, and the newest.

    A disk that refuses is no reason to lose what was learnt: learning goes on and the next
    checkpoint is tried again, unless it is the last thing that the run does.
    """

    def __init__(self, run: Path, recipe: Recipe, tell: Teller):
        self._run = run
        self._recipe = recipe
        self._tell = tell

    def regular(self, step: int) -> bool:
        """Whether a validation, and a checkpoint that stays, belongs to this step."""
        every, updates = self._recipe.validation.every, self._recipe.training.updates
        return step > 0 and (step % every == 0 or step == updates)

    def save(self, checkpoint: Checkpoint, *, last: bool) -> bool:
        """Write one, and delete those that are no longer wanted; whether that went well.

        Raises:
            DiskError: it could not be written, and the run ends with it.
        """
        step, best = checkpoint.state["step"], checkpoint.state["best"]
        folder = step_folder(self._run, step)
        try:
            save(folder, checkpoint)
        except DiskError as error:
            if last:
                raise
            self._tell("note", step=step, text=f"{error}; learning goes on, the next is tried")
            return False
        self._tell("checkpoint", step=step, folder=str(folder))
        try:
            remove(self._unwanted(step, best["step"] if best else None))
        except DiskError as error:
            self._tell("note", step=step, text=f"{error}; it is no longer needed")
        return True

    def average(self, step: int) -> Checkpoint | None:
        """The mean of the last few, as far as they are whole; None if there is none."""
        whole: list[Path] = []
        for path in reversed(self._regular(step)):
            if len(whole) == self._recipe.training.average:
                break
            try:
                load(path)
            except CheckpointError as error:
                self._tell("note", step=step, text=f"left out of the average: {error}")
            else:
                whole.insert(0, path)
        if not whole:
            return None
        mean = average(whole)
        return replace(mean, recipe=self._recipe.as_json(), state={**mean.state, "step": step})

    def has_average(self, step: int) -> bool:
        """Whether the mean that belongs to this step is there, or none can be."""
        wanted = self._recipe.training.average
        if not wanted or not self._regular(step):
            return True
        try:
            mean = load(self._run / "average")
        except CheckpointError:
            return False
        made = mean.recipe.get("training", {}).get("average")
        return (mean.state.get("step"), made) == (step, wanted)

    def drop_average(self) -> None:
        """Delete a mean that will not be the last one's."""
        remove(path for path in [self._run / "average"] if path.exists())

    def _regular(self, step: int) -> list[Path]:
        """Those that stay, up to a step; a newer one was passed over, and will be replaced."""
        steps = [(step_of(path), path) for path in checkpoints(self._run)]
        return [path for number, path in steps if number <= step and self.regular(number)]

    def _unwanted(self, step: int, best: int | None) -> list[Path]:
        wanted = {*self._regular(step)[-self._recipe.training.keep :], step_folder(self._run, step)}
        if best is not None:
            wanted.add(step_folder(self._run, best))
        saved = [path for path in checkpoints(self._run) if step_of(path) <= step]
        return [path for path in saved if path not in wanted]
