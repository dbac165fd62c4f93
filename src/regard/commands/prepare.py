"""regard prepare: a recipe -> an account of its text, the store, cleaned pairs."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from regard.commands import options
from regard.commands.output import output, write_json
from regard.errors import RecipeError

if TYPE_CHECKING:
    from rich.table import Table

    from regard.train.account import Account


def prepare(
    recipe: Annotated[Path, typer.Argument(help="Names the text, and what shall be left out.")],
    run: Annotated[
        Path | None,
        typer.Option(help="Where the store goes; runs/ and the recipe's name if not given."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key, as data.longest=100."),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write the pairs that are used, and those that are not."
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            metavar="DEV,TEST",
            help="Set so many pairs aside that share no sentence with the others; needs --write.",
        ),
    ] = None,
    json: options.Json = None,
) -> None:
    """Say what there is in a recipe's text, and make it ready to be learnt from."""
    from rich.console import Console

    from regard.train.account import Account
    from regard.train.recipe import read_recipe

    aside = _numbers(split)
    if aside and not write:
        raise RecipeError("--split needs --write FOLDER, where the parts shall go")
    told = read_recipe(recipe, changes or [])
    folder = run or Path("runs", recipe.stem)
    account = Account.of(told, folder, lambda words: typer.echo(words, err=True))
    if write:
        _write(account, write, aside)
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(_table(account))
    for line in _words(account, folder):
        console.print(line)
    write_json(json, account.as_json())


def _numbers(split: str | None) -> list[int]:
    if split is None:
        return []
    parts = split.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise RecipeError(f"--split {split}: say two numbers of pairs, as in --split 1000,1000")
    return [int(part) for part in parts]


def _table(account: "Account") -> "Table":
    """A column for each text, a row for each figure."""
    from rich.table import Table

    from regard.data.checks import FINDINGS, MEANING

    reports = account.reports.values()
    table = Table(box=None, pad_edge=False)
    for name, justify in (("", "left"), *((name, "right") for name in account.reports)):
        table.add_column(name, justify=justify)  # pyright: ignore[reportArgumentType]
    table.add_row("pairs read", *(f"{report.total:,}" for report in reports))
    for name in FINDINGS:
        cells = [_cell(report.found[name], report.left_out[name]) for report in reports]
        table.add_row(f"{name}: {MEANING[name]}", *cells)
    table.add_row("used", *(f"{report.used:,}" for report in reports))
    for side, which in enumerate(("source", "target")):
        sums = [(r.words[side], r.pieces[side], r.unknown[side]) for r in reports]
        table.add_row(f"words of the {which}", *(f"{words:,}" for words, _, _ in sums))
        table.add_row(
            f"pieces a word, {which}",
            *(f"{pieces / max(1, words):.2f}" for words, pieces, _ in sums),
        )
        table.add_row(f"unknown pieces, {which}", *(f"{unknown:,}" for _, _, unknown in sums))
    return table


def _cell(found: int, left_out: int) -> str:
    return f"{found:,} ({left_out:,} left out)" if left_out else f"{found:,}"


def _words(account: "Account", folder: Path) -> list[str]:
    store = account.store
    source, target = (script or "no letters" for script in store.about["scripts"])
    sizes = f"{len(store.source):,}"
    if store.target is not store.source:
        sizes += f" and {len(store.target):,}"
    files = (folder / "store").iterdir()
    total = sum(account.reports[corpus.name].total for corpus in account.text.corpora)
    return [
        f"{sizes} pieces, learnt from {store.about['sample']:,} of {total:,} pairs",
        f"written in {source} and {target}",
        f"{folder / 'store'}: {sum(file.stat().st_size for file in files):,} bytes",
    ]


def _write(account: "Account", folder: Path, aside: list[int]) -> None:
    """Cleaned pairs as two files for each text and part, and what was left out as JSON lines."""
    from json import dumps

    names = {corpus.name: _name(corpus.name) for corpus in account.text.corpora}
    inputs = {path.resolve() for corpus in account.text.corpora for path in corpus.files}
    endings = _endings(account)
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        opened: dict[Path, BinaryIO] = {}

        def file(name: str) -> BinaryIO:
            path = folder / name
            if path.resolve() in inputs:
                raise RecipeError(f"{path} is what the recipe reads; --write another folder")
            if path not in opened:
                opened[path] = files.enter_context(output(path))
            return opened[path]

        dropped = file("dropped.jsonl")
        for found in account.sorted(aside):
            if found.reason:
                entry = {"text": found.text, "pair": found.number, "reason": found.reason}
                line = dumps(entry | found.pair._asdict(), ensure_ascii=False)
                dropped.write(line.encode(errors="backslashreplace") + b"\n")
                continue
            stem = found.part if found.part != "train" else names[found.text]
            for ending, text in zip(endings, found.pair, strict=True):
                file(stem + ending).write(_line(text))


def _name(text: str) -> str:
    """A file's name: train, mixed-in-1 ..."""
    return "train" if text == "training" else text.replace(" (", "-").replace(")", "")


def _endings(account: "Account") -> tuple[str, str]:
    """What the source and the target file end in, where there are two; or their sides."""
    first = account.text.corpora[0].files
    found = tuple(path.suffix for path in first)
    return (
        found if len(found) == 2 and all(found) and found[0] != found[1] else (".source", ".target")
    )


def _line(text: str) -> bytes:
    r"""A text as a line; what would end it is white space to a model anyway."""
    return text.replace("\n", " ").rstrip("\r").encode(errors="replace") + b"\n"
