"""model -> the same model, its layers compiled by torch.compile."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import nn

from regard.errors import RecipeError
from regard.models.transformer import DecoderLayer, EncoderLayer
from regard.train.recipe import Recipe


def compile_layers(model: nn.Module) -> None:
    """Compile the layers of a Transformer, each kind once for all lengths, in place.

    The first updates take a minute or more, since the code is made when it is first needed.

    Raises:
        RecipeError: the model has no such layers, or there is nothing to compile with.
    """
    layers = [part for part in model.modules() if isinstance(part, (EncoderLayer, DecoderLayer))]
    if not layers:
        raise RecipeError("training.compile is for the Transformer's layers; leave it out")
    try:
        torch.compile(lambda x: x + 1)(torch.ones(2))
    except Exception as error:
        reason = str(error).strip().splitlines()[0]
        raise RecipeError(
            f"training.compile: torch.compile does not work here: {reason}; on a CPU it needs a C++"
            " compiler, such as g++"
        ) from None
    for layer in layers:
        layer.compile(dynamic=True)


def as_it_was(recipe: Recipe) -> AbstractContextManager[object]:
    """While a model is judged, its layers run uncompiled: a search has other shapes."""
    return torch.compiler.set_stance("force_eager") if recipe.training.compile else nullcontext()
