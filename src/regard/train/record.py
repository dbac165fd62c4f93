"""events -> a file that tells what happened: one JSON object a line, and TensorBoard's curves."""

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from regard.errors import DiskError

Event = dict[str, Any]
Listener = Callable[[Event], None]


class Teller:
    """Tells every listener what happens; one that cannot write any more is left out."""

    def __init__(self, listeners: Sequence[Listener]):
        self._listeners = list(listeners)

    def __call__(self, event: str, **content: Any) -> None:
        """Tell of one event."""
        for listener in list(self._listeners):
            try:
                listener({"event": event, **content})
            except DiskError as error:
                self._listeners.remove(listener)
                text = f"{error}; learning goes on without it"
                self("note", step=content.get("step", 0), text=text)


class Record:
    """Appends every event to `record.jsonl`, with the time in seconds since 1970.

    The file and its folder are made with the first event.
    """

    def __init__(self, run: Path):
        self._path = run / "record.jsonl"

    def __call__(self, event: Event) -> None:
        """Write one event.

        Raises:
            DiskError: it cannot be written.
        """
        told = {"time": round(time.time(), 3), **event}
        for key, value in told.items():
            if isinstance(value, float) and not math.isfinite(value):
                told[key] = None  # JSON has no such numbers
        line = json.dumps(told, ensure_ascii=False) + "\n"
        with _writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a+b") as file:
                if file.tell() and not _ends_a_line(file):
                    file.write(b"\n")  # after what a process wrote when it was killed
                file.write(line.encode(errors="backslashreplace"))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None


def _ends_a_line(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read() == b"\n"


class Curves:
    """Shows an event's numbers in TensorBoard, against the update they belong to.

    Beside them, one held-out sentence as it is translated better and better.
    """

    def __init__(self, run: Path):
        from torch.utils.tensorboard import SummaryWriter

        self._path = run / "tensorboard"
        self._start = partial(SummaryWriter, str(self._path))
        self._writer: SummaryWriter | None = None

    def __call__(self, event: Event) -> None:
        """Draw one event's numbers.

        Raises:
            DiskError: they cannot be written.
        """
        if "step" in event:
            with _writing(self._path):
                self._draw(event)

    def _draw(self, event: Event) -> None:
        self._writer = self._writer or self._start()
        if "example" in event:
            told = "  \n".join(f"{name}: {text}" for name, text in event["example"].items())
            self._writer.add_text(f"{event['event']}/example", told, event["step"])
        for key, value in event.items():
            if key != "step" and isinstance(value, (int, float)) and not isinstance(value, bool):
                self._writer.add_scalar(f"{event['event']}/{key}", value, event["step"])
        self._writer.flush()


def listeners(run: Path) -> list[Listener]:
    """The record, and TensorBoard's curves where the extra `tensorboard` is installed."""
    found: list[Listener] = [Record(run)]
    with suppress(ImportError):
        found.append(Curves(run))
    return found
