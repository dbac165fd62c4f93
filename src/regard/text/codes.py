"""text -> its placeholders and tags; and a translation -> one that has them all."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

_PLACEHOLDERS = re.compile(
    r"%(?:\d+\$|\(\w+\))?[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?"
    r"(?:(?:hh?|ll?|[Lqjzt])?[diouxXeEfFgGaAcspn@]|<PRI\w+>)"  # C, Python
    r"|%%|%L?\d+|%[-_^]?[EO]?[a-zA-Z](?![a-zA-Z])"  # Qt; strftime
    r"|\$?\{\{?[\w.:!$ -]*\}?\}|\$[A-Z_][A-Z0-9_]*"  # {name}, {0:.2f}, {{x}}, ${x}; $HOME
    r"|\{\\[^{}]*\}"  # {\an8}, in subtitles
    r"|</?[A-Za-z][^<>]*>|&(?:\w+|#\d+|#x[0-9A-Fa-f]+);"  # <b>; &lt;
)


class Code(str):
    """A stretch that is no text: it comes out of a translation as it went in."""

    __slots__ = ()


class Break(Code):
    """A code between two texts that are translated each for itself."""

    __slots__ = ()


def coded(text: str) -> list[str | Code]:
    """Text, and the placeholders and tags in it.

    >>> coded("Hello %s, <b>you</b>")
    ['Hello ', '%s', ', ', '<b>', 'you', '</b>']
    """
    found: list[str | Code] = []
    end = 0
    for match in _PLACEHOLDERS.finditer(text):
        found += [text[end : match.start()], Code(match[0])]
        end = match.end()
    return [part for part in [*found, text[end:]] if part]


def placeholders(text: str) -> Counter[str]:
    """The placeholders and tags in a text, and how often it has each."""
    return Counter(_PLACEHOLDERS.findall(text))


def plain(text: Sequence[str | Code]) -> str:
    """Text without its codes."""
    return "".join(part for part in text if not isinstance(part, Code))


def put_back(source: Sequence[str | Code], translation: str) -> list[str | Code]:
    """A translation of the source's text, with the source's codes in it.

    A code that has so many of the source's words before it has as large a share of the
    translation's words before it, so that their order is the source's; there is space beside it
    where there was in the source.

    >>> put_back(["the ", Code("<b>"), "old", Code("</b>"), " dog"], "der alte Hund")
    ['der ', '<b>', 'alte', '</b>', ' Hund']
    """
    words = translation.split()
    codes = list(_placed(source))
    total = len(plain(source).split())
    items: list[_Placed] = []
    done = 0
    for code in codes:
        until = round(code.words / total * len(words)) if total else 0
        items += [_Placed(word, 0, True, True) for word in words[done:until]]
        items.append(code)
        done = max(done, until)
    items += [_Placed(word, 0, True, True) for word in words[done:]]
    return _with_spaces(items)


class _Placed(NamedTuple):
    """A word or a code: the words before it, and whether there is space before and after it."""

    text: str | Code
    words: int
    before: bool
    after: bool


def _placed(source: Sequence[str | Code]) -> Iterator[_Placed]:
    words, last = 0, " "  # the last character of the text so far
    for place, part in enumerate(source):
        if isinstance(part, Code):
            around = ("", *source, "")[place : place + 3 : 2]
            before, after = ("" if isinstance(text, Code) else text for text in around)
            yield _Placed(part, words, before[-1:].isspace(), after[:1].isspace())
        elif part:
            glued = not last.isspace() and not part[0].isspace()
            words += len(part.split()) - glued
            last = part[-1]


def _with_spaces(items: list[_Placed]) -> list[str | Code]:
    found: list[str | Code] = []
    for last, item in zip([None, *items], items, strict=False):
        if last and _space_between(last, item):
            found.append(" ")
        found.append(item.text)
    runs = groupby(found, key=lambda part: isinstance(part, Code))
    return [part for code, run in runs for part in (run if code else ["".join(run)])]


def _space_between(left: _Placed, right: _Placed) -> bool:
    if isinstance(left.text, Code) and isinstance(right.text, Code):
        return left.after or right.before
    return left.after and right.before
