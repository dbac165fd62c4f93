"""regard train: a recipe -> a run."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.commands import options
from regard.commands.device import choose

if TYPE_CHECKING:
    import torch

    from regard.train.recipe import Recipe
    from regard.train.state import Outcome


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
    begin_from: Annotated[
        Path | None,
        typer.Option("--from", metavar="RUN", help="Begin with another run's parameters, pieces."),
    ] = None,
    accept_data_change: Annotated[
        bool, typer.Option("--accept-data-change", help="Go on though the text has changed.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and stop.")
    ] = False,
    device: options.Device = "auto",
) -> int:
    """Learn what RECIPE says, or go on where its run was left."""
    from regard.train.plan import plan
    from regard.train.recipe import read_recipe

    told = read_recipe(recipe, changes or [])
    folder = run or Path("runs", recipe.stem)
    if dry_run:
        typer.echo(plan(told, folder, choose(device)))
        return 0
    return learn(
        told,
        folder,
        choose(device),
        begin_from=begin_from,
        accept_data_change=accept_data_change,
    )


def learn(told: "Recipe", folder: Path, device: "torch.device", **how: Any) -> int:
    """Train before a person's eyes; the exit code."""
    from regard.commands.progress import Screen
    from regard.train.loop import train as run
    from regard.train.record import listeners

    with Screen() as screen:
        outcome = run(told, folder, device=device, listeners=[*listeners(folder), screen], **how)
    if os.environ.get("RANK", "0") == "0":  # torchrun starts several of us
        _say(outcome, folder)
    return 128 + outcome.signal if outcome.signal else 0


def _say(outcome: "Outcome", folder: Path) -> None:
    """How it ended, where the best is, and what to do next."""
    from regard.checkpoint import step_folder

    if outcome.reason == "interrupted":
        typer.echo(f"saved at update {outcome.step}; the same command goes on from there", err=True)
        return
    if outcome.reason == "nothing to do":
        typer.echo(f"{folder} has reached its goal already: {outcome.step} updates")
    for note in outcome.notes:
        typer.echo(note)
    best = outcome.best
    if best and (place := step_folder(folder, best["step"])).exists():
        typer.echo(f"best: BLEU {best['bleu']:.2f}, {place}")
    typer.echo(f"try: regard translate {folder}")
