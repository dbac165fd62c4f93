"""The process's memory: what it keeps, and how much it was."""

import ctypes
import sys

import torch

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4  # malloc.h of the GNU C library


def keep_freed_memory() -> None:
    """Ask the GNU C library, where there is one, not to give large buffers back to the system.

    Otherwise the system clears every large buffer anew, page by page, each time it is used: on two
    cores that made a training step up to a fifth slower.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_MAX, 0)
        mallopt(_M_TRIM_THRESHOLD, 2**31 - 1)


def most_megabytes(device: torch.device) -> int:
    """The most memory that was used so far: a GPU's, or the process's."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device) >> 20
    import resource  # not everywhere

    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS, else kilobytes
    return size >> (20 if sys.platform == "darwin" else 10)
