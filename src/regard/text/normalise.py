"""text -> the text a model sees: one Unicode form, nothing invisible, single spaces.

Nothing clever: case, punctuation, digits and look-alikes stay (NFC, not NFKC, which would turn
``x²`` into ``x2``). The original line is the caller's; only what the model reads is normalised.
docs/text.md is the same as a table.
"""

import re
import unicodedata

# Joiners are spelling in scripts of Asia and in emoji: between two of their characters they stay.
_JOINED = (
    "\u0600-\u08ff\u0900-\u0dff\u0e80-\u109f\u1780-\u18af\u1cd0-\u1cff\ua8e0-\ua8ff\ufb50-\ufdff"
    "\ufe70-\ufefc\u2194-\u2199\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff"
    "\U000e0020-\U000e007f\U00011000-\U000114ff"
)
_JOINERS = "\u200c\u200d"
_ALWAYS = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # controls, but for those that are white space
    "\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
)
_INVISIBLE = re.compile(
    f"[{_ALWAYS}]+|(?<![{_JOINERS}{_JOINED}])[{_JOINERS}]+|[{_JOINERS}]++(?![{_JOINED}])"
)
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def normalise(text: str) -> str:
    r"""Text as a model reads it.

    What nobody sees is dropped: control characters, soft hyphens, zero-width spaces, marks of
    direction, joiners that join nothing. Lone surrogates (which no UTF-8 can hold) become U+FFFD,
    the Unicode form becomes NFC, and any run of white space becomes one space, none at the ends.
    Doing it twice changes nothing.

    >>> normalise(" A\u0308pfel\u00a0 und\tBir\u00adnen\x00 ")
    'Äpfel und Birnen'
    """
    if not text.isprintable():  # nothing else is dropped, and no other space is but the usual one
        text = _SURROGATES.sub("\ufffd", _INVISIBLE.sub("", text))
    return " ".join(unicodedata.normalize("NFC", text).split())


def invisible(text: str) -> bool:
    """Whether there is something in a text that is dropped before a model sees it."""
    return not text.isprintable() and bool(_INVISIBLE.search(text))
