"""model, pieces, recipe <-> folder."""

from regard.checkpoint.average import average
from regard.checkpoint.folder import (
    Checkpoint,
    checkpoints,
    digest,
    load,
    newest,
    parameters,
    pieces_files,
    pieces_of,
    read,
    remove,
    resolve,
    save,
    step_folder,
    step_of,
    take,
    write,
)

__all__ = [
    "Checkpoint",
    "average",
    "checkpoints",
    "digest",
    "load",
    "newest",
    "parameters",
    "pieces_files",
    "pieces_of",
    "read",
    "remove",
    "resolve",
    "save",
    "step_folder",
    "step_of",
    "take",
    "write",
]
