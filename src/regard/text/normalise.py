"""text -> the text a model sees: one Unicode form, no control characters, single spaces.

Nothing clever: case, punctuation, digits and look-alikes stay (NFC, not NFKC, which would turn
``x²`` into ``x2``). The original line is the caller's; only what the model reads is normalised.
"""

import re
import unicodedata

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")  # not those that are white space
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def normalise(text: str) -> str:
    r"""Text as a model reads it.

    Control characters are dropped, lone surrogates (which no UTF-8 can hold) become U+FFFD, the
    Unicode form becomes NFC, and any run of white space becomes one space, none at the ends.
    Doing it twice changes nothing.

    >>> normalise(" A\u0308pfel\u00a0 und\tBirnen\x00 ")
    'Äpfel und Birnen'
    """
    text = _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))
    return " ".join(unicodedata.normalize("NFC", text).split())
