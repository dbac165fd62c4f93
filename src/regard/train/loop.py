"""recipe -> run: the whole of a training, from text to the last checkpoint."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.checkpoint import Checkpoint, parameters, save
from regard.data.batch import Batch
from regard.errors import NotFiniteError, OutOfMemoryError, is_out_of_memory
from regard.models.sizes import multiplications
from regard.train.ahead import ahead
from regard.train.begin import claimed
from regard.train.chance import random_states
from regard.train.compiled import as_it_was
from regard.train.interrupt import Interrupt, Stopped, interruptible, mortal
from regard.train.keep import Keeper
from regard.train.machine import peak
from regard.train.memory import keep_freed_memory, most_megabytes
from regard.train.optimiser import moments
from regard.train.prepare import Learning, Left, Setting, prepare
from regard.train.recipe import Recipe
from regard.train.record import Listener, Teller
from regard.train.schedule import cooldown, learning_rate
from regard.train.several import check_share, several
from regard.train.state import Outcome
from regard.train.step import Update, update
from regard.train.validate import Validation, validate
from regard.translator import Translator

Taken = tuple[np.ndarray, list[Batch]]
"""What an update takes: the rows of all its batches, and this process's share of them."""

ADVICE = (
    "The last checkpoint, if there is one, is whole: begin anew, or --from it, with a smaller"
    " training.factor, a longer training.warmup, or training.clip = 1.0"
)


def train(
    recipe: Recipe,
    run: Path,
    *,
    device: torch.device,
    listeners: Sequence[Listener] = (),
    begin_from: Path | None = None,
    accept_data_change: bool = False,
) -> Outcome:
    """Learn what a recipe says, or go on where its run was left.

    Args:
        recipe: What to learn, and how.
        run: The folder that the run writes; made if it is not there.
        device: Where the model is.
        listeners: Are told every event.
        begin_from: Another run, whose parameters and pieces a new run begins with.
        accept_data_change: Whether to go on with other text than the run was begun with.

    Raises:
        RegardError: what cannot be used or written, as the classes of `errors.py` tell.
    """
    if device.type == "cpu":
        keep_freed_memory()
    tf32 = recipe.training.precision == "tf32"
    torch.set_float32_matmul_precision("high" if tf32 else "highest")
    with several(device) as group:
        check_share(recipe.training.accumulate, group)
        with claimed(run) if group.rank == 0 else nullcontext() as sign:
            tell = Teller(listeners if group.rank == 0 else [])
            setting = Setting(recipe, run, device, group, tell)
            left = Left(setting) if group.rank == 0 else None
            group.first(None)  # the others look at what is there after the first has tidied it
            left = left or Left(setting)
            training = Training(setting, left)
            if training.has_ended():
                step, best = left.progress.step, left.progress.best
                return Outcome("nothing to do", step, best, notes=left.notes)
            if sign:
                sign()
            with mortal():
                learning = prepare(
                    setting, left, begin_from=begin_from, accept_data_change=accept_data_change
                )
            with interruptible() as interrupt:
                return training.run(learning, interrupt)


