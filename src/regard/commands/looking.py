"""a run, questions -> traces with what a page says at its foot."""

import threading
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from regard.checkpoint import checkpoints, resolve
from regard.errors import RequestError
from regard.trace import Kind, Trace, packed
from regard.translator import Translator


class Looking:
    """A run that is looked into; one question at a time.

    Args:
        run: A run, or one of its checkpoints.
        device: Where the model runs.
        command: What was typed.
    """

    def __init__(self, run: Path, device: torch.device, *, command: str):
        self.run = run
        self.device = device
        self.command = command
        self.chosen = resolve(run)
        self.folders = {folder.name: folder for folder in (*checkpoints(run), self.chosen)}
        self._one_at_a_time = threading.Lock()
        self._translator = lru_cache(maxsize=4)(self._load)

    @property
    def names(self) -> list[str]:
        """Of the checkpoints that can be asked, the oldest first, the one used by default last."""
        return list(self.folders)

    def _load(self, name: str) -> Translator:
        return Translator.load(self.folders[name], device=self.device)

    def trace(
        self,
        text: str,
        *,
        target: str | None = None,
        checkpoint: str | None = None,
        without: tuple[tuple[Kind, int, int], ...] = (),
    ) -> Trace:
        """Of one sentence; values are kept.

        Raises:
            RequestError: the question cannot be answered.
            CheckpointError: the checkpoint cannot be read.
        """
        name = checkpoint or self.chosen.name
        if name not in self.folders:
            raise RequestError(f"{self.run} has no checkpoint {name!r}; ask for one that it has")
        translator = self._translator(name)
        trace = translator.trace(text, target=target, values=True, without=without)
        return trace.with_about(
            model=self.run.name,
            command=self.command,
            date=datetime.now(UTC).isoformat(timespec="minutes"),
        )

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """A question from the page: text, and perhaps target, checkpoint, heads to be silenced.

        Raises:
            RequestError: it is not one.
        """
        kinds = {"text": str, "target": str, "checkpoint": str, "without": list}
        for name, value in question.items():
            if name not in kinds or not isinstance(value, kinds[name]):
                raise RequestError(f"a question has text, target, checkpoint and without: {name!r}")
        if "text" not in question:
            raise RequestError("the question has no text")
        heads = tuple(map(_head, question.pop("without", [])))
        with self._one_at_a_time:
            return packed(self.trace(**question, without=heads))


def _head(given: Any) -> tuple[Kind, int, int]:
    match given:
        case [("encoder" | "decoder" | "cross") as kind, int(layer), int(head)]:
            return kind, layer, head
    raise RequestError('without is a list of heads, as in [["cross", 0, 3]]')
