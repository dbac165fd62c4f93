"""regard phrasebook: the embedded corpus -> files."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.commands.output import output
from regard.errors import DiskError

if TYPE_CHECKING:
    from regard.data.phrasebook import Example


def phrasebook(
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    pairs: Annotated[int, typer.Option(help="How many pairs to learn from.", min=1)] = 50_000,
    seed: Annotated[int, typer.Option(help="What they follow from.", min=0)] = 1,
) -> None:
    """Write the embedded corpus: text, word alignments and trees of all its sets."""
    from regard.data.phrasebook import examples, held_out

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskError(f"{out} cannot be made: {error.strerror}") from None
    sets: dict[str, Iterable[Example]] = {
        "train": islice(examples(seed=seed), pairs),
        **held_out(seed=seed),
    }
    for name, chosen in sets.items():
        count = _write(out / name, list(chosen))
        typer.echo(f"{out / name}.en .de .align .trees: {count:,} pairs")


def _write(stem: Path, chosen: list["Example"]) -> int:
    columns = {
        "en": [example.source for example in chosen],
        "de": [example.target for example in chosen],
        "align": [" ".join(f"{i}-{j}" for i, j in example.alignment) for example in chosen],
        "trees": [example.tree for example in chosen],
    }
    for ending, texts in columns.items():
        with output(stem.with_name(f"{stem.name}.{ending}")) as file:
            file.write("".join(f"{text}\n" for text in texts).encode())
    return len(chosen)
