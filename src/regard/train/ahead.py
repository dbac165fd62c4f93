"""an endless order of things to make -> the same things, the next one made meanwhile."""

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Generator[Item, None, None]:
    """The same items; while one is used, another thread makes the next.

    Closing waits until the one at hand is made: a thread that is cut off at the end of the program
    may take it along.
    """
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(next, items)
        while True:
            item = waiting.result()
            waiting = pool.submit(next, items)
            yield item
