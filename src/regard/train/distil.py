"""a teacher, a student's recipe -> the recipe with the teacher's translations as its text.

What a small model learns best from is not what people wrote but what a larger one says: sentences
like each other are then translated alike (Kim and Rush 2016, sequence-level distillation).
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from regard.checkpoint import read, write
from regard.data.corpus import DataOptions, held_out_text, training_text
from regard.errors import CheckpointError, CorpusError
from regard.train.recipe import Recipe
from regard.translator import Translator

FOLDER = "distilled"
"""What the text is called inside the student's run."""
ABOUT = "distilled.json"
SIDES = ("source.txt", "target.txt")
WINDOW = 2048
"""Sentences that are sorted by length among themselves."""


@dataclass(frozen=True)
class Distilled:
    """The student's recipe, and what became of the sentences.

    Attributes:
        recipe: The recipe with the teacher's translations as its text.
        used: Sentences whose translations it has.
        cut: Sentences that were left out, since their translations met a length limit.
        anew: Whether they were translated now, and not found there.
    """

    recipe: Recipe
    used: int
    cut: int
    anew: bool


def distil(
    teacher: Translator,
    digest: str,
    recipe: Recipe,
    run: Path,
    *,
    tell: Callable[[str], None],
) -> Distilled:
    """Translate the source of a recipe's text, unless that is done already.

    Args:
        teacher: Translates.
        digest: The sha256 of its parameters.
        recipe: The student's; its targets are not looked at, but those it is judged by.
        run: The student's run; the text is kept inside.
        tell: Is told in one line how far it is, and what was odd in a file.

    Raises:
        CorpusError: text that cannot be read, or none.
        DiskError: it cannot be written.
    """
    folder = run / FOLDER
    corpora = training_text(recipe.data)
    made_of = {
        "teacher": digest,
        "search": str(teacher.search),
        "text": [corpus.identify() for corpus in corpora],
        "data": str(recipe.data),
    }
    about = _there(folder, made_of)
    if about is None:
        about = made_of | _write(folder, teacher, recipe.data, made_of, tell)
        anew = True
    else:
        anew = False
    data = DataOptions(
        folder=str(folder.resolve()),
        train=tuple(f"train.{side}" for side in SIDES),
        valid=tuple(f"valid.{side}" for side in SIDES) if about["valid"] else (),
        longest=recipe.data.longest,
        ratio=recipe.data.ratio,
    )
    return Distilled(replace(recipe, data=data), about["used"], about["cut"], anew)


def _there(folder: Path, made_of: dict[str, object]) -> dict | None:
    """What is written already, if it is whole and of the same things."""
    try:
        about = json.loads(read(folder)[ABOUT])
    except (CheckpointError, KeyError):
        return None
    return about if made_of.items() <= about.items() else None


def _write(
    folder: Path,
    teacher: Translator,
    options: DataOptions,
    made_of: dict[str, object],
    tell: Callable[[str], None],
) -> dict[str, int]:
    sources, targets, cut = [], [], 0
    for window in _windows(_sources(options, tell)):
        for source, found in zip(window, teacher.translate(window), strict=True):
            if found.ended:
                sources.append(source)
                targets.append(found.text)
            else:
                cut += 1
        tell(f"{len(sources) + cut:,} sentences translated")
    if not sources:
        raise CorpusError("there is no sentence to translate; see the recipe's data.train")
    held_out = held_out_text(options, tell).get("dev", [])
    counts = {"used": len(sources), "cut": cut, "valid": len(held_out)}
    texts = {
        "train": (sources, targets),
        "valid": ([pair.source for pair in held_out], [pair.target for pair in held_out]),
    }
    files = {
        f"{name}.{side}": "".join(f"{line}\n" for line in lines).encode()
        for name, both in texts.items()
        for side, lines in zip(SIDES, both, strict=True)
    }
    write(folder, files | {ABOUT: json.dumps(made_of | counts, indent=2).encode()})
    return counts


def _sources(options: DataOptions, tell: Callable[[str], None]) -> Iterator[str]:
    """Each sentence of the source once, blank ones left out."""
    seen: set[int] = set()
    for corpus in training_text(options):
        for pair in corpus.read(tell):
            source = " ".join(pair.source.split("\n"))
            if source.strip() and hash(source) not in seen:
                seen.add(hash(source))
                yield source


def _windows(sources: Iterable[str]) -> Iterator[list[str]]:
    waiting = iter(sources)
    while window := list(islice(waiting, WINDOW)):
        yield window
