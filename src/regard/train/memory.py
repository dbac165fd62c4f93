"""Let the process keep the memory that it frees: the next step needs as much again."""

import ctypes
import sys

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
