"""pieces found -> a translation: one text again, with what is odd about it."""

from dataclasses import dataclass

from regard.text.normalise import normalise
from regard.text.warnings import Warning


@dataclass(frozen=True)
class Translation:
    """One translated text.

    Attributes:
        text: The translation; the source itself where it is blank.
        score: What the search ranked it by: log-probability over length penalty; 0 if not asked;
            the sum of the parts'.
        ended: Whether the search came to an end within the limit; if not, `text` is not to be
            trusted.
        parts: In how many parts it was translated; more than one where the text is longer than
            what the model has learnt from.
        pieces: The ids that `text` was joined from.
        warnings: What to look at twice.
        others: The next best, if more than one was asked for; none if there are parts.
    """

    text: str
    score: float = 0.0
    ended: bool = True
    parts: int = 1
    pieces: tuple[int, ...] = ()
    warnings: tuple[Warning, ...] = ()
    others: tuple["Translation", ...] = ()


def joined(parts: list[str], found: list[Translation]) -> Translation:
    """The translations of a text's parts as that of the text."""
    if len(found) == 1:
        return found[0]
    texts = [each.text + " " * part.endswith(" ") for part, each in zip(parts, found, strict=True)]
    return Translation(
        normalise("".join(texts)),
        sum(each.score for each in found),
        ended=all(each.ended for each in found),
        parts=len(found),
        pieces=tuple(piece for each in found for piece in each.pieces),
        warnings=tuple(dict.fromkeys(odd for each in found for odd in each.warnings)),
    )
