"""A run's folder -> whether, and from where, learning may go on there."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from regard.checkpoint import Checkpoint, load, resolve
from regard.errors import CheckpointError, CorpusError, DiskError, RecipeError

FREE_TO_CHANGE = {
    "data.folder",
    "data.train",
    "data.valid",
    "data.more",
    "training.updates",
    "training.patience",
    "training.average",
    "training.keep",
    "training.nonfinite",
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
        raise DiskError(f"{run} cannot be written: {error.strerror}") from None
    signed = False

    def sign() -> None:
        nonlocal signed
        signed = True
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)

    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.pread(descriptor, 20, 0).decode(errors="replace") or "that has just begun"
            raise CheckpointError(
                f"{run} is in use by process {owner}; wait for it, or give another --run"
            ) from None
        yield sign
    finally:
        if signed:
            os.ftruncate(descriptor, 0)
        os.close(descriptor)


def changes(new: dict[str, Any], old: dict[str, Any], run: Path) -> list[str]:
    """What a recipe says otherwise than the one that a run was begun with, key by key.

    Raises:
        RecipeError: something that would make another training of it.
    """
    found = {
        f"{section}.{key}": f"{section}.{key} was {old.get(section, {}).get(key)!r} and is"
        f" {value!r}"
        for section in new
        if section != "search"  # how a finished run translates is no part of learning
        for key, value in new[section].items()
        if _plain(value) != old.get(section, {}).get(key)
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
    other: Path | None,
    earlier: Checkpoint | None,
    recipe: dict[str, Any],
    about: dict[str, Any],
    run: Path,
) -> Checkpoint | None:
    """Whose parameters and pieces to take: the run's own, another run's, or nobody's.

    Args:
        other: Another run, if one was named.
        earlier: The run's own checkpoint, if it has one.
        recipe: The run's recipe.
        about: What the run keeps of itself; what it began from is put down here.
        run: The run's folder, for messages.

    Raises:
        CheckpointError: the other run has no checkpoint that is whole.
        RecipeError: its model has another shape than the recipe's, or this run began otherwise.
    """
    if other is None or earlier:
        if other and about.get("from") != str(other):
            raise RecipeError(
                f"{run} was begun from {about.get('from', 'chance')}, not from {other}; give"
                " another --run"
            )
        return earlier
    found = load(resolve(other))
    model = found.recipe.get("model", {})
    misfits = [
        f"model.{key} is {value!r} where {other} has {model.get(key)!r}"
        for key, value in recipe["model"].items()
        if not key.endswith("dropout") and _plain(value) != model.get(key)
    ]
    if misfits:
        raise RecipeError(f"--from {other} has another model: {'; '.join(misfits)}")
    about["from"] = str(other)
    return found


def _plain(value: Any) -> Any:
    """As JSON gives it back."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value
