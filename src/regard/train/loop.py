"""recipe -> run: the whole of a training, from text to the last checkpoint."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from regard.checkpoint import (
    Checkpoint,
    average,
    checkpoints,
    load,
    newest,
    parameters,
    remove,
    save,
    step_folder,
    take,
)
from regard.data.corpus import training_pairs, validation_pairs
from regard.data.pairs import Examples, Pair, encode
from regard.data.stream import Stream
from regard.errors import CorpusError, RecipeError
from regard.models.build import build
from regard.text.pieces import Pieces
from regard.train.interrupt import Interrupt, interruptible
from regard.train.memory import keep_freed_memory
from regard.train.optimiser import adam, moments, remember
from regard.train.recipe import Recipe
from regard.train.record import Event, Listener
from regard.train.schedule import cooldown, learning_rate
from regard.train.step import update
from regard.train.validate import Validation, validate
from regard.translator import Translator

FREE_TO_CHANGE = {"training.updates", "training.patience", "training.average"}
"""What may differ when a training goes on."""


@dataclass
class Progress:
    """Where a training stands; a checkpoint's state.json.

    Attributes:
        step: Updates made.
        seen: Examples seen.
        validated: The step of the last validation.
        best: The best validation so far, and its step.
        waited: Validations since then.
    """

    step: int = 0
    seen: int = 0
    validated: int = 0
    best: dict[str, Any] | None = None
    waited: int = 0


@dataclass(frozen=True)
class Outcome:
    """How a training ended: "updates" or "patience" reached, "interrupted", or "nothing to do"."""

    reason: str
    step: int
    best: dict[str, Any] | None


def train(
    recipe: Recipe, run: Path, *, device: torch.device, listeners: Sequence[Listener]
) -> Outcome:
    """Learn what a recipe says, or go on where its run was left.

    Args:
        recipe: What to learn, and how.
        run: The folder that the run writes; made if it is not there.
        device: Where the model is.
        listeners: Are told every event.

    Raises:
        RegardError: what cannot be used or written, as the classes of `errors.py` tell.
    """
    if device.type == "cpu":
        keep_freed_memory()
    with interruptible() as interrupt:
        return Training(recipe, run, device, listeners).run(interrupt)


class Training:
    """A training at work: what `train` needs from its beginning to its end."""

    def __init__(
        self, recipe: Recipe, run: Path, device: torch.device, listeners: Sequence[Listener]
    ):
        self.recipe = recipe
        self.folder = run
        self.device = device
        self.listeners = listeners
        self.progress = Progress()
        latest = newest(run)
        earlier = load(latest) if latest else None
        if earlier:
            _check_recipe(recipe.as_json(), earlier.recipe, run)
        pairs = list(training_pairs(recipe.data))
        self.source, self.target = (
            (earlier.source, earlier.target) if earlier else _learn_pieces(recipe, pairs)
        )
        examples = self._encode(pairs, "pairs")
        self.valid_pairs = validation_pairs(recipe.data)
        self.valid = self._encode(self.valid_pairs, "held-out pairs")
        self.stream = Stream(examples, pieces=recipe.training.batch, seed=recipe.training.seed)
        torch.manual_seed(recipe.training.seed)
        self.model = build(
            recipe.model, source_rows=len(self.source), target_rows=len(self.target)
        ).to(device)
        self.optimiser = adam(self.model)
        if earlier:
            self._restore(earlier)
        self._tell(
            "start",
            step=self.progress.step,
            updates=recipe.training.updates,
            pieces=[len(self.source), len(self.target)],
            parameters=sum(p.numel() for p in self.model.parameters()),
            device=str(device),
            run=str(run),
        )

    def run(self, interrupt: Interrupt) -> Outcome:
        """Make updates until there is a reason to stop."""
        if self._reason():
            return self._end("nothing to do")
        remove(path for path in [self.folder / "average"] if path.exists())
        batches = self.stream.batches(self.progress.seen)
        while not (reason := self._reason()):
            if self._due():
                self._validate()
                self._save()
                if interrupt.asked:
                    return self._end("interrupted")
                continue
            started = time.perf_counter()
            taken = list(islice(batches, self.recipe.training.accumulate))
            self.progress.seen += sum(map(len, taken))
            self.progress.step += 1
            rate = self._rate()
            self.model.train()
            result = update(
                self.model,
                [batch.to(self.device) for batch in taken],
                self.optimiser,
                rate=rate,
                label_smoothing=self.recipe.training.label_smoothing,
                clip=self.recipe.training.clip,
            )
            self._tell(
                "update",
                step=self.progress.step,
                **asdict(result),
                rate=rate,
                seconds=time.perf_counter() - started,
            )
            if interrupt.asked:
                self._save()
                return self._end("interrupted")
        return self._end(reason)

    def _rate(self) -> float:
        training, step = self.recipe.training, self.progress.step
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
        return step > self.progress.validated and self._regular(step)

    def _regular(self, step: int) -> bool:
        """Whether a validation, and a checkpoint that stays, belongs to this step."""
        return step % self.recipe.validation.every == 0 or step == self.recipe.training.updates

    def _validate(self) -> None:
        started = time.perf_counter()
        result = self._judge(Translator(self.model, self.source, self.target))
        progress = self.progress
        progress.validated = progress.step
        old = progress.best
        best = result.better_than(Validation(old["perplexity"], old["bleu"], "") if old else None)
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

    def _judge(self, translator: Translator) -> Validation:
        return validate(
            translator,
            self.valid_pairs,
            self.valid,
            self.recipe.validation,
            batch=self.recipe.training.batch,
        )

    def _save(self) -> None:
        folder = step_folder(self.folder, self.progress.step)
        random = {"random/torch": torch.get_rng_state()}
        save(
            folder,
            Checkpoint(
                parameters=parameters(self.model),
                source=self.source,
                target=self.target,
                recipe=self.recipe.as_json(),
                state=asdict(self.progress),
                training=moments(self.model, self.optimiser) | random,
            ),
        )
        self._tell("checkpoint", step=self.progress.step, folder=str(folder))
        remove(self._unwanted())

    def _unwanted(self) -> list[Path]:
        """Checkpoints that are neither among the last, nor the best."""
        saved = checkpoints(self.folder)
        regular = [path for path in saved if self._regular(_step_of(path))]
        wanted = {*regular[-self.recipe.training.keep :], saved[-1]}
        if self.progress.best:
            wanted.add(step_folder(self.folder, self.progress.best["step"]))
        return [path for path in saved if path not in wanted]

    def _restore(self, checkpoint: Checkpoint) -> None:
        self.progress = Progress(**checkpoint.state)
        take(self.model, checkpoint.parameters)
        remember(self.model, self.optimiser, checkpoint.training)
        torch.set_rng_state(checkpoint.training["random/torch"])

    def _end(self, reason: str) -> Outcome:
        if reason in ("updates", "patience") and self.recipe.training.average:
            self._average()
        best = self.progress.best
        self._tell("end", step=self.progress.step, reason=reason, best=best)
        return Outcome(reason, self.progress.step, best)

    def _average(self) -> None:
        regular = [p for p in checkpoints(self.folder) if self._regular(_step_of(p))]
        mean = average(regular[-self.recipe.training.average :])
        result = self._judge(Translator.of(mean, device=self.device))
        save(self.folder / "average", mean)
        self._tell(
            "average", step=self.progress.step, **asdict(result), of=mean.state["average_of"]
        )

    def _encode(self, pairs: Sequence[Pair], name: str) -> Examples:
        data = self.recipe.data
        try:
            examples, report = encode(
                pairs, self.source, self.target, longest=data.longest, ratio=data.ratio
            )
        except CorpusError as error:
            raise CorpusError(f"{name}: {error}") from None
        self._tell("data", name=name, report=str(report), **asdict(report))
        return examples

    def _tell(self, event: str, **content: Any) -> None:
        told: Event = {"event": event, **content}
        for listener in self.listeners:
            listener(told)


def _learn_pieces(recipe: Recipe, pairs: Sequence[Pair]) -> tuple[Pieces, Pieces]:
    options = recipe.pieces
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    if options.joint:
        both = Pieces.learn([*sources, *targets], size=options.size, method=options.method)
        return both, both
    return (
        Pieces.learn(sources, size=options.size, method=options.method),
        Pieces.learn(targets, size=options.size, method=options.method),
    )


def _step_of(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix("step-"))


def _check_recipe(new: dict[str, Any], old: dict[str, Any], run: Path) -> None:
    """Refuse to go on with another recipe than the run began with."""
    changed = [
        f"{section}.{key} was {old.get(section, {}).get(key)!r} and is {value!r}"
        for section in new
        for key, value in new[section].items()
        if f"{section}.{key}" not in FREE_TO_CHANGE
        and _plain(value) != old.get(section, {}).get(key)
    ]
    if changed:
        raise RecipeError(
            f"{run} was begun with another recipe: {'; '.join(changed)};"
            " give another --run, or the old recipe"
        )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
