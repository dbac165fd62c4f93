"""events -> a file that tells what happened: one JSON object a line, and TensorBoard's curves."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

Event = dict[str, Any]
Listener = Callable[[Event], None]


class Record:
    """Appends every event to `record.jsonl`, with the time in seconds since 1970."""

    def __init__(self, run: Path):
        run.mkdir(parents=True, exist_ok=True)
        self._path = run / "record.jsonl"

    def __call__(self, event: Event) -> None:
        """Write one event."""
        line = json.dumps({"time": round(time.time(), 3), **event}, ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


class Curves:
    """Shows an event's numbers in TensorBoard, against the update they belong to."""

    def __init__(self, run: Path):
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(str(run / "tensorboard"))

    def __call__(self, event: Event) -> None:
        """Draw one event's numbers."""
        if "step" not in event:
            return
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
