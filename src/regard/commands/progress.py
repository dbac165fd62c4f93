"""events of a training -> a terminal: a bar where there is one, plain lines where not."""

import math
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from regard.train.record import Event

LINES_APART = 100
"""Updates between two lines where there is no terminal."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """That nobody looks any more is no reason to stop learning."""
        self.quiet = True


class Screen:
    """Shows loss, pieces per second and time left while a training goes on."""

    def __init__(self):
        self.console = _Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeRemainingColumn(),
            console=self.console,
            disable=not self.console.is_terminal,
        )
        self._task: TaskID | None = None
        self._loss = self._pieces = self._seconds = 0.0
        self._bleu = ""

    def __enter__(self) -> "Screen":
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def __call__(self, event: Event) -> None:
        """Show one event."""
        match event["event"]:
            case "data":
                self._say(f"{event['name']}: {event['report']}")
            case "start":
                self._start(event)
            case "update":
                self._update(event)
            case "note":
                self._say(event["text"])
            case "validation" | "average":
                self._bleu = f"BLEU {event['bleu']:.1f}, "
                self._say(
                    f"update {event['step']}: {event['event']} BLEU {event['bleu']:.2f},"
                    f" perplexity {event['perplexity']:.3f}"
                    + (", the best so far" if event.get("best") else "")
                )

    def _start(self, event: Event) -> None:
        source, target = event["pieces"]
        about = event["about"]
        self._say(
            f"{event['run']}: {event['parameters']:,} parameters,"
            f" {source:,} and {target:,} pieces, on {event['device']}"
            + (f" by {about['processes']} processes" if about["processes"] > 1 else "")
            + (" in bfloat16" if about["bfloat16"] else "")
            + (f", begun from {about['from']}" if "from" in about else "")
            + (f", going on from update {event['step']}" if event["step"] else "")
        )
        self._task = self._progress.add_task(
            "learning", completed=event["step"], total=event["updates"]
        )

    def _update(self, event: Event) -> None:
        weight = 0.05 if self._seconds else 1.0  # moving averages over some twenty updates
        if math.isfinite(event["unsmoothed"]):
            self._loss += weight * (event["unsmoothed"] - self._loss)
        self._pieces += weight * (event["pieces"] - self._pieces)
        self._seconds += weight * (event["seconds"] - self._seconds)
        text = (
            f"epoch {event['epoch']:.2f}, loss {self._loss:.3f},"
            f" perplexity {math.exp(min(self._loss, 99)):.2f}, {self._bleu}"
            f"rate {event['rate']:.1e}, {self._pieces / self._seconds:,.0f} pieces/s"
        )
        if self._task is not None:
            self._progress.update(self._task, completed=event["step"], description=text)
        if not self.console.is_terminal and event["step"] % LINES_APART == 0:
            self._say(f"update {event['step']}: {text}")

    def _say(self, text: str) -> None:
        try:
            self.console.print(text, highlight=False, markup=False, soft_wrap=True)
        except OSError:  # a full disk under a log is no reason to stop learning either
            self.console.quiet = True
