"""regard average: the last checkpoints of a run -> their mean."""

from pathlib import Path
from typing import Annotated

import typer

from regard.errors import CheckpointError


def average(
    run: Annotated[Path, typer.Argument(help="The run.")],
    last: Annotated[int, typer.Option(help="How many of its last checkpoints.", min=1)] = 5,
) -> None:
    """Write RUN/average, the mean of the last checkpoints, which `translate` then prefers."""
    from regard.checkpoint import average as mean
    from regard.checkpoint import checkpoints, save

    folders = checkpoints(run)[-last:]
    if not folders:
        raise CheckpointError(f"{run} holds no checkpoint; give the folder `regard train` wrote")
    save(run / "average", mean(folders))
    typer.echo(f"{run / 'average'}: the mean of {', '.join(folder.name for folder in folders)}")
