"""two files, line for line -> windows of given translations, as text and as ids."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regard.errors import CorpusError
from regard.text.pieces import Pieces

if TYPE_CHECKING:
    from regard.translator import Translator

WINDOW = 2048
"""Pairs that are sorted by length among themselves."""


class Given(NamedTuple):
    """A sentence and a translation of it, and the ids of their pieces, without BOS and EOS."""

    source: str
    target: str
    source_ids: list[int]
    target_ids: list[int]


def windows_of(
    translator: "Translator", source: Path, target: Path, *, as_pieces: bool = False
) -> Iterator[list[Given]]:
    """Up to `WINDOW` pairs at a time.

    Args:
        translator: Whose pieces they become.
        source: A file of sentences.
        target: A file of as many translations.
        as_pieces: Whether a line of `target` holds pieces, with spaces between, and not text.

    Raises:
        CorpusError: files that cannot be read or are not of one length; a pair that is longer than
            the model has places for; a piece that it does not know.
    """
    from regard.data.pairs import read_pairs

    longest = translator.model.longest - 1  # one for EOS, or BOS
    pairs = enumerate(read_pairs([source, target]), start=1)
    while window := list(islice(pairs, WINDOW)):
        given = []
        for number, (sentence, translation) in window:
            there = f"{target}, line {number}"
            ids = _ids(translator.target, translation, there, as_pieces=as_pieces)
            given.append(Given(sentence, translation, translator.source.split(sentence), ids))
            for path, row in ((source, given[-1].source_ids), (target, ids)):
                if len(row) > longest:
                    raise CorpusError(
                        f"{path}, line {number} has {len(row)} pieces, and the model has places"
                        f" for {longest}; shorten it"
                    )
        yield given


def _ids(pieces: Pieces, text: str, there: str, *, as_pieces: bool) -> list[int]:
    if not as_pieces:
        return pieces.split(text)
    found = []
    for piece in text.split():
        known = pieces.id(piece)
        if known is None:
            raise CorpusError(
                f"{there}: {piece!r} is no piece of this model; give its own pieces, with spaces"
                " between them, or text without --pieces"
            )
        found.append(known)
    return found
