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

    there = {"cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if name == "auto":
        return torch.device(next((kind for kind, count in there.items() if count), "cpu"))
    try:
        device = torch.device(name)
    except RuntimeError:
        raise RecipeError(f"device {name!r} is unknown; use cpu, cuda, mps or auto") from None
    if (device.index or 0) >= {**there, "cpu": 1}.get(device.type, 0):
        raise RecipeError(f"device {name!r} is not there on this machine; use --device cpu")
    return device
