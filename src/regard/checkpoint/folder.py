"""A checkpoint is a folder: complete in itself, checked when read, never half written.

=====================  ==================================================================
model.safetensors      the parameters, each once
pieces.model           sentencepiece; or source.model and target.model where they differ
recipe.json            the recipe, every option spelt out
state.json             where the training stood
training.safetensors   optimiser moments and random states (absent in an average)
manifest.json          size and sha256 of each of the others, written last
=====================  ==================================================================

It is written beside its place, flushed to the disk and renamed, so that a folder under its final
name is whole. There is no pickle in it.
"""

import glob
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from regard.errors import CheckpointError, DiskError
from regard.text.files import sync, write_new
from regard.text.pieces import Pieces

MANIFEST = "manifest.json"


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """What a checkpoint folder holds.

    Attributes:
        parameters: The model's parameters by name, each shared one once.
        source: The source side's pieces.
        target: The target side's; the same object where the vocabulary is joint.
        recipe: The recipe's sections as JSON; nothing here knows what they mean.
        state: Where the training stood, as JSON.
        training: Tensors that only going on needs.
    """

    parameters: dict[str, Tensor]
    source: Pieces
    target: Pieces
    recipe: dict[str, Any]
    state: dict[str, Any]
    training: dict[str, Tensor] = field(default_factory=dict)


def parameters(model: nn.Module) -> dict[str, Tensor]:
    """A model's parameters by name, each shared one once, as they are now."""
    return {name: p.detach().cpu().clone() for name, p in model.named_parameters()}


