"""recipe -> run: the whole of a training, from text to the last checkpoint."""

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.checkpoint import Checkpoint, newest, parameters, take
from regard.data.batch import Batch
from regard.errors import DiskError, OutOfMemoryError, is_out_of_memory
from regard.models.build import build
from regard.train.begin import begun_from, changed_text, changes, claimed
from regard.train.chance import random_states, set_random_states
from regard.train.interrupt import Interrupt, Stopped, interruptible, mortal
from regard.train.keep import Keeper
from regard.train.material import Material, Text
from regard.train.memory import keep_freed_memory, most_megabytes
from regard.train.optimiser import adam, moments, remember
from regard.train.precision import faster_in_bfloat16
from regard.train.recipe import Recipe
from regard.train.record import Listener
from regard.train.schedule import cooldown, learning_rate
from regard.train.several import Group, check_share, several
from regard.train.state import Outcome, Progress
from regard.train.step import Update, update
from regard.train.validate import Validation, validate
from regard.translator import Translator


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
    with several(device) as group:
        check_share(recipe.training.accumulate, group)
        with claimed(run) if group.rank == 0 else nullcontext() as sign:
            group.first(None)  # the others read what is there after the first has tidied it
            with mortal():
                training = Training(recipe, run, device, listeners, group)
                if training.has_ended():
                    return Outcome("nothing to do", *training.stands())
                if sign:
                    sign()
                training.prepare(begin_from, accept_data_change=accept_data_change)
            with interruptible() as interrupt:
                return training.run(interrupt)


