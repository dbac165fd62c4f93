"""a source, its translation -> what a person should look at twice; nothing is repaired."""

import re
import unicodedata
from typing import Literal

Warning = Literal["repeats", "copied", "length", "numbers"]
"""It goes round in a loop; it is the source; it is far shorter or longer; a number changed."""

TIMES = 4
"""How often in a row words, or stretches of characters, stand where a text loops."""
RUN = 20
"""The most words, or characters, that are looked for as what comes again."""
APART = 3
"""How many times as many pieces as the other a side has where lengths are out of proportion."""
SLACK = 10
"""Pieces that a side may have more in any case."""
_NUMBER = re.compile(r"\d(?:[.,'\u2019\u00a0\u202f]?\d)*")


def warnings(
    source: str, translation: str, *, lengths: tuple[int, int] = (0, 0)
) -> tuple[Warning, ...]:
    """What to look at twice in a translation of a source; `lengths` are theirs in pieces.

    >>> warnings("it costs 1,250.50", "es kostet 1.250,05")
    ('numbers',)
    """
    shorter, longer = sorted(lengths)
    found: dict[Warning, bool] = {
        "repeats": _loops(translation) and not _loops(source),
        "copied": source.casefold() == translation.casefold() and _words(source) > 1,
        "length": longer > APART * shorter and longer - shorter > SLACK,
        "numbers": _numbers(source) != _numbers(translation),
    }
    return tuple(name for name, there in found.items() if there)


def _loops(text: str) -> bool:
    return _repeated(tuple(text.split()), least=1) or _repeated(text, least=2)


def _repeated(items: str | tuple[str, ...], *, least: int) -> bool:
    """Whether `least` to `RUN` items stand `TIMES` times in a row, and are not all alike.

    All alike they may be if they are words: a line of dots is none that loops.
    """
    shortest = (TIMES - 1) * least
    seen = set()
    for i in range(len(items) - shortest + 1):
        stretch = items[i : i + shortest]
        if stretch in seen:  # as it is wherever something comes round again
            for run in range(least, min(RUN, i) + 1):
                again = items[i - run : i + (TIMES - 2) * run] == items[i : i + (TIMES - 1) * run]
                if again and (least == 1 or len(set(items[i - run : i])) > 1):
                    return True
        seen.add(stretch)
    return False


def _words(text: str) -> int:
    return sum(any(map(str.isalpha, word)) for word in text.split())


def _numbers(text: str) -> list[str]:
    """Each number's digits, whatever stands between them and in whatever script they are."""
    digits = ("".join(c for c in number if c.isdigit()) for number in _NUMBER.findall(text))
    return sorted("".join(str(unicodedata.digit(c, c)) for c in number) for number in digits)
