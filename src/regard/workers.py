"""things to do -> what came of them: as many at once as torch has threads.

Two threads that each do a batch alone are faster than two that share every product of one batch:
neither ever waits for the other. torch leaves Python's lock while it computes, and both see the
same parameters.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import torch

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(do: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """`[do(item) for item in items]`, on a CPU; begun in their order."""
    workers = min(torch.get_num_threads(), len(items))
    if workers <= 1:
        return [do(item) for item in items]
    with _one_thread_each(), ThreadPoolExecutor(workers) as pool:
        begun = [pool.submit(do, item) for item in items]
        try:
            return [each.result() for each in begun]
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
