"""a recipe's text -> pieces, examples, an order: all that learning is made of."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from regard.checkpoint import Checkpoint
from regard.data.corpus import fingerprint, training_text, validation_pairs
from regard.data.pairs import Examples, Pair, encode
from regard.data.stream import Stream
from regard.errors import CorpusError
from regard.text.pieces import Pieces
from regard.train.recipe import Recipe


@dataclass(frozen=True)
class Text:
    """What was read.

    Attributes:
        corpora: Pairs to learn from, and how often an epoch has them.
        valid: Pairs that progress is judged by.
    """

    corpora: list[tuple[list[Pair], float]]
    valid: list[Pair]

    @classmethod
    def of(cls, recipe: Recipe, tell: Callable[[str], None] = lambda _: None) -> "Text":
        """Read the files that a recipe names; `tell` is told what was odd in one of them."""
        return cls(training_text(recipe.data, tell), validation_pairs(recipe.data, tell))

    @property
    def pairs(self) -> list[Pair]:
        """All to learn from."""
        return [pair for corpus, _ in self.corpora for pair in corpus]

    def fingerprints(self) -> dict[str, str]:
        """What is the same for the same text."""
        names = ["training", *(f"mixed-in ({i})" for i in range(1, len(self.corpora)))]
        pairs = [pairs for pairs, _ in self.corpora]
        return {
            **{name: fingerprint(own) for name, own in zip(names, pairs, strict=True)},
            "held-out": fingerprint(self.valid),
        }


@dataclass(frozen=True)
class Material:
    """What a training works on.

    Attributes:
        source: The source side's pieces.
        target: The target side's; the same object where the vocabulary is joint.
        stream: Examples to learn from, in their order.
        valid_pairs: Pairs that BLEU is of.
        valid: The same as ids, as far as they can be, which perplexity is of.
    """

    source: Pieces
    target: Pieces
    stream: Stream
    valid_pairs: list[Pair]
    valid: Examples

    @classmethod
    def of(
        cls, recipe: Recipe, text: Text, begun: Checkpoint | None, tell: Callable[..., None]
    ) -> "Material":
        """Split the text by a checkpoint's pieces, or by new ones.

        Raises:
            CorpusError: nothing can be learnt from it.
        """
        pairs = text.pairs
        source, target = (begun.source, begun.target) if begun else _learn_pieces(recipe, pairs)

        def examples_of(name: str, pairs: Sequence[Pair]) -> Examples:
            try:
                examples, report = encode(
                    pairs, source, target, longest=recipe.data.longest, ratio=recipe.data.ratio
                )
            except CorpusError as error:
                raise CorpusError(f"{name}: {error}") from None
            tell("data", name=name, report=str(report), **asdict(report))
            return examples

        examples = examples_of("pairs", pairs)
        ends = np.cumsum([len(corpus) for corpus, _ in text.corpora])
        counts = np.diff(np.searchsorted(examples.numbers, ends, "right"), prepend=0)
        shares = list(zip(counts.tolist(), (w for _, w in text.corpora), strict=True))
        for count, weight in shares:
            if round(count * weight) == 0:
                raise CorpusError(
                    f"weight {weight} leaves nothing to learn of a text of {count} pairs that can"
                    " be used; give it more text or a larger weight"
                )
        return cls(
            source=source,
            target=target,
            stream=Stream(
                examples,
                pieces=recipe.training.batch,
                seed=recipe.training.seed,
                weights=shares,
            ),
            valid_pairs=text.valid,
            valid=examples_of("held-out pairs", text.valid),
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
