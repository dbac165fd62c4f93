"""regard evaluate: translations, references -> scores with their signatures, differences tested."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.commands import options
from regard.commands.output import write_json
from regard.errors import CorpusError, RecipeError
from regard.text.lines import read_lines

if TYPE_CHECKING:
    from regard.evaluate.alignment import Gold
    from regard.evaluate.compare import Comparison
    from regard.evaluate.metrics import Score


def evaluate(
    hypotheses: Annotated[list[Path], typer.Argument(help="Files of translations.")],
    reference: Annotated[Path, typer.Option(help="What they should be, line for line.")],
    tokenize: Annotated[
        str, typer.Option(help="sacreBLEU's tokenizer; none for text that is tokenised already.")
    ] = "13a",
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case.")] = False,
    language: Annotated[
        str, typer.Option(help="The translations' language, for the paper's tokeniser.")
    ] = "en",
    links: Annotated[
        bool, typer.Option("--links", help="Word alignments, counted from 0: their error rate.")
    ] = False,
    first: Annotated[
        int, typer.Option(help="What the reference's links count from.", min=0, max=1)
    ] = 0,
    json: options.Json = None,
) -> None:
    """Score translations with sacreBLEU, and the paper's way; test what several differ by."""
    if links:
        _align(hypotheses, reference, first, json)
        return
    from regard.evaluate.bleu import TOKENIZERS
    from regard.evaluate.looks import warnings
    from regard.evaluate.metrics import metrics, scores

    if tokenize not in TOKENIZERS:
        raise RecipeError(f"--tokenize {tokenize} must be one of {', '.join(TOKENIZERS)}")
    wanted = list(read_lines(reference))
    if not wanted:
        raise CorpusError(f"{reference} is empty; give at least one reference")
    systems = {str(path): _translations(path, reference, len(wanted)) for path in hypotheses}
    for name, texts in systems.items():
        for warning in warnings(name, texts, wanted, tokenize=tokenize, lowercase=lowercase):
            typer.echo(f"regard: {warning}", err=True)
    chosen = metrics(tokenize=tokenize, lowercase=lowercase, language=language)
    found = {name: scores(texts, wanted, chosen) for name, texts in systems.items()}
    compared = _compare(systems, wanted, chosen)
    for metric in chosen:
        _show(metric, {name: of_one[metric] for name, of_one in found.items()}, compared)
    write_json(json, _figures(found, compared))


def _align(hypotheses: list[Path], reference: Path, first: int, json: Path | None) -> None:
    from regard.evaluate.alignment import errors

    wanted = _links(reference, first)
    figures = {}
    for path in hypotheses:
        found = [each.sure for each in _links(path, 0)]
        if len(found) != len(wanted) or not found:
            raise CorpusError(
                f"{path} has {len(found)} lines and {reference} {len(wanted)}; give links line for"
                " line"
            )
        rates = errors(found, wanted)
        figures[str(path)] = rates._asdict()
        typer.echo(f"{path}\t{rates}")
    write_json(json, figures)


def _links(path: Path, first: int) -> list["Gold"]:
    from regard.evaluate.alignment import parse

    found = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            found.append(parse(line, first=first))
        except ValueError as error:
            raise CorpusError(f"{path}, line {number}: {error}") from None
    return found


def _translations(path: Path, reference: Path, count: int) -> list[str]:
    texts = list(read_lines(path))
    if len(texts) != count:
        raise CorpusError(
            f"{path} has {len(texts)} lines but {reference} has {count};"
            " give translation and reference line for line"
        )
    return texts


def _compare(
    systems: dict[str, list[str]], wanted: list[str], chosen: dict[str, Any]
) -> dict[str, list["Comparison"]]:
    from regard.evaluate.compare import MOST, compare

    if len(systems) < 2:
        return {}
    if len(wanted) > MOST:
        typer.echo(f"regard: differences are tested up to {MOST:,} lines; not here", err=True)
        return {}
    return compare(systems, wanted, chosen)


def _show(
    metric: str, of_each: dict[str, "Score"], compared: dict[str, list["Comparison"]]
) -> None:
    """A metric with its signature, and under it a line for each system."""
    typer.echo(f"{metric}\t{next(iter(of_each.values())).signature}")
    for i, (name, score) in enumerate(of_each.items()):
        line = f"  {name}\t{score.score:.2f}"
        if compared:
            beside = compared[metric][i]
            line += f"\t{beside.mean:.2f} ± {beside.interval:.2f}"
            if beside.bootstrap is not None and beside.randomisation is not None:
                line += f"\tp = {beside.bootstrap:.4f} (paired bootstrap)"
                line += f", {beside.randomisation:.4f} (approximate randomisation)"
        parts = score.details.partition(" ")[2]
        typer.echo(line + (f"\t{parts}" if parts else ""))


def _figures(
    found: dict[str, dict[str, "Score"]], compared: dict[str, list["Comparison"]]
) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for i, (name, of_one) in enumerate(found.items()):
        figures[name] = {metric: score._asdict() for metric, score in of_one.items()}
        for metric, of_all in compared.items():
            figures[name][metric] |= of_all[i]._asdict()
    return figures
