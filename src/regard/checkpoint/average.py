"""checkpoints -> one whose parameters are their mean (Vaswani et al. 2017, 6.1)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

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
        other = load(folder).parameters
        if {n: p.shape for n, p in other.items()} != {n: p.shape for n, p in sums.items()}:
            raise CheckpointError(f"{folder} and {folders[-1]} are not of one model")
        for name, parameter in other.items():
            sums[name] += parameter
    mean = {name: (sums[name] / len(folders)).to(p.dtype) for name, p in last.parameters.items()}
    state = {"step": last.state.get("step"), "average_of": [folder.name for folder in folders]}
    return replace(last, parameters=mean, state=state, training={})
