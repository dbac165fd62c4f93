"""argv -> what several commands are given: arguments and options, each said once."""

from pathlib import Path
from typing import Annotated

import typer

Run = Annotated[Path, typer.Argument(help="A run, or one of its checkpoints.")]
Source = Annotated[Path, typer.Option("--source", help="Sentences.")]
Target = Annotated[Path, typer.Option("--target", help="A translation of each, line for line.")]
Output = Annotated[
    Path | None, typer.Option("--output", help="Where to write; standard output if not given.")
]
Json = Annotated[Path | None, typer.Option("--json", help="Write the figures there.")]
Device = Annotated[
    str, typer.Option("--device", help="cpu, cuda, mps, or auto for the best there is.")
]
