"""regard distil: a run, a student's recipe -> the student, taught by the run."""

from pathlib import Path
from typing import Annotated

import typer

from regard.commands import options
from regard.commands.device import choose
from regard.commands.train import learn


def distil(
    run: Annotated[Path, typer.Argument(help="The teacher: a run, or one of its checkpoints.")],
    into: Annotated[Path, typer.Option(metavar="RECIPE", help="The student's recipe.")],
    student: Annotated[
        Path | None,
        typer.Option(
            "--run", metavar="RUN", help="Its run; runs/ and the recipe's name if not given."
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the student's recipe."),
    ] = None,
    beam: Annotated[int | None, typer.Option(help="The teacher's hypotheses; 1 is greedy.")] = None,
    engine: Annotated[
        str, typer.Option(help="What searches for it: regard, or ctranslate2 after regard export.")
    ] = "regard",
    approximate: Annotated[
        bool, typer.Option("--approximate", help="Let it take its nearest for rules it lacks.")
    ] = False,
    device: options.Device = "auto",
) -> int:
    """Translate the source of RECIPE's text by a run, and learn what RECIPE says from that.

    The translations are kept in the student's run; the same command goes on where it was left.
    """
    from regard.checkpoint import digest, resolve
    from regard.train.distil import distil as translated
    from regard.train.recipe import read_recipe
    from regard.translator import Translator

    told = read_recipe(into, changes or [])
    folder = student or Path("runs", into.stem)
    place = choose(device)
    teacher = Translator.load(run, device=place, engine=engine, approximate=approximate)
    done = translated(
        teacher.with_search(beam=beam),
        digest(resolve(run)),
        told,
        folder,
        tell=lambda text: typer.echo(text, err=True),
    )
    typer.echo(
        f"{folder / 'distilled'}: {done.used:,} sentences by {run}"
        + (f", {done.cut:,} left out: their translations met a length limit" if done.cut else "")
        + ("" if done.anew else "; as they were")
    )
    return learn(done.recipe, folder, place)
