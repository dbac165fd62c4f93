"""model, held-out pairs -> perplexity and BLEU."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from regard.data.batch import Batch
from regard.data.budget import groups
from regard.data.examples import Examples
from regard.data.pairs import Pair
from regard.evaluate import bleu
from regard.train.recipe import ValidationOptions
from regard.translator import Translator

MOST_LOSS = 700.0
"""In nats a piece; the exponential of more is no float."""


@dataclass(frozen=True)
class Validation:
    """How a model does on held-out pairs.

    Attributes:
        perplexity: Per target piece, EOS included, without label smoothing.
        bleu: Corpus BLEU of its translations.
        signature: sacreBLEU's account of it.
        example: The first of the held-out pairs, and its translation.
    """

    perplexity: float
    bleu: float
    signature: str
    example: dict[str, str]

    def better_than(self, other: Mapping[str, Any]) -> bool:
        """By BLEU; by perplexity where that is the same."""
        return (self.bleu, -self.perplexity) > (other["bleu"], -other["perplexity"])


def validate(
    translator: Translator,
    pairs: Sequence[Pair],
    examples: Examples,
    options: ValidationOptions,
    *,
    batch: int,
) -> Validation:
    """Judge a translator.

    Args:
        translator: The model, with its pieces.
        pairs: Held-out pairs, all of which BLEU is of.
        examples: The same as ids, as far as they can be, which perplexity is of.
        options: How.
        batch: The most pieces a side at once.
    """
    translator = translator.with_search(beam=options.beam)
    hypotheses = [found.text for found in translator.translate([pair.source for pair in pairs])]
    score = bleu(
        hypotheses,
        [pair.target for pair in pairs],
        tokenize=options.tokenize,
        lowercase=options.lowercase,
    )
    return Validation(
        perplexity=_perplexity(translator, examples, batch),
        bleu=score.score,
        signature=score.signature,
        example={**pairs[0]._asdict(), "translation": hypotheses[0]},
    )


@torch.no_grad()
def _perplexity(translator: Translator, examples: Examples, batch: int) -> float:
    device = next(translator.model.parameters()).device
    total = 0.0
    for rows in groups(
        examples.source.lengths,
        examples.target.lengths,
        pieces=batch,
        order=np.arange(len(examples)),
    ):
        part = Batch.of(examples, rows).to(device)
        total -= float(translator.model.log_probs(part)[part.target_out.real].sum())
    loss = total / len(examples.target.values)
    return math.exp(loss if loss < MOST_LOSS else MOST_LOSS)  # also where it is not a number
