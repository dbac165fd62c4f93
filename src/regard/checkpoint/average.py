"""checkpoints -> one whose parameters are their mean (Vaswani et al. 2017, 6.1)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import Tensor

from regard.checkpoint.folder import Checkpoint, load
from regard.errors import CheckpointError


def average(folders: Sequence[Path]) -> Checkpoint:
    """The arithmetic mean of the parameters of several checkpoints of one run, summed in float64.

    Raises:
        CheckpointError: there is none, or they are not of one model.
    """
    if not folders:
        raise CheckpointError("there is no checkpoint to average")
    last = load(folders[-1])
    sums: dict[str, Tensor] = {name: p.double() for name, p in last.parameters.items()}
    for folder in folders[:-1]:
        other = load(folder)
        if _kind(other) != _kind(last):
            raise CheckpointError(f"{folder} and {folders[-1]} are not of one model")
        for name, parameter in other.parameters.items():
            sums[name] += parameter
    mean = {name: (sums[name] / len(folders)).to(p.dtype) for name, p in last.parameters.items()}
    state = {"step": last.state.get("step"), "average_of": [folder.name for folder in folders]}
    return replace(last, parameters=mean, state=state, training={})


def _kind(checkpoint: Checkpoint) -> tuple[Any, ...]:
    """What must be the same: the shapes, what shapes do not tell (heads, say), and the pieces."""
    shapes = {name: parameter.shape for name, parameter in checkpoint.parameters.items()}
    recipe = checkpoint.recipe.get("model")
    return shapes, recipe, checkpoint.source.model, checkpoint.target.model
