"""regard look: the lesson -> a page."""

from pathlib import Path
from typing import Annotated

import typer

from regard.commands.output import output
from regard.errors import RecipeError


def look(
    lesson: Annotated[
        bool, typer.Option("--lesson", help="The lesson about attention; needs no model.")
    ] = False,
    html: Annotated[Path, typer.Option(help="The page to write.")] = Path("lesson.html"),
) -> None:
    """Write a page that shows what attention does: one file, opened in any browser, offline."""
    from regard.look.page import page

    if not lesson:
        raise RecipeError("nothing to look at; --lesson writes the lesson")
    with output(html) as file:
        file.write(page().encode())
    typer.echo(f"{html}: the lesson; open it in a browser")
