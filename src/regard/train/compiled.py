"""model -> the same model, its layers compiled by torch.compile."""

import torch
from torch import nn

from regard.errors import RecipeError
from regard.models.transformer import DecoderLayer, EncoderLayer


def compile_layers(model: nn.Module) -> None:
    """Compile the layers of a Transformer, each kind once for all lengths, in place.

    The first updates take a minute or more, since the code is made when it is first needed. What is
    not learning runs as it was (`torch.compiler.set_stance`): its shapes are others.

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
