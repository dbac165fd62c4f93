"""a recipe's text -> pieces, examples, an order: all that learning is made of."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import sentencepiece

from regard import __version__
from regard.checkpoint import Checkpoint
from regard.data.checks import Checks, HeldOut
from regard.data.corpus import Corpus, Tell, held_out_text, training_text
from regard.data.encode import Encoder, must_have_some
from regard.data.examples import Examples
from regard.data.pairs import Pair
from regard.data.store import Store, build
from regard.data.stream import Stream
from regard.data.survey import OFTEN, Survey, fingerprint
from regard.errors import CorpusError, DiskError, RecipeError
from regard.text.pieces import Pieces
from regard.train.recipe import Recipe


@dataclass(frozen=True)
class Text:
    """What a recipe names.

    Attributes:
        corpora: What is learnt from.
        held_out: What is not: "dev", which progress is judged by, and "test".
    """

    corpora: list[Corpus]
    held_out: dict[Literal["dev", "test"], list[Pair]]

    @classmethod
    def of(cls, recipe: Recipe, tell: Tell) -> "Text":
        """Find the files, and read those that are small; `tell` is told what is odd in them.

        Raises:
            CorpusError: what cannot be read.
        """
        return cls(training_text(recipe.data), held_out_text(recipe.data, tell))

    @property
    def valid(self) -> list[Pair]:
        """The pairs that progress is judged by.

        Raises:
            RecipeError: the recipe names none.
        """
        if "dev" not in self.held_out:
            raise RecipeError(
                "data.valid is missing: name pairs that progress is judged by, which nothing is"
                " learnt from (regard prepare --split sets some aside)"
            )
        return self.held_out["dev"]

    def origin(self, recipe: Recipe) -> dict[str, Any]:
        """All that a store of it follows from, but for the pieces."""
        return {
            "versions": [__version__, sentencepiece.__version__],
            "text": [corpus.identify() for corpus in self.corpora],
            "held-out": {name: fingerprint(pairs) for name, pairs in self.held_out.items()},
            "data": asdict(recipe.data),
        }


def found(
    recipe: Recipe, origin: dict[str, Any], folder: Path, begun: Checkpoint | None
) -> Store | None:
    """The store that lies in a folder, if it is of this text, and of these pieces.

    Args:
        recipe: What is learnt, and how.
        origin: What the text's store follows from.
        folder: Where the store would be.
        begun: A checkpoint whose pieces are taken; otherwise they are learnt as the recipe says.
    """
    store = Store.open(folder, origin)
    if not store:
        return None
    if begun:
        own, given = (store.source, store.target), (begun.source, begun.target)
        fits = all(a.model == b.model for a, b in zip(own, given, strict=True))
    else:
        fits = store.about["learnt"] == asdict(recipe.pieces)
    return store if fits else None


def stored(
    recipe: Recipe,
    text: Text,
    folder: Path,
    begun: Checkpoint | None,
    *,
    accept: Callable[[dict[str, str]], None],
    tell: Tell,
) -> Store:
    """The text as ids on the disk: as it lies there, or built.

    Args:
        recipe: What is learnt, and how.
        text: What it names.
        folder: Where the store is.
        begun: A checkpoint whose pieces are taken; otherwise they are learnt.
        accept: Is given the text's fingerprints before anything is thrown away for it; raises
            where it is the wrong text.
        tell: Is told how far a long reading is, and what is odd in the files.

    Raises:
        CorpusError: nothing can be learnt from it.
        DiskError: the store cannot be written.
    """
    origin = text.origin(recipe)
    if store := found(recipe, origin, folder, begun):
        accept(store.prints)
        return store
    survey = Survey.of(text.corpora, characters=recipe.pieces.sample, tell=tell)
    accept(survey.prints)
    about = {
        "scripts": survey.scripts,
        "sample": len(survey.sample),
        "learnt": None if begun else asdict(recipe.pieces),
    }
    if begun:
        source, target = begun.source, begun.target
    else:
        if survey.total >= OFTEN:
            sample = f"{len(survey.sample):,} of {survey.total:,} pairs"
            tell(f"{recipe.pieces.size:,} pieces are learnt from {sample}")
        source, target = _learn_pieces(recipe, survey.sample)
    if survey.total >= OFTEN:
        tell("the pairs are split into pieces")
    survey.sample.clear()
    held_out = [HeldOut(name, pairs) for name, pairs in text.held_out.items()]
    encoder = Encoder(
        source=source,
        target=target,
        longest=recipe.data.longest,
        ratio=recipe.data.ratio,
        filters=recipe.data.filters,
        checks=Checks(held_out, about["scripts"]),
    )
    build(folder, origin, text.corpora, survey, encoder, tell, about)
    if store := found(recipe, origin, folder, begun):
        return store
    raise DiskError(f"{folder} was changed while it was built; try again")


@dataclass(frozen=True)
class Material:
    """What a training works on.

    Attributes:
        source: The source side's pieces.
        target: The target side's; the same object where the vocabulary is joint.
        corpora: The names of the texts to learn from.
        stream: Examples to learn from, in their order.
        valid_pairs: Pairs that BLEU is of.
        valid: The same as ids, as far as they can be, which perplexity is of.
    """

    source: Pieces
    target: Pieces
    corpora: list[str]
    stream: Stream
    valid_pairs: list[Pair]
    valid: Examples

    @classmethod
    def of(cls, recipe: Recipe, text: Text, store: Store, tell: Callable[..., None]) -> "Material":
        """What a store and the held-out text give.

        Raises:
            CorpusError: nothing can be learnt from it.
        """
        shares: list[tuple[int, float]] = []
        for corpus in text.corpora:
            report = store.reports[corpus.name]
            tell("data", name=corpus.name, report=str(report), **asdict(report))
            if round(report.used * corpus.weight) == 0:
                raise CorpusError(
                    f"weight {corpus.weight} leaves nothing to learn of a text of {report.used}"
                    " pairs that can be used; give it more text or a larger weight"
                )
            shares.append((report.used, corpus.weight))
        valid = Encoder(
            source=store.source,
            target=store.target,
            longest=recipe.data.longest,
            ratio=recipe.data.ratio,
        )(text.valid)
        tell("data", name="held-out", report=str(valid.report), **asdict(valid.report))
        must_have_some("held-out", valid.report)
        return cls(
            source=store.source,
            target=store.target,
            corpora=[corpus.name for corpus in text.corpora],
            stream=Stream(
                store.examples,
                pieces=recipe.training.batch,
                seed=recipe.training.seed,
                weights=shares,
            ),
            valid_pairs=text.valid,
            valid=valid.examples,
        )


def _learn_pieces(recipe: Recipe, pairs: Sequence[Pair]) -> tuple[Pieces, Pieces]:
    size, method = recipe.pieces.size, recipe.pieces.method
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    if recipe.pieces.joint:
        both = Pieces.learn([*sources, *targets], size=size, method=method)
        return both, both
    return (
        Pieces.learn(sources, size=size, method=method),
        Pieces.learn(targets, size=size, method=method),
    )
