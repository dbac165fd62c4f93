"""queries, keys, values -> context."""

from regard.attention.attend import attend, causal, weights
from regard.attention.multi_head import Kept, MultiHead

__all__ = ["Kept", "MultiHead", "attend", "causal", "weights"]
