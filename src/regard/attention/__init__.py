"""queries, keys, values -> context."""

from regard.attention.allowed import Allowed, causal, documents, lengths, prefix, window
from regard.attention.attend import Rule, attend, weights
from regard.attention.layer import Attention
from regard.attention.multi_head import Kept, MultiHead
from regard.attention.scores import (
    Additive,
    General,
    Learned,
    ReducedRank,
    Score,
    additive,
    dot,
    general,
    reduced_rank,
    scaled_dot,
)
from regard.attention.summary import Summary, summary

__all__ = [
    "Additive",
    "Allowed",
    "Attention",
    "General",
    "Kept",
    "Learned",
    "MultiHead",
    "ReducedRank",
    "Rule",
    "Score",
    "Summary",
    "additive",
    "attend",
    "causal",
    "documents",
    "dot",
    "general",
    "lengths",
    "prefix",
    "reduced_rank",
    "scaled_dot",
    "summary",
    "weights",
    "window",
]
