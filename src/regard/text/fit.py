# ruff: noqa: RUF001 (full-width marks are the subject)
"""text -> parts that fit: split at sentence ends, else at spaces, else anywhere."""

import re
from collections.abc import Callable, Iterator

_CLOSING = "\"'”’»)\\]」』）"
_SENTENCES = re.compile(rf".+?(?:[.!?…][{_CLOSING}]* |[。！？｡]++[{_CLOSING}]* ?|$)")
_WORDS = re.compile(r"[^ ]+ ?| ")


def fit(text: str, count: Callable[[str], int], *, room: int) -> list[str]:
    """Parts of a text with at most `room` pieces each, which joined are the text.

    A text that fits is one part. A longer one has a part for each sentence; a sentence that does
    not fit has parts of about equal length, split at spaces; a word that does not fit is split
    between any two characters, and a single character that does not fit is a part all the same.

    Args:
        text: Normalised text.
        count: How many pieces a text has.
        room: How many a part may have, at least 1.

    >>> fit("It rains. Stay in the house", lambda text: len(text.split()), room=3)
    ['It rains. ', 'Stay in ', 'the house']
    """
    if count(text) <= room:
        return [text]
    sentences = _SENTENCES.findall(text)
    return [part for sentence in sentences for part in _parts_of_sentence(sentence, count, room)]


def _parts_of_sentence(sentence: str, count: Callable[[str], int], room: int) -> list[str]:
    total = count(sentence)
    if total <= room:
        return [sentence]
    words = [part for word in _WORDS.findall(sentence) for part in _halves(word, count, room)]
    sizes = [count(word) for word in words]
    aim = total / -(-total // room)  # of as many parts as there must be, as equal as can be
    parts = _filled(words, sizes, room, aim)
    return [fitting for part in parts for fitting in _halves(part, count, room)]


def _filled(words: list[str], sizes: list[int], room: int, aim: float) -> Iterator[str]:
    part, size = "", 0
    for word, more in zip(words, sizes, strict=True):
        if part and (size >= aim or size + more > room):
            yield part
            part, size = "", 0
        part, size = part + word, size + more
    yield part


def _halves(word: str, count: Callable[[str], int], room: int) -> list[str]:
    if len(word) < 2 or count(word) <= room:
        return [word]
    middle = len(word) // 2
    return [*_halves(word[:middle], count, room), *_halves(word[middle:], count, room)]
