"""regard train: a recipe -> a run."""

from pathlib import Path
from typing import Annotated

import typer

from regard.commands.device import DeviceOption, choose


def train(
    recipe: Annotated[Path, typer.Argument(help="What to learn, and how: a TOML file.")],
    run: Annotated[
        Path | None,
        typer.Option(help="The run's folder; runs/ and the recipe's name if not given."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key, as training.updates=500."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and stop.")
    ] = False,
    device: DeviceOption = "auto",
) -> int:
    """Learn what RECIPE says, or go on where its run was left."""
    from regard.commands.progress import Screen
    from regard.train.loop import train as learn
    from regard.train.plan import plan
    from regard.train.recipe import read_recipe
    from regard.train.record import listeners

    told = read_recipe(recipe, changes or [])
    folder = run or Path("runs", recipe.stem)
    if dry_run:
        typer.echo(plan(told))
        return 0
    with Screen() as screen:
        outcome = learn(told, folder, device=choose(device), listeners=[*listeners(folder), screen])
    if outcome.reason == "interrupted":
        typer.echo(f"saved at update {outcome.step}; the same command goes on from there", err=True)
        return 130
    if outcome.reason == "nothing to do":
        typer.echo(f"{folder} has reached its goal already: {outcome.step} updates")
    typer.echo(f"try: regard translate {folder}")
    return 0
