"""regard: learns to turn one sequence into another with attention, and shows what it did.

Names are loaded when they are first used, in the order in which data meets them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regard import attention
    from regard.errors import RegardError
    from regard.evaluate import bleu
    from regard.text.pieces import Pieces
    from regard.trace import Trace, compare
    from regard.translation import Translation
    from regard.translator import Translator

__version__ = "0.1.0"

__all__ = [
    "Pieces",
    "RegardError",
    "Trace",
    "Translation",
    "Translator",
    "attention",
    "bleu",
    "compare",
]

_PLACES = {
    "Pieces": "regard.text.pieces",
    "Translator": "regard.translator",
    "Translation": "regard.translation",
    "Trace": "regard.trace",
    "compare": "regard.trace",
    "bleu": "regard.evaluate.bleu",
    "RegardError": "regard.errors",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name == "attention":
        return import_module("regard.attention")
    raise AttributeError(f"module 'regard' has no attribute {name!r}")
