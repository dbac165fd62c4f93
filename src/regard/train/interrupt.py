"""Ctrl-C, and being asked to end: heard at once, answered at a moment that suits."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ASKED_TO_END = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopped(Exception):  # noqa: N818
    """Raised by the first signal where there is nothing to finish."""


class Interrupt:
    """Remembers the first signal that asks to end; a second one ends the process at once.

    Attributes:
        signal: Its number; 0 while there was none.
    """

    signal = 0

    def __init__(self):
        self._finishing = True

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        """What Python calls when the signal arrives."""
        self.signal = number
        for name in ASKED_TO_END:
            _listen(name, signal.SIG_DFL)
        if not self._finishing:
            raise Stopped

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """While this is open, the first signal raises `Stopped`: what is done can be done again."""
        if self.signal:
            raise Stopped
        self._finishing = False
        try:
            yield
        finally:
            self._finishing = True


@contextmanager
def interruptible() -> Iterator[Interrupt]:
    """While this is open, the first signal is only remembered.

    One that whoever started us wants ignored, as `nohup` does with SIGHUP, stays ignored, but not
    Ctrl-C, which shells let their background jobs ignore. In a thread other than the main one
    Python hears no signals, and nothing changes.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    names = [name for name in ASKED_TO_END if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    for name in names:
        if name == "SIGINT" or before[name] != signal.SIG_IGN:
            _listen(name, interrupt)
    try:
        yield interrupt
    finally:
        for name, handler in before.items():
            _listen(name, handler)


@contextmanager
def mortal() -> Iterator[None]:
    """While this is open, Ctrl-C ends the process even where Python would not hear it for long."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _listen(name: str, handler: object) -> None:
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), handler)  # pyright: ignore[reportArgumentType]
