"""lines as they arrive -> windows: many at once from a file, few when the input pauses."""

from collections.abc import Iterable, Iterator
from queue import Empty, Queue
from threading import Thread
from typing import TypeVar

Item = TypeVar("Item")

PAUSE = 0.1
"""Seconds without input that count as a pause."""


def windows(items: Iterable[Item], *, size: int) -> Iterator[list[Item]]:
    """Lists of up to `size` items; a shorter one is handed on as soon as the input pauses.

    At most two windows of items are held at any time. What the input raises is raised here, after
    the items that came before it.
    """
    queue: Queue[tuple[Item] | BaseException | None] = Queue(maxsize=size)
    Thread(target=_feed, args=(items, queue), daemon=True).start()
    window: list[Item] = []
    while True:
        try:
            arrived = queue.get(timeout=PAUSE) if window else queue.get()
        except Empty:
            yield window
            window = []
            continue
        if isinstance(arrived, tuple):
            window.append(arrived[0])
        if window and (len(window) == size or not isinstance(arrived, tuple)):
            yield window
            window = []
        if isinstance(arrived, BaseException):
            raise arrived
        if arrived is None:
            return


def _feed(items: Iterable[Item], queue: "Queue[tuple[Item] | BaseException | None]") -> None:
    try:
        for item in items:
            queue.put((item,))
        queue.put(None)
    except BaseException as error:
        queue.put(error)
