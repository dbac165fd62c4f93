"""hypotheses, references -> BLEU (Papineni et al. 2002), by sacreBLEU (Post 2018)."""

from collections.abc import Sequence
from typing import NamedTuple

from sacrebleu.metrics.bleu import BLEU

TOKENIZERS = ("13a", "none", "char", "intl", "zh")
"""sacreBLEU's tokenizers that need no further package."""


class Bleu(NamedTuple):
    """A score between 0 and 100, and sacreBLEU's account of how it was computed."""

    score: float
    signature: str
    details: str


def bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    tokenize: str = "13a",
    lowercase: bool = False,
) -> Bleu:
    """Corpus BLEU against one reference a sentence.

    Args:
        hypotheses: Translations, one a sentence.
        references: What they should be.
        tokenize: One of sacreBLEU's tokenizers; "none" for text that is tokenised already.
        lowercase: Whether case is ignored.

    Raises:
        ValueError: the two have not the same length, or there is no sentence.
    """
    check_lengths(hypotheses, references)
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    result = metric.corpus_score(hypotheses, [references])
    return Bleu(float(result.score), str(metric.get_signature()), str(result))


def check_lengths(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """Raise a ValueError unless there are as many of both, at least one."""
    if len(hypotheses) != len(references) or not references:
        raise ValueError(
            f"{len(hypotheses)} hypotheses and {len(references)} references; as many are needed,"
            " at least one"
        )
