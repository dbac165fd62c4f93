"""memory -> pieces; imports no model."""

from regard.search.beam import beam_search
from regard.search.greedy import greedy_search
from regard.search.hypothesis import Hypothesis, SearchOptions
from regard.search.length import length_penalty
from regard.search.protocol import Decoder, Observer, State, Step

__all__ = [
    "Decoder",
    "Hypothesis",
    "Observer",
    "SearchOptions",
    "State",
    "Step",
    "beam_search",
    "greedy_search",
    "length_penalty",
]