class Training:
    """A training at work, from its first update to its last checkpoint."""

    learning: Learning
    interrupt: Interrupt

    def __init__(self, setting: Setting, left: Left):
        self.recipe = setting.recipe
        self.run_folder = setting.run
        self.device = setting.device
        self.group = setting.group
        self.tell = setting.tell
        self.progress = left.progress
        self.keeper = Keeper(setting.run, setting.recipe, setting.tell)
        self.saved: dict[str, Any] = {}

    def has_ended(self) -> bool:
        """Whether there is nothing more to learn, and nothing left to write."""
        return self._reason() is not None and self.keeper.has_average(self.progress.step)

    def run(self, learning: Learning, interrupt: Interrupt) -> Outcome:
        """Make updates until there is a reason to stop."""
        self.learning = learning
        self.interrupt = interrupt
        self.random = random_states(self.device)
        if self.group.rank == 0:
            self.keeper.drop_average()
        stream = learning.material.stream
        self.passed = stream.passed(self.progress.seen)
        with closing(ahead(self._material())) as material:
            return self._go_on(material)

    def _go_on(self, material: Iterator[Taken]) -> Outcome:
        """Learn what is taken, until there is a reason to stop."""
        while not (reason := self._reason()):
            if not self._due():
                started = time.perf_counter()
                rows, batches = next(material)
                self._update(rows, batches, waited=time.perf_counter() - started)
            elif self._validate():
                self._save(last=self._reason() is not None)
            if asked := self.group.most(self.interrupt.signal):
                self._save(last=True)
                return self._end("interrupted", asked)
        return self._finish(reason)

    def _material(self) -> Iterator[Taken]:
        """What each update takes; another thread makes it, so that none waits for a disk."""
        stream = self.learning.material.stream
        rows = stream.batches(self.progress.seen)
        while True:
            taken = list(islice(rows, self.recipe.training.accumulate))
            yield (
                np.concatenate(taken),
                [Batch.of(stream.examples, own) for own in self.group.share(taken)],
            )

    def _update(self, rows: np.ndarray, batches: Sequence[Batch], *, waited: float) -> None:
        """One update; an interrupted one is as if it had not been tried."""
        started = time.perf_counter()
        progress, stream = self.progress, self.learning.material.stream
        self.random = random_states(self.device)
        batches = [batch.to(self.device) for batch in batches]
        rate = self._rate(progress.step + 1)
        result = self._try(batches, rate)
        if result is None:
            return
        self.random = random_states(self.device)
        self.passed += stream.count(rows)
        numbers = stream.examples.numbers[rows].tolist()
        note = progress.count(result, numbers)
        seconds = time.perf_counter() - started
        self.tell(
            "update",
            step=progress.step,
            epoch=progress.seen / len(stream),
            epochs=self._epochs(),
            rate=rate,
            seconds=seconds,
            waited=waited,
            pieces_per_second=result.pieces / seconds,
            of_peak=self._operations(rows) / seconds / self._peak(),
            megabytes=most_megabytes(self.device),
            **asdict(result),
        )
        if note:
            self.tell("note", step=progress.step, text=note)
        if progress.in_a_row >= self.recipe.training.nonfinite:
            raise NotFiniteError(f"{note} ({progress.in_a_row} in a row). {ADVICE}")

    def _epochs(self) -> dict[str, float]:
        """How often each corpus was gone through."""
        material = self.learning.material
        shares = self.passed / material.stream.counts
        return dict(zip(material.corpora, shares.tolist(), strict=True))

    def _try(self, batches: Sequence[Batch], rate: float) -> Update | None:
        training = self.recipe.training
        self.learning.model.train()
        try:
            return update(
                self.learning.learner,
                batches,
                self.learning.optimiser,
                rate=rate,
                clip=training.clip,
                interrupted=lambda: self.group.size == 1 and self.interrupt.signal,
            )
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            side = max(max(b.source.ids.numel(), b.target_in.ids.numel()) for b in batches)
            raise OutOfMemoryError(
                f"update {self.progress.step + 1}: a batch of {side:,} pieces a side, padding"
                f" counted, does not fit into memory; lower training.batch ({training.batch:,}) and"
                f" raise training.accumulate ({training.accumulate}) by as much, in a new run"
            ) from None

    def _operations(self, rows: np.ndarray) -> int:
        """Floating-point operations of an update: forward, and two products backward."""
        examples = self.learning.material.stream.examples
        pair = multiplications(
            self.recipe.model,
            source=round(examples.source.lengths_of(rows).mean()),
            target=round(examples.target.lengths_of(rows).mean()),
            target_rows=len(self.learning.material.target),
        )
        return 2 * 3 * pair * len(rows)

    def _peak(self) -> float:
        kind = torch.bfloat16 if self.progress.about["bfloat16"] else torch.float32
        return peak(self.device, kind) * self.group.size

    def _rate(self, step: int) -> float:
        training = self.recipe.training
        rate = learning_rate(
            step, d_model=self.recipe.model.d_model, warmup=training.warmup, factor=training.factor
        )
        return rate * cooldown(step, updates=training.updates, length=training.cooldown)

    def _reason(self) -> str | None:
        """Why there is nothing more to learn, if so."""
        if self._due():
            return None
        training = self.recipe.training
        if training.patience and self.progress.waited >= training.patience:
            return "patience"
        return "updates" if self.progress.step >= training.updates else None

    def _due(self) -> bool:
        """Whether a validation comes next."""
        step = self.progress.step
        return step > self.progress.validated and self.keeper.regular(step)

    def _validate(self) -> bool:
        """Judge the model; False if it was interrupted."""
        started = time.perf_counter()
        material = self.learning.material
        result = self._judge(
            Translator(
                self.learning.model,
                material.source,
                material.target,
                search=self.recipe.search,
                longest=self.recipe.data.longest,
            )
        )
        if result is None:
            return False
        progress = self.progress
        progress.validated = progress.step
        best = progress.best is None or result.better_than(progress.best)
        progress.waited = 0 if best else progress.waited + 1
        if best:
            progress.best = {
                "step": progress.step, "bleu": result.bleu, "perplexity": result.perplexity
            }  # fmt: skip
        self.tell(
            "validation",
            step=progress.step,
            **asdict(result),
            best=best,
            seconds=time.perf_counter() - started,
        )
        return True

    def _judge(self, translator: Translator | None) -> Validation | None:
        """Process 0 judges for all; None if a signal came meanwhile."""
        result = None
        if translator and self.group.rank == 0:
            with suppress(Stopped), self.interrupt.at_once(), as_it_was(self.recipe):
                result = validate(
                    translator,
                    self.learning.material.valid_pairs,
                    self.learning.material.valid,
                    self.recipe.validation,
                    batch=self.recipe.training.batch,
                )
        told = self.group.first(result and asdict(result))
        return told and Validation(**told)

    def _save(self, *, last: bool) -> None:
        if self.saved == asdict(self.progress):
            return
        if not all(bool(p.isfinite().all()) for p in self.learning.model.parameters()):
            raise NotFiniteError(
                f"update {self.progress.step} left parameters not finite. {ADVICE}"
            )
        random = {
            f"random/{name}/{rank}": state
            for name, own in self.random.items()
            for rank, state in enumerate(self.group.each(own))
        }
        written = self.group.rank > 0 or self.keeper.save(
            Checkpoint(
                parameters=parameters(self.learning.model),
                source=self.learning.material.source,
                target=self.learning.material.target,
                recipe=self.recipe.as_json(),
                state=asdict(self.progress),
                training=moments(self.learning.model, self.learning.optimiser) | random,
            ),
            last=last,
        )
        self.saved = asdict(self.progress) if self.group.first(written) else {}

    def _finish(self, reason: str) -> Outcome:
        """Average what was learnt, if the recipe says so."""
        step, first = self.progress.step, self.group.rank == 0
        wanted = first and self.recipe.training.average > 0
        mean = self.keeper.average(step) if wanted else None
        if self.group.first(mean is not None):
            result = self._judge(Translator.of(mean, device=self.device) if mean else None)
            if result is None:
                return self._end("interrupted", self.group.most(self.interrupt.signal))
            if mean:
                save(self.run_folder / "average", mean)
                of = mean.state["average_of"]
                self.tell("average", step=step, **asdict(result), of=of)
        return self._end(reason, 0)

    def _end(self, reason: str, signal: int) -> Outcome:
        step, best = self.progress.step, self.progress.best
        self.tell("end", step=step, reason=reason, best=best)
        return Outcome(reason, step, best, signal)