class Training:
    """A training at work: what `train` needs from its beginning to its end."""

    def __init__(
        self,
        recipe: Recipe,
        run: Path,
        device: torch.device,
        listeners: Sequence[Listener],
        group: Group,
    ):
        self.recipe = recipe
        self.folder = run
        self.device = device
        self.group = group
        self.listeners = list(listeners) if group.rank == 0 else []
        self.keeper = Keeper(run, recipe, self._tell)
        self.earlier, passed_over = newest(run)
        self.notes = [f"passed over: {reason}" for reason in passed_over]
        self.progress = Progress(**self.earlier.state) if self.earlier else Progress()
        self.saved: dict[str, Any] = {}
        if self.earlier:
            self.notes += changes(recipe.as_json(), self.earlier.recipe, run)

    def has_ended(self) -> bool:
        """Whether there is nothing more to learn, and nothing left to write."""
        return self._reason() is not None and self.keeper.has_average(self.progress.step)

    def stands(self) -> tuple[int, dict[str, Any] | None]:
        """Updates made, and the best validation."""
        return self.progress.step, self.progress.best

    def prepare(self, begin_from: Path | None, *, accept_data_change: bool) -> None:
        """Read the text, and make the model as it begins or as it was left."""
        about = self.progress.about
        text = Text.of(self.recipe)
        prints = text.fingerprints()
        if self.earlier:
            changed = changed_text(prints, about["text"], self.folder, accept=accept_data_change)
            if changed:
                about.setdefault("changes", []).append({"step": self.progress.step, "was": changed})
                self.notes += changed
        about["text"] = prints
        begun = begun_from(begin_from, self.earlier, self.recipe.as_json(), about, self.folder)
        self.material = Material.of(self.recipe, text, begun, self._tell)
        self._make_model(begun)
        self._tell(
            "start",
            step=self.progress.step,
            updates=self.recipe.training.updates,
            examples=len(self.material.stream),
            pieces=[len(self.material.source), len(self.material.target)],
            parameters=sum(p.numel() for p in self.model.parameters()),
            device=str(self.device),
            threads=torch.get_num_threads(),
            torch=torch.__version__,
            run=str(self.folder),
            about=about,
        )
        for note in self.notes:
            self._tell("note", step=self.progress.step, text=note)

    def _make_model(self, begun: Checkpoint | None) -> None:
        recipe, about = self.recipe, self.progress.about
        torch.manual_seed(recipe.training.seed)
        self.model = build(
            recipe.model,
            source_rows=len(self.material.source),
            target_rows=len(self.material.target),
        ).to(self.device)
        if begun:
            take(self.model, begun.parameters)
        if "bfloat16" not in about:
            about["bfloat16"] = self._wants_bfloat16()
        self.optimiser = adam(self.model)
        torch.manual_seed(recipe.training.seed + self.group.rank)  # each drops other numbers
        if self.earlier:
            remember(self.model, self.optimiser, self.earlier.training)
            if about["processes"] == self.group.size:
                set_random_states(self.earlier.training, self.device, self.group.rank)
            else:
                self.notes.append(
                    f"{about['processes']} processes learnt before, now it is {self.group.size}:"
                    " dropout goes on with other random numbers"
                )
        about["processes"] = self.group.size
        self.random = random_states(self.device)
        self.learner = self.group.learner(
            self.model,
            label_smoothing=recipe.training.label_smoothing,
            bfloat16=about["bfloat16"],
        )

    def _wants_bfloat16(self) -> bool:
        wanted = self.recipe.training.precision
        if wanted != "auto":
            return wanted == "bfloat16"
        stream = self.material.stream
        batch = Batch.of(stream.examples, next(stream.batches())).to(self.device)
        return self.group.first(faster_in_bfloat16(self.model, batch))

    def run(self, interrupt: Interrupt) -> Outcome:
        """Make updates until there is a reason to stop."""
        if self.group.rank == 0:
            self.keeper.drop_average()
        rows = self.material.stream.batches(self.progress.seen)
        while not (reason := self._reason()):
            if not self._due():
                self._update(list(islice(rows, self.recipe.training.accumulate)), interrupt)
            elif self._validate(interrupt):
                self._save(last=self._reason() is not None)
            if asked := self.group.most(interrupt.signal):
                self._save(last=True)
                return self._end("interrupted", asked)
        return self._finish(reason, interrupt)

    def _update(self, taken: Sequence[np.ndarray], interrupt: Interrupt) -> None:
        """One update; an interrupted one is as if it had not been tried."""
        started = time.perf_counter()
        progress, training, stream = self.progress, self.recipe.training, self.material.stream
        self.random = random_states(self.device)
        batches = [
            Batch.of(stream.examples, rows).to(self.device) for rows in self.group.share(taken)
        ]
        rate = self._rate(progress.step + 1)
        result = self._try(batches, rate, interrupt)
        if result is None:
            return
        self.random = random_states(self.device)
        numbers = np.concatenate([stream.examples.numbers[rows] for rows in taken]).tolist()
        note = progress.count(result, numbers, most=training.nonfinite)
        seconds = time.perf_counter() - started
        self._tell(
            "update",
            step=progress.step,
            epoch=progress.seen / len(stream),
            rate=rate,
            seconds=seconds,
            pieces_per_second=result.pieces / seconds,
            megabytes=most_megabytes(self.device),
            **asdict(result),
        )
        if note:
            self._tell("note", step=progress.step, text=note)

    def _try(self, batches: Sequence[Batch], rate: float, interrupt: Interrupt) -> Update | None:
        self.model.train()
        try:
            return update(
                self.learner,
                batches,
                self.optimiser,
                rate=rate,
                clip=self.recipe.training.clip,
                interrupted=lambda: self.group.size == 1 and interrupt.signal,
            )
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            side = max(max(b.source.ids.numel(), b.target_in.ids.numel()) for b in batches)
            raise OutOfMemoryError(
                f"update {self.progress.step + 1}: a batch of {side:,} pieces a side, padding"
                f" counted, does not fit into memory; lower training.batch"
                f" ({self.recipe.training.batch:,}) and raise training.accumulate"
                f" ({self.recipe.training.accumulate}) by as much, in a new run"
            ) from None

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

    def _validate(self, interrupt: Interrupt) -> bool:
        """Judge the model; False if it was interrupted."""
        started = time.perf_counter()
        translator = Translator(self.model, self.material.source, self.material.target)
        result = self._judge(translator, interrupt)
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
        self._tell(
            "validation",
            step=progress.step,
            **asdict(result),
            best=best,
            seconds=time.perf_counter() - started,
        )
        return True

    def _judge(self, translator: Translator | None, interrupt: Interrupt) -> Validation | None:
        """Process 0 judges for all; None if a signal came meanwhile."""
        result = None
        if translator and self.group.rank == 0:
            try:
                with interrupt.at_once():
                    result = validate(
                        translator,
                        self.material.valid_pairs,
                        self.material.valid,
                        self.recipe.validation,
                        batch=self.recipe.training.batch,
                    )
            except Stopped:
                pass
        told = self.group.first(result and asdict(result))
        return told and Validation(**told)

    def _save(self, *, last: bool) -> None:
        if self.saved == asdict(self.progress):
            return
        random = {
            f"random/{name}/{rank}": state
            for name, own in self.random.items()
            for rank, state in enumerate(self.group.each(own))
        }
        written = self.group.rank > 0 or self.keeper.save(
            Checkpoint(
                parameters=parameters(self.model),
                source=self.material.source,
                target=self.material.target,
                recipe=self.recipe.as_json(),
                state=asdict(self.progress),
                training=moments(self.model, self.optimiser) | random,
            ),
            last=last,
        )
        self.saved = asdict(self.progress) if self.group.first(written) else {}

    def _finish(self, reason: str, interrupt: Interrupt) -> Outcome:
        """Average what was learnt, if the recipe says so."""
        if self.recipe.training.average:
            mean = self.keeper.average() if self.group.rank == 0 else None
            translator = Translator.of(mean, device=self.device) if mean else None
            result = self._judge(translator, interrupt)
            if result is None:
                return self._end("interrupted", self.group.most(interrupt.signal))
            if mean:
                self.keeper.save_average(mean)
                of = mean.state["average_of"]
                self._tell("average", step=self.progress.step, **asdict(result), of=of)
        return self._end(reason, 0)

    def _end(self, reason: str, signal: int) -> Outcome:
        step, best = self.stands()
        self._tell("end", step=step, reason=reason, best=best)
        return Outcome(reason, step, best, signal)

    def _tell(self, event: str, **content: Any) -> None:
        for listener in list(self.listeners):
            try:
                listener({"event": event, **content})
            except DiskError as error:
                self.listeners.remove(listener)
                text = f"{error}; learning goes on without it"
                self._tell("note", step=self.progress.step, text=text)
