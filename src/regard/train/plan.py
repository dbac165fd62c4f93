"""recipe -> what it would do, in words: the dry run."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import TextWrapper

import torch

from regard.data.batch import Batch, Sentences
from regard.data.corpus import Corpus, Tell
from regard.data.pairs import Pair
from regard.data.store import Store
from regard.models.build import build
from regard.models.sizes import multiplications, parameters
from regard.text.pieces import Pieces
from regard.train.loss import BLOCK
from regard.train.machine import peak
from regard.train.material import Material, Text, found, stored
from regard.train.recipe import Recipe
from regard.train.schedule import learning_rate

BYTES = 4 * 4
"""Of memory for each parameter: itself, its gradient and Adam's two moments, in float32."""

REACHED = 0.5, 0.75
"""Of the machine's best, in a training step: `benchmarks/results/train_speed.md`."""

SHOWN = 3
"""How many pairs of the first batch are shown."""

LOOKED_AT = 20_000
"""How many pairs of each corpus are read where there is no store yet."""

wrap = TextWrapper(90, initial_indent=" " * 12, subsequent_indent=" " * 12).wrap


def plan(recipe: Recipe, run: Path, device: torch.device) -> str:
    """A model's size, the memory and the time that learning takes, and what it would read.

    Raises:
        CorpusError: what is there cannot be learnt from.
    """
    model, training, rows = recipe.model, recipe.training, recipe.pieces.size
    count = parameters(model, source_rows=rows, target_rows=rows)
    pair = multiplications(model, source=25, target=25, target_rows=rows)
    rate = learning_rate(
        training.warmup, d_model=model.d_model, warmup=training.warmup, factor=training.factor
    )
    batch = training.batch * training.accumulate
    work = 6 * pair / 50
    return "\n".join(
        [
            f"model       {count / 1e6:.1f} M parameters with {rows:,} pieces",
            *wrap(", ".join(f"{name} {value}" for name, value in asdict(model).items())),
            f"memory      {_memory(recipe, count)}",
            f"work        {work / 1e6:.0f} MFLOP for each piece learnt from",
            f"time        {_time(2 * batch * training.updates * work, device)}",
            f"updates     {training.updates:,} of up to {batch:,} + {batch:,} pieces,"
            f" learning rate up to {rate:.2e} at update {training.warmup:,}",
            f"validation  every {recipe.validation.every:,} updates, then a checkpoint",
            *_data(recipe, run),
        ]
    )


def _time(operations: float, device: torch.device) -> str:
    """How long that takes here, by what this machine does at best."""
    best = peak(device, torch.float32)
    least, most = REACHED
    return (
        f"{_spoken(operations / best / most)} to {_spoken(operations / best / least)} in float32:"
        f" {device} multiplies {best / 1e9:,.0f} GFLOP/s now, of which a step reaches {least:.0%}"
        f" to {most:.0%}"
    )


def _spoken(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _memory(recipe: Recipe, count: int) -> str:
    fixed = f"{count * BYTES / 1e9:.2f} GB for parameters, gradients and moments"
    kept = _kept_bytes(recipe)
    if kept is None:
        return f"{fixed}, and what a batch needs"
    return f"{fixed}, about {kept / 1e9:.2f} GB for a full batch of 32 pieces a sentence"


def _kept_bytes(recipe: Recipe) -> int | None:
    """What a forward pass keeps for the gradient; None where only real numbers would tell.

    The pass is made with tensors that have shapes but no numbers.
    """
    rows = recipe.pieces.size
    kept: dict[int, torch.UntypedStorage] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        kept[storage._cdata] = storage
        return tensor

    with torch.device("meta"):
        model = build(recipe.model, source_rows=rows, target_rows=rows)
        shape = max(1, recipe.training.batch // 32), 32
        ids = torch.zeros(shape, dtype=torch.int64)
        sentences = Sentences(ids, ids == 0)
        try:
            with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
                states = model.states(Batch(sentences, sentences, sentences))
        except RuntimeError:
            return None
    own = {parameter.untyped_storage()._cdata for parameter in model.parameters()}
    return (
        sum(storage.nbytes() for key, storage in kept.items() if key not in own)
        + 2 * states.numel() * 4
        + 2 * min(BLOCK, shape[0] * 32 * rows) * 4
    )


def _data(recipe: Recipe, run: Path) -> list[str]:
    """What there is to learn from, and the first batch of it as text."""
    for name in (*recipe.data.train, *recipe.data.valid):
        if not Path(recipe.data.folder, name).exists():
            return [f"data        not there yet: {Path(recipe.data.folder, name)}"]
    text = Text.of(recipe, _not)
    if store := found(recipe, text.origin(recipe), run / "store", None):
        return _of_store(recipe, text, store)
    few = Text([replace(corpus, read=_first(corpus)) for corpus in text.corpora], text.held_out)
    with TemporaryDirectory() as folder:
        store = stored(recipe, few, Path(folder, "store"), None, accept=_not, tell=_not)
        lines = _of_store(recipe, few, store)
    if any(report.total == LOOKED_AT for report in store.reports.values()):
        lines.insert(
            0,
            f"data        only the first {LOOKED_AT:,} pairs of a corpus were read for this;"
            " regard prepare reads all",
        )
    return lines


def _first(corpus: Corpus) -> Callable[[Tell], Iterator[Pair]]:
    return lambda tell: islice(corpus.read(tell), LOOKED_AT)


def _not(_told: object) -> None:
    """Who asks for a plan is told only that."""


def _of_store(recipe: Recipe, text: Text, store: Store) -> list[str]:
    material = Material.of(recipe, text, store, lambda _event, **_content: None)
    stream = material.stream
    batches = stream.epoch(0)
    updates = len(batches) / recipe.training.accumulate
    batch = Batch.of(stream.examples, batches[0])
    lines = [
        f"data        {sum(r.total for r in store.reports.values()):,} pairs,"
        f" {len(stream.examples):,} of them used, {updates:,.0f} updates an epoch",
        f"first batch {len(batch):,} pairs of up to {batch.source.ids.shape[1]} and"
        f" {batch.target_in.ids.shape[1]} pieces, such as",
    ]
    for row in range(min(SHOWN, len(batch))):
        lines.append(f"            {_shown(material.source, batch.source, row)}")
        lines.append(f"         -> {_shown(material.target, batch.target_out, row)}")
    return lines


def _shown(pieces: Pieces, sentences: Sentences, row: int) -> str:
    """A row of a batch as its pieces, a space between two."""
    ids = sentences.ids[row][sentences.real[row]].tolist()
    return " ".join(pieces.piece(i) for i in ids)
