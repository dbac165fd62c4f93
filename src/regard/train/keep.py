"""checkpoints of a run: written, kept, thrown away, averaged."""

from pathlib import Path

from regard.checkpoint import (
    Checkpoint,
    average,
    checkpoints,
    load,
    remove,
    save,
    step_folder,
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
        return step % self._recipe.validation.every == 0 or step == self._recipe.training.updates

    def save(self, checkpoint: Checkpoint, *, last: bool) -> bool:
        """Write one, and delete those that are no longer wanted; whether that went well.

        Raises:
            DiskError: it could not be written, and the run ends with it.
        """
        step, best = checkpoint.state["step"], checkpoint.state["best"]
        folder = step_folder(self._run, step)
        try:
            save(folder, checkpoint)
            self._tell("checkpoint", step=step, folder=str(folder))
            remove(self._unwanted(best["step"] if best else None))
        except DiskError as error:
            if last:
                raise
            self._tell("note", step=step, text=f"{error}; learning goes on, the next is tried")
            return False
        return True

    def average(self) -> Checkpoint | None:
        """The mean of the last few, if the recipe asks for one."""
        if not self._recipe.training.average:
            return None
        regular = [path for path in checkpoints(self._run) if self.regular(step_of(path))]
        return average(regular[-self._recipe.training.average :])

    def save_average(self, mean: Checkpoint) -> None:
        """Write the mean.

        Raises:
            DiskError: it could not be written.
        """
        save(self._run / "average", mean)

    def has_average(self, step: int) -> bool:
        """Whether the mean that belongs to this step is there, or none is asked for."""
        try:
            mean = load(self._run / "average") if self._recipe.training.average else None
        except CheckpointError:
            return False
        return mean is None or mean.state.get("step") == step

    def drop_average(self) -> None:
        """Delete a mean that will not be the last one's."""
        remove(path for path in [self._run / "average"] if path.exists())

    def _unwanted(self, best: int | None) -> list[Path]:
        saved = checkpoints(self._run)
        regular = [path for path in saved if self.regular(step_of(path))]
        wanted = {*regular[-self._recipe.training.keep :], saved[-1]}
        if best is not None:
            wanted.add(step_folder(self._run, best))
        return [path for path in saved if path not in wanted]


def step_of(checkpoint: Path) -> int:
    """The step that a checkpoint's folder is named for."""
    return int(checkpoint.name.removeprefix("step-"))
