"""a name -> the device that a model runs on."""

from typing import TYPE_CHECKING, Annotated

import typer

from regard.errors import RecipeError

if TYPE_CHECKING:
    import torch

DeviceOption = Annotated[
    str, typer.Option("--device", help="cpu, cuda, mps, or auto for the best there is.")
]


def choose(name: str) -> "torch.device":
    """The device of that name.

    Raises:
        RecipeError: this machine has none such.
    """
    import torch

    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        return torch.device(next((kind for kind, is_there in there.items() if is_there), "cpu"))
    try:
        device = torch.device(name)
    except RuntimeError:
        raise RecipeError(f"device {name!r} is unknown; use cpu, cuda, mps or auto") from None
    if not there.get(device.type, device.type == "cpu"):
        raise RecipeError(f"device {name!r} is not there on this machine; use --device cpu")
    return device