def take(model: nn.Module, given: Mapping[str, Tensor]) -> None:
    """Give a model its parameters.

    Raises:
        CheckpointError: they do not fit; every misfit is named.
    """
    own = dict(model.named_parameters())
    misfits = [f"{name} is missing" for name in own.keys() - given.keys()]
    misfits += [f"{name} has no place" for name in given.keys() - own.keys()]
    misfits += [
        f"{name} is {list(given[name].shape)} where the model has {list(own[name].shape)}"
        for name in own.keys() & given.keys()
        if own[name].shape != given[name].shape
    ]
    if misfits:
        raise CheckpointError("the parameters are another model's: " + "; ".join(sorted(misfits)))
    with torch.no_grad():
        for name, parameter in own.items():
            parameter.copy_(given[name])


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; an older one under the same name is replaced.

    Raises:
        DiskError: it could not be written; whatever stood there before still does.
    """
    write(folder, _files(checkpoint))


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder of files with a manifest; an older one under the same name is replaced.

    Raises:
        DiskError: it could not be written; whatever stood there before still does.
    """
    manifest = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    }
    files = {**files, MANIFEST: _json(manifest)}
    beside = folder.with_name(f".{folder.name}.tmp-{os.getpid()}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        for left in folder.parent.glob(f".{glob.escape(folder.name)}.tmp-*"):
            shutil.rmtree(left)  # by a process that was killed
        beside.mkdir()
        for name, content in files.items():
            write_new(beside / name, content)
        sync(beside)
        _replace(folder, beside)
    except OSError as error:
        raise DiskError(_cannot_write(folder, sum(map(len, files.values())), error)) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def load(folder: Path) -> Checkpoint:
    """Read a checkpoint whose every file is what its manifest says.

    Raises:
        CheckpointError: it is missing, incomplete or damaged.
    """
    files = read(folder)
    try:
        source, target = pieces_of(files)
        return Checkpoint(
            parameters=safetensors.torch.load(files["model.safetensors"]),
            source=source,
            target=target,
            recipe=json.loads(files["recipe.json"]),
            state=json.loads(files["state.json"]),
            training=safetensors.torch.load(files["training.safetensors"])
            if "training.safetensors" in files
            else {},
        )
    except KeyError as error:
        raise CheckpointError(f"{folder} is incomplete: it has no {error.args[0]}") from None
    except (ValueError, safetensors.SafetensorError) as error:
        raise CheckpointError(f"{folder} cannot be read: {error}") from None


def read(folder: Path) -> dict[str, bytes]:
    """The files of a folder that `write` wrote, each of them what the manifest says.

    Raises:
        CheckpointError: one is missing or damaged.
    """
    manifest = _manifest(folder)
    files = {name: _bytes(folder / Path(name).name) for name in manifest}
    for name, content in files.items():
        if manifest[name] != (len(content), hashlib.sha256(content).hexdigest()):
            raise CheckpointError(
                f"{folder / name} is damaged: {len(content):,} bytes that are not the"
                f" {manifest[name][0]} of the manifest; take another checkpoint"
            )
    return files


def pieces_files(source: Pieces, target: Pieces) -> dict[str, bytes]:
    """Both sides' pieces as files; one file where they are the same."""
    if source is target:
        return {"pieces.model": source.model}
    return {"source.model": source.model, "target.model": target.model}


def pieces_of(files: Mapping[str, bytes]) -> tuple[Pieces, Pieces]:
    """The pieces of source and target that `pieces_files` made files.

    Raises:
        KeyError: a file is missing.
    """
    if "pieces.model" in files:
        joint = Pieces(files["pieces.model"])
        return joint, joint
    return Pieces(files["source.model"]), Pieces(files["target.model"])


def checkpoints(run: Path) -> list[Path]:
    """The checkpoint folders of a run, oldest first; one without a manifest is none."""
    return [folder for folder in _steps(run) if (folder / MANIFEST).exists()]


def newest(run: Path) -> tuple[Checkpoint | None, list[str]]:
    """A run's newest checkpoint that is whole, and why each newer one was passed over.

    Raises:
        CheckpointError: there are checkpoints, but none is whole.
    """
    _tidy(run)
    passed_over = []
    for folder in reversed(_steps(run)):
        try:
            return load(folder), passed_over
        except CheckpointError as error:
            passed_over.append(str(error))
    if passed_over:
        raise CheckpointError(
            f"no checkpoint of {run} can be used ({'; '.join(passed_over)}); give another --run to"
            " begin anew"
        )
    return None, []


def _steps(run: Path) -> list[Path]:
    """The folders that have a checkpoint's name, the lowest step first."""
    found = {
        int(step): folder
        for folder in (run / "checkpoints").glob("step-*")
        if (step := folder.name.removeprefix("step-")).isdecimal()
    }
    return [found[step] for step in sorted(found)]


def _tidy(run: Path) -> None:
    """What a process moved aside when it was killed comes back; the rest of its work goes."""
    for left in [*run.glob("checkpoints/.step-*.tmp-*"), *run.glob(".average.tmp-*")]:
        folder = left.with_name(left.name[1:].partition(".")[0])
        if left.suffix == ".old" and not folder.exists():
            left.replace(folder)
        else:
            shutil.rmtree(left, ignore_errors=True)


def resolve(path: Path) -> Path:
    """The checkpoint to translate with: `path` itself, or a run's average, best or newest one.

    Raises:
        CheckpointError: there is none.
    """
    if (path / MANIFEST).exists():
        return path
    if (path / "average" / MANIFEST).exists():
        return path / "average"
    saved = checkpoints(path)
    if not saved:
        what = "holds no checkpoint" if path.exists() else "does not exist"
        raise CheckpointError(f"{path} {what}; give the folder that `regard train` wrote")
    last = saved[-1]
    best = (load(last).state.get("best") or {}).get("step")  # None before the first validation
    return step_folder(path, best) if best and step_folder(path, best).exists() else last


def digest(folder: Path) -> str:
    """The sha256 of a checkpoint's parameters, as its manifest has it.

    Raises:
        CheckpointError: there is no such manifest.
    """
    return _manifest(folder).get("model.safetensors", (0, ""))[1]


def step_folder(run: Path, step: int) -> Path:
    """Where a run's checkpoint of a step lies."""
    return run / "checkpoints" / f"step-{step:08d}"


def step_of(checkpoint: Path) -> int:
    """The step that a checkpoint's folder is named for."""
    return int(checkpoint.name.removeprefix("step-"))


def _replace(folder: Path, new: Path) -> None:
    """Give `new` its name; the older one is moved aside before, and back if that fails."""
    older = new.with_name(f"{new.name}.old")
    if folder.exists():
        folder.replace(older)
    try:
        new.replace(folder)
        sync(folder.parent)
    except OSError:
        if older.exists():
            shutil.rmtree(folder, ignore_errors=True)
            older.replace(folder)
        raise
    shutil.rmtree(older, ignore_errors=True)


def _files(checkpoint: Checkpoint) -> dict[str, bytes]:
    files = {
        "model.safetensors": safetensors.torch.save(checkpoint.parameters),
        "recipe.json": _json(checkpoint.recipe),
        "state.json": _json(checkpoint.state),
    }
    files |= pieces_files(checkpoint.source, checkpoint.target)
    if checkpoint.training:
        files["training.safetensors"] = safetensors.torch.save(checkpoint.training)
    return files


def _json(content: Any) -> bytes:
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    return text.encode(errors="backslashreplace")  # a path may have bytes that are not UTF-8


def _cannot_write(folder: Path, needed: int, error: OSError) -> str:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(existing).free
    return (
        f"{folder} cannot be written: {error.strerror}; it needs {needed:,} bytes,"
        f" {free:,} are free there"
    )


def _manifest(folder: Path) -> dict[str, tuple[int, str]]:
    try:
        return {
            name: (entry["bytes"], entry["sha256"])
            for name, entry in json.loads(_bytes(folder / MANIFEST)).items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise CheckpointError(f"{folder / MANIFEST} is damaged; take another checkpoint") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CheckpointError(
            f"{path} cannot be read: {error.strerror}; take another checkpoint"
        ) from None


def remove(folders: Iterable[Path]) -> None:
    """Delete checkpoints that are no longer wanted, manifest first: half a one is none.

    Raises:
        DiskError: one cannot be deleted.
    """
    for folder in folders:
        try:
            (folder / MANIFEST).unlink(missing_ok=True)
            shutil.rmtree(folder)
        except OSError as error:
            raise DiskError(f"{folder} cannot be deleted: {error.strerror}") from None
