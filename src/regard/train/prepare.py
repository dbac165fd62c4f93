"""recipe, run -> all that learning needs: as it begins, or as it was left."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from regard.checkpoint import Checkpoint, newest, take
from regard.data.batch import Batch
from regard.data.store import Store
from regard.data.survey import fingerprint
from regard.errors import CheckpointError, RecipeError
from regard.models.build import build
from regard.models.encoder_decoder import EncoderDecoder
from regard.train.begin import begun_from, changed_text, changes, recipe_in
from regard.train.chance import set_random_states
from regard.train.compiled import compile_layers
from regard.train.machine import faster_in_bfloat16
from regard.train.material import Material, Text, found, stored
from regard.train.optimiser import adam, remember
from regard.train.recipe import Recipe
from regard.train.record import Teller
from regard.train.several import Group
from regard.train.state import Progress
from regard.train.step import Learner


@dataclass(frozen=True)
class Setting:
    """Where a training happens.

    Attributes:
        recipe: What is learnt, and how.
        run: The folder that it writes.
        device: Where the model is.
        group: The processes that learn together.
        tell: Who is told what happens.
    """

    recipe: Recipe
    run: Path
    device: torch.device
    group: Group
    tell: Teller

    def say(self, words: str) -> None:
        """Tell something while there is no update yet."""
        self.tell("note", step=0, text=words)


class Left:
    """A run's folder as it was left; nothing is in a new one.

    Attributes:
        checkpoint: The newest that is whole.
        progress: Where it stands.
        notes: What a person should know about it.
    """

    def __init__(self, setting: Setting):
        """Look for it.

        Raises:
            CheckpointError: no checkpoint is whole, or it cannot be gone on with.
            RecipeError: it was begun with another recipe.
        """
        self.checkpoint, passed_over = newest(setting.run)
        self.notes = [f"passed over: {reason}" for reason in passed_over]
        self.progress = Progress()
        if self.checkpoint:
            self.progress = Progress.of(self.checkpoint.state, setting.run)
            before = recipe_in(self.checkpoint, setting.run)
            self.notes += changes(setting.recipe, before, setting.run)
            wanted, made = setting.recipe.training.updates, self.progress.step
            if wanted < made:
                raise RecipeError(f"training.updates {wanted}: {setting.run} has {made} already")


@dataclass(frozen=True)
class Learning:
    """What an update works with."""

    material: Material
    model: EncoderDecoder
    learner: Learner
    optimiser: torch.optim.Adam


def prepare(
    setting: Setting, left: Left, *, begin_from: Path | None, accept_data_change: bool
) -> Learning:
    """Read the text, and make the model as it begins or as it was left.

    Raises:
        RegardError: what of it cannot be used.
    """
    recipe, progress = setting.recipe, left.progress
    text = Text.of(recipe, setting.say)
    begun = begun_from(begin_from, left.checkpoint, recipe, progress, setting.run)

    def accept(prints: dict[str, str]) -> None:
        """Put the text's fingerprints down, unless it is other text than the run was begun with."""
        prints = {**prints, "held-out": fingerprint(text.valid)}
        if left.checkpoint:
            before = progress.about["text"]
            changed = changed_text(prints, before, setting.run, accept=accept_data_change)
            if changed:
                progress.about.setdefault("changes", []).append(
                    {"step": progress.step, "was": changed}
                )
                left.notes += changed
        progress.about["text"] = prints

    store = _store(setting, text, begun, accept)
    stands = [progress.step, progress.about["text"]]
    if setting.group.first(stands) != stands:
        raise _sees_other(setting.group)
    material = Material.of(recipe, text, store, setting.tell)
    left.progress.seen = material.stream.place(left.progress.seen)
    learning = _learning(setting, left, material, begun)
    _tell_start(setting, left, learning)
    return learning


def _store(
    setting: Setting, text: Text, begun: Checkpoint | None, accept: Callable[[dict[str, str]], None]
) -> Store:
    """The text as ids; process 0 builds what the others then find."""
    folder = setting.run / "store"
    if setting.group.rank == 0:
        store = stored(setting.recipe, text, folder, begun, accept=accept, tell=setting.say)
        setting.group.first(None)
        return store
    setting.group.first(None)
    store = found(setting.recipe, text.origin(setting.recipe), folder, begun)
    if not store:
        raise _sees_other(setting.group)
    accept(store.prints)
    return store


def _sees_other(group: Group) -> CheckpointError:
    return CheckpointError(
        f"process {group.rank} sees another run folder or other text than process 0; all of them"
        " need the same"
    )


def _learning(
    setting: Setting, left: Left, material: Material, begun: Checkpoint | None
) -> Learning:
    recipe, about, group = setting.recipe, left.progress.about, setting.group
    torch.manual_seed(recipe.training.seed)
    model = build(
        recipe.model, source_rows=len(material.source), target_rows=len(material.target)
    ).to(setting.device)
    if begun:
        take(model, begun.parameters)
    if "bfloat16" not in about:
        about["bfloat16"] = _wants_bfloat16(setting, model, material)
    if recipe.training.compile:
        compile_layers(model)
    optimiser = adam(model)
    torch.manual_seed(recipe.training.seed + group.rank)  # each process drops other numbers
    if left.checkpoint:
        remember(model, optimiser, left.checkpoint.training)
        if about["processes"] == group.size:
            set_random_states(left.checkpoint.training, setting.device, group.rank)
        else:
            left.notes.append(
                f"{about['processes']} processes learnt before, now it is {group.size}: dropout"
                " goes on with other random numbers"
            )
    about["processes"] = group.size
    learner = group.learner(
        model, label_smoothing=recipe.training.label_smoothing, bfloat16=about["bfloat16"]
    )
    return Learning(material, model, learner, optimiser)


def _wants_bfloat16(setting: Setting, model: EncoderDecoder, material: Material) -> bool:
    wanted = setting.recipe.training.precision
    if wanted == "tf32" and setting.device.type != "cuda":
        raise RecipeError(f"training.precision 'tf32' needs a CUDA device, not {setting.device}")
    if wanted != "auto":
        return wanted == "bfloat16"
    rows = next(material.stream.batches())
    batch = Batch.of(material.stream.examples, rows).to(setting.device)
    return setting.group.first(faster_in_bfloat16(model, batch))


def _tell_start(setting: Setting, left: Left, learning: Learning) -> None:
    material, step = learning.material, left.progress.step
    setting.tell(
        "start",
        step=step,
        updates=setting.recipe.training.updates,
        examples=len(material.stream),
        pieces=[len(material.source), len(material.target)],
        parameters=sum(p.numel() for p in learning.model.parameters()),
        device=str(setting.device),
        threads=torch.get_num_threads(),
        torch=torch.__version__,
        run=str(setting.run),
        about=left.progress.about,
    )
    for note in left.notes:
        setting.tell("note", step=step, text=note)
