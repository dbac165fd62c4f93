"""vectors -> vectors."""

from regard.layers.embedding import Embedding
from regard.layers.feed_forward import FeedForward
from regard.layers.position import LearnedPositions, Sinusoids, sinusoids
from regard.layers.residual import NormAfter, NormBefore, Residual

__all__ = [
    "Embedding",
    "FeedForward",
    "LearnedPositions",
    "NormAfter",
    "NormBefore",
    "Residual",
    "Sinusoids",
    "sinusoids",
]
