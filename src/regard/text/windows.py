"""lines as they arrive -> windows: many at once from a file, few when the input pauses."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")

PAUSE = 0.1
"""Seconds without input that count as a pause."""


def windows(items: Iterable[Item], *, size: int) -> Iterator[list[Item]]:
    """Lists of up to `size` items; a shorter one is handed on as soon as the input pauses.

    At most two windows of items, and one item more, are held at any time. What the input raises is
    raised here, after the items that came before it. The input is read by another thread, which
    also is the one to close it: closing what a thread waits for would have to wait as well.
    """
    queue: Queue[tuple[Item] | BaseException | None] = Queue(maxsize=size)
    left = Event()
    Thread(target=_feed, args=(items, queue, left), daemon=True).start()
    try:
        yield from _gather(queue, size)
    finally:
        left.set()
        with suppress(Empty):
            while True:
                queue.get_nowait()  # lets the other thread go on, and see that nobody is there


def _gather(queue: "Queue[tuple[Item] | BaseException | None]", size: int) -> Iterator[list[Item]]:
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


def _feed(
    items: Iterable[Item], queue: "Queue[tuple[Item] | BaseException | None]", left: Event
) -> None:
    try:
        for item in items:
            queue.put((item,))
            if left.is_set():
                return
        queue.put(None)
    except BaseException as error:
        queue.put(error)
