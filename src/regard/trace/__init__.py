"""text, text -> weights: what the attention did, and its arithmetic. NumPy; torch in `capture`."""

from regard.trace.compare import Comparison, compare
from regard.trace.measures import Head, Measures
from regard.trace.pack import packed
from regard.trace.record import About, Attended, Candidate, Kind
from regard.trace.sides import Side
from regard.trace.trace import Trace
from regard.trace.views import Link

__all__ = [
    "About",
    "Attended",
    "Candidate",
    "Comparison",
    "Head",
    "Kind",
    "Link",
    "Measures",
    "Side",
    "Trace",
    "compare",
    "packed",
]
