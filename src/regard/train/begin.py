"""A run's folder -> whether, and from where, learning may go on there."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from regard.checkpoint import Checkpoint, load, resolve
from regard.errors import CheckpointError, CorpusError, DiskError, RecipeError
from regard.train.recipe import Recipe, recipe_of
from regard.train.state import Progress

FREE_TO_CHANGE = {
    "data.folder",
    "data.train",
    "data.valid",
    "data.languages",
    "data.fields",
    "data.invalid",
    "data.bad",
    "training.updates",
    "training.patience",
    "training.average",
    "training.keep",
    "training.nonfinite",
    "training.compile",
    "search.beam",
}
"""What may differ when a training goes on: how long it lasts, what is kept of it, and where its
text lies, since the text has a fingerprint of its own."""


@contextmanager
def claimed(run: Path) -> Iterator[Callable[[], None]]:
    """Keep other trainings out of a run's folder; the folder is made if it is not there.

    The claim ends with the process, however that ends. Whoever is refused is told whose it is, once
    what this yields was called.

    Raises:
        CheckpointError: another process learns there.
        DiskError: the folder cannot be made or written.
    """
    import fcntl  # not everywhere: other parts of regard do not need it

    try:
        run.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(run / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise DiskError(
            f"{error.filename} cannot be written: {error.strerror}; give another --run"
        ) from None
    signed = False

    def sign() -> None:
        nonlocal signed
        with suppress(OSError):  # on a full disk the claim is good without a name
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            signed = True

    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(descriptor, 20, 0).decode(errors="replace") or "that has just begun"
            raise CheckpointError(
                f"{run} is in use by process {owner}; wait for it, or give another --run"
            ) from None
        except OSError as error:
            raise DiskError(f"{run / 'lock'} cannot be locked: {error.strerror}") from None
        yield sign
    finally:
        if signed:
            os.ftruncate(descriptor, 0)
        os.close(descriptor)


def recipe_in(checkpoint: Checkpoint, place: Path) -> Recipe:
    """The recipe that a checkpoint was made by; options that are newer than it have their defaults.

    Raises:
        CheckpointError: it is of another version of regard.
    """
    try:
        return recipe_of(checkpoint.recipe, name=str(place))
    except RecipeError as error:
        raise CheckpointError(
            f"{place} was written by another version of regard: {error}"
        ) from None


def changes(new: Recipe, old: Recipe, run: Path) -> list[str]:
    """What a recipe says otherwise than the one that a run was begun with, key by key.

    Raises:
        RecipeError: something that would make another training of it.
    """
    found = {
        key: f"{key} was {json.dumps(before)} and is {json.dumps(now)}"
        for key, (before, now) in _differences(old, new).items()
    }
    refused = [text for key, text in found.items() if key not in FREE_TO_CHANGE]
    if refused:
        raise RecipeError(
            f"{run} was begun with another recipe: {'; '.join(refused)}; give another --run, or"
            " the old recipe"
        )
    return list(found.values())


def changed_text(new: dict[str, str], old: dict[str, str], run: Path, *, accept: bool) -> list[str]:
    """How the text differs from what a run was begun with, by its fingerprints.

    Raises:
        CorpusError: it does, and nobody said `accept`.
    """
    found = [
        f"the {name} text was {old[name]} and is {new[name]}"
        for name in new
        if new[name] != old.get(name, new[name])
    ]
    if found and not accept:
        raise CorpusError(
            f"{run} was begun with other text: {'; '.join(found)}; bring the old text back, give"
            " another --run, or go on with the new text by --accept-data-change"
        )
    return found


def begun_from(
    other: Path | None, earlier: Checkpoint | None, recipe: Recipe, progress: Progress, run: Path
) -> Checkpoint | None:
    """Whose parameters and pieces to take: the run's own, another run's, or nobody's.

    Args:
        other: Another run, if one was named.
        earlier: The run's own checkpoint, if it has one.
        recipe: The run's recipe.
        progress: Where the run stands; what it began from is put down there.
        run: The run's folder, for messages.

    Raises:
        CheckpointError: the other run has no checkpoint that is whole.
        RecipeError: its model has another shape than the recipe's, or this run began otherwise.
    """
    name = str(other.resolve()) if other else None
    if other is None or earlier:
        before = progress.about.get("from")
        if other and before != name:
            raise RecipeError(
                f"{run} was begun from {before or 'chance'}, not from {name}; give another --run"
            )
        return earlier
    found = load(resolve(other))
    misfits = [
        f"{key} is {json.dumps(now)} where {other} has {json.dumps(before)}"
        for key, (before, now) in _differences(recipe_in(found, other), recipe).items()
        if key.startswith("model.") and not key.endswith(("dropout", "longest"))
    ]
    if misfits:
        raise RecipeError(f"--from {other} has another model: {'; '.join(misfits)}")
    progress.about["from"] = name
    return found


def _differences(old: Recipe, new: Recipe) -> dict[str, tuple[Any, Any]]:
    """Each key whose value differs, with the old value and the new one."""
    before = old.as_json()
    return {
        f"{section}.{key}": (before[section].get(key), value)
        for section, options in new.as_json().items()
        for key, value in options.items()
        if value != before[section].get(key)
    }
