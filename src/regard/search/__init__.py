"""memory -> pieces; imports no model."""

from regard.search.beam import beam_search
from regard.search.ensemble import Ensemble
from regard.search.hypothesis import Hypothesis, SearchOptions
from regard.search.length import length_penalty
from regard.search.protocol import Decoder, Observer, State, Step
from regard.search.rules import AtLeast, Begin, NoRepeat, Past, Rule, rules_of
from regard.search.sample import SampleOptions, sample

__all__ = [
    "AtLeast",
    "Begin",
    "Decoder",
    "Ensemble",
    "Hypothesis",
    "NoRepeat",
    "Observer",
    "Past",
    "Rule",
    "SampleOptions",
    "SearchOptions",
    "State",
    "Step",
    "beam_search",
    "length_penalty",
    "rules_of",
    "sample",
]
