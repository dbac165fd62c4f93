"""What a person can get wrong, and what the machine can refuse: one class, one exit code each.

A message says what, where, got, and what to do. The command line shows it in one line, without a
traceback, and exits with the class's code.
"""


class RegardError(Exception):
    """The root of all that is shown to a person as one line; `exit_code` is the process's."""

    exit_code = 1


class RecipeError(RegardError):
    """A recipe, an option or a name that cannot be used as it stands."""

    exit_code = 2


class CorpusError(RegardError):
    """Text that cannot be used as it stands: unequal sides, bytes that are not UTF-8 ..."""

    exit_code = 2


class RequestError(RegardError):
    """A question that cannot be answered: a blank sentence, a head that is not there."""

    exit_code = 2


class NotFiniteError(RegardError):
    """A loss or a gradient that is not a finite number."""

    exit_code = 3


class CheckpointError(RegardError):
    """A run or a checkpoint that is missing, broken, or made for something else."""

    exit_code = 4


class DiskError(RegardError):
    """A file that could not be written or read: full, read-only, gone."""

    exit_code = 5


class OutOfMemoryError(RegardError):
    """A batch or a model that does not fit."""

    exit_code = 6


def is_out_of_memory(error: Exception) -> bool:
    """Whether it is Python's, torch's for a GPU, or torch's for a CPU, which is a RuntimeError."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return bool(kinds & {"MemoryError", "OutOfMemoryError"}) or "can't allocate" in str(error)
