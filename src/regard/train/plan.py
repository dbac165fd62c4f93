"""recipe -> what it would do, in words: the dry run."""

from dataclasses import asdict
from textwrap import TextWrapper

from regard.data.corpus import training_pairs
from regard.errors import CorpusError
from regard.models.sizes import multiplications, parameters
from regard.train.recipe import Recipe
from regard.train.schedule import learning_rate

BYTES = 4 * 4
"""Of memory for each parameter: itself, its gradient and Adam's two moments, in float32."""

wrap = TextWrapper(90, initial_indent=" " * 12, subsequent_indent=" " * 12).wrap


def plan(recipe: Recipe) -> str:
    """A model's size, the memory and the work that learning takes, and what it would read."""
    model, training, rows = recipe.model, recipe.training, recipe.pieces.size
    count = parameters(model, source_rows=rows, target_rows=rows)
    pair = multiplications(model, source=25, target=25, target_rows=rows)
    peak = learning_rate(
        training.warmup, d_model=model.d_model, warmup=training.warmup, factor=training.factor
    )
    batch = training.batch * training.accumulate
    return "\n".join(
        [
            f"model       {count / 1e6:.1f} M parameters with {rows:,} pieces",
            *wrap(", ".join(f"{name} {value}" for name, value in asdict(model).items())),
            f"memory      {count * BYTES / 1e9:.2f} GB for parameters, gradients and moments,"
            " and the batch's activations",
            f"work        {6 * pair / 50 / 1e6:.0f} MFLOP for each piece learnt from",
            f"updates     {training.updates:,} of up to {batch:,} + {batch:,} pieces,"
            f" learning rate up to {peak:.2e} at update {training.warmup:,}",
            f"validation  every {recipe.validation.every:,} updates, then a checkpoint",
            f"data        {_data(recipe)}",
        ]
    )


def _data(recipe: Recipe) -> str:
    try:
        return f"{sum(1 for _ in training_pairs(recipe.data)):,} pairs"
    except CorpusError as error:
        return f"not there yet: {error}"
