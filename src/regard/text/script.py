"""characters -> the script that they are letters of: Latin, Cyrillic, Han and Kana ..."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache

_JAPANESE = {"Cjk", "Hiragana", "Katakana"}  # one script: a sentence mixes them
_BEYOND_LATIN = re.compile("[^\0-\u02ff\u1e00-\u206f\u20a0-\u20cf]")


@cache
def script_of(character: str) -> str:
    """The script of a letter, by its Unicode name; "" for what is no letter.

    >>> script_of("ж"), script_of("é"), script_of("猫"), script_of("7")
    ('Cyrillic', 'Latin', 'Han and Kana', '')
    """
    plain = unicodedata.normalize("NFKC", character)[:1]  # a wide, bold or small one is the same
    if not plain.isalpha():
        return ""
    script = re.split("[ -]", unicodedata.name(plain, "Unknown"))[0].capitalize()
    return "Han and Kana" if script in _JAPANESE else script


def main_script(texts: Iterable[str]) -> str:
    """The script that most letters are of; "" where there are no letters."""
    found = Counter(map(script_of, "".join(texts)))
    del found[""]
    return max(found, key=lambda script: found[script], default="")


def is_other(text: str, script: str) -> bool:
    """Whether most letters of a text are of another script; never where that is ""."""
    if not script or (script == "Latin" and not _BEYOND_LATIN.search(text)):
        return False
    found = Counter(map(script_of, text))
    del found[""]
    return 2 * found[script] < found.total()
