"""text, text -> numbers; needs no torch."""

from regard.evaluate.bleu import Bleu, bleu

__all__ = ["Bleu", "bleu"]
