"""hypotheses, references -> BLEU, chrF, chrF++ and TER by sacreBLEU, and BLEU the paper's way."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from regard.evaluate.bleu import check_lengths
from regard.evaluate.paper_bleu import paper_metric

PAPER = "BLEU the paper's way"


class Score(NamedTuple):
    """A score of a whole text, sacreBLEU's account of how it was computed, and its parts.

    All are between 0 and 100 (TER may be above); the higher the better, but TER counts edits.
    """

    score: float
    signature: str
    details: str


def metrics(
    *, tokenize: str = "13a", lowercase: bool = False, language: str = "en"
) -> dict[str, Metric]:
    """Each metric by its name.

    Args:
        tokenize: sacreBLEU's tokenizer for BLEU; "none" for text that is tokenised already, which
            the paper's way then takes as it is too.
        lowercase: Whether case is ignored. TER, as Snover et al. (2006) made it, always does.
        language: Which of Moses' tokenizers the paper's way takes.
    """
    return {
        "BLEU": BLEU(tokenize=tokenize, lowercase=lowercase, force=True),
        PAPER: paper_metric(None if tokenize == "none" else language, lowercase=lowercase),
        "chrF2": CHRF(lowercase=lowercase),
        "chrF2++": CHRF(word_order=2, lowercase=lowercase),
        "TER": TER(),
    }


def scores(
    hypotheses: Sequence[str], references: Sequence[str], chosen: Mapping[str, Metric]
) -> dict[str, Score]:
    """What each metric says of a whole text against one reference a sentence.

    Raises:
        ValueError: the two have not the same length, or there is no sentence.
    """
    check_lengths(hypotheses, references)
    found = {}
    for name, metric in chosen.items():
        result = metric.corpus_score(hypotheses, [references])
        details = str(result).partition(" = ")[2]
        found[name] = Score(float(result.score), str(metric.get_signature()), details)
    return found
