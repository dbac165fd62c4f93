"""Ctrl-C, at a moment that suits."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Remembers that Ctrl-C was pressed; a second one ends at once."""

    asked = False

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """What Python calls when the signal arrives."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def interruptible() -> Iterator[Interrupt]:
    """While this is open, the first Ctrl-C only sets `asked`."""
    interrupt = Interrupt()
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
