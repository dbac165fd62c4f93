"""A seed -> English-German sentence pairs, with gold word alignments and gold trees.

The phrasebook is an embedded corpus that a synchronous grammar makes.
"""

from regard.data.phrasebook.realise import Example
from regard.data.phrasebook.sets import examples, held_out

__all__ = ["Example", "examples", "held_out"]
