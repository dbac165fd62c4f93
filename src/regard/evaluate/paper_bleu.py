"""text -> words as the paper counted them (Vaswani et al. 2017, 6.1): Moses, quotes, compounds.

The paper's BLEU came from a script of tensor2tensor, which tokenised with Moses, cut compounds at
their hyphens in hypothesis and reference (``rich-text`` is three words, as GNMT and ConvS2S counted
them), and asked multi-bleu, which does not smooth. Quotation marks were made equal on the side of
the hypothesis only; here on both, since a reference that keeps its own loses points for nothing.
Scores made so are a point or two above sacreBLEU's, and not to be held against them.
"""

import re
from functools import lru_cache

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"') | dict.fromkeys("‘’‚‛", "'"))  # noqa: RUF001
_COMPOUND = re.compile(r"(\S)-(\S)")
SPLIT_ALREADY = "@-@"
"""What a tokeniser that cuts at hyphens itself leaves in their place."""


class PaperTokenizer(BaseTokenizer):
    """A line -> its words, separated by spaces.

    Args:
        language: Which of Moses' rules for abbreviations hold; None for text that is tokenised
            already. Moses takes its rules for English where it has none.
    """

    def __init__(self, language: str | None):
        self.language = language
        self._moses = None
        if language is not None:
            from sacremoses import MosesTokenizer

            self._moses = MosesTokenizer(lang=language)
        self._words = lru_cache(maxsize=2**16)(self._cut)

    def signature(self) -> str:
        """What was done, for sacreBLEU's signature."""
        words = "none" if self._moses is None else f"moses-{self.language}"
        return f"{words}+quotes-equal+hyphens-split"

    def __call__(self, line: str) -> str:
        """Cut a line into words; hyphens that a tokeniser has cut already stay as they are."""
        return self._words(line)

    def _cut(self, line: str) -> str:
        line = line.translate(_QUOTES)
        if self._moses is not None:
            line = str(self._moses.tokenize(line, return_str=True, escape=False))
        return " ".join(
            word if word == SPLIT_ALREADY else _COMPOUND.sub(r"\1 ##AT##-##AT## \2", word)
            for word in line.split()
        )


def paper_metric(language: str | None, *, lowercase: bool = False) -> BLEU:
    """sacreBLEU's arithmetic over these words, without smoothing."""
    metric = BLEU(tokenize="none", lowercase=lowercase, smooth_method="none", force=True)
    metric.tokenizer = PaperTokenizer(language)
    metric.tokenizer_signature = metric.tokenizer.signature()
    return metric
