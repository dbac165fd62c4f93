"""What several commands are given, each said once."""

from pathlib import Path
from typing import Annotated

import typer

RunArgument = Annotated[Path, typer.Argument(help="A run, or one of its checkpoints.")]
SourceOption = Annotated[Path, typer.Option("--source", help="Sentences.")]
TargetOption = Annotated[
    Path, typer.Option("--target", help="A translation of each, line for line.")
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", help="Where to write; standard output if not given.")
]
JsonOption = Annotated[Path | None, typer.Option("--json", help="Write the figures there.")]
DeviceOption = Annotated[
    str, typer.Option("--device", help="cpu, cuda, mps, or auto for the best there is.")
]
