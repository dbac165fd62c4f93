"""pieces -> what stands along the axes of an attention: pieces, and the words that they spell."""

from collections.abc import Sequence
from dataclasses import dataclass

from regard.text.pieces import BOS, EOS, PAD, UNK, Pieces

SPACE = "\u2581"
SIGNS = {"<pad>", "<s>", "</s>", "<unk>", "<bos>", "<eos>", "[CLS]", "[SEP]", "[PAD]"}
"""Texts by which other programs mark begin, end and padding."""


@dataclass(frozen=True)
class Side:
    """What stands along one axis.

    Attributes:
        pieces: Their texts, without the mark of a word's beginning.
        words: The words' texts; a sign for begin or end is a word of its own.
        word_of: For each piece, which word it belongs to.
        special: For each piece, whether it is a sign that stands for no text.
    """

    pieces: tuple[str, ...]
    words: tuple[str, ...]
    word_of: tuple[int, ...]
    special: tuple[bool, ...]

    def __post_init__(self):
        if not len(self.pieces) == len(self.word_of) == len(self.special):
            raise ValueError(
                f"{len(self.pieces)} pieces need as many numbers of words and as many marks,"
                f" got {len(self.word_of)} and {len(self.special)}"
            )
        if sorted(set(self.word_of)) != list(range(len(self.words))):
            raise ValueError(f"word_of must name each of the {len(self.words)} words, from 0")

    def __len__(self) -> int:
        return len(self.pieces)

    @classmethod
    def of(cls, pieces: Pieces, ids: Sequence[int]) -> "Side":
        """From ids: a word begins at a space and around a sign; a byte counts as a piece."""
        texts = [pieces.piece(i) for i in ids]
        signs = [i in (PAD, EOS, BOS, UNK) for i in ids]
        groups: list[list[int]] = []
        for place, text in enumerate(texts):
            begins = text.startswith(SPACE) or signs[place] or not place or signs[place - 1]
            groups.append([]) if begins else None
            groups[-1].append(place)
        return cls(
            pieces=tuple(text.removeprefix(SPACE) or text for text in texts),
            words=tuple(
                texts[group[0]] if signs[group[0]] else pieces.join([ids[i] for i in group])
                for group in groups
            ),
            word_of=tuple(word for word, group in enumerate(groups) for _ in group),
            special=tuple(signs),
        )

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> "Side":
        """From another program's pieces: a word begins at U+2581 or "\u0120", if any has such.

        Without such marks each piece is a word. `SIGNS` are special.
        """
        marks = (SPACE, "\u0120")
        marked = any(text.startswith(marks) for text in texts)
        signs = [text in SIGNS for text in texts]
        words: list[str] = []
        word_of = []
        for place, text in enumerate(texts):
            after_sign = place > 0 and signs[place - 1]
            if not marked or not words or text.startswith(marks) or signs[place] or after_sign:
                words.append("")
            words[-1] += text.lstrip("".join(marks)) if marked else text
            word_of.append(len(words) - 1)
        bare = tuple(text.lstrip("".join(marks)) or text for text in texts)
        return cls(bare, tuple(words), tuple(word_of), tuple(signs))

    def as_words(self) -> "Side":
        """One piece a word."""
        first = [self.word_of.index(word) for word in range(len(self.words))]
        return Side(
            self.words,
            self.words,
            tuple(range(len(self.words))),
            tuple(self.special[place] for place in first),
        )

    def only(self, places: Sequence[int]) -> "Side":
        """These pieces alone, each a word of its own."""
        kept = tuple(self.pieces[i] for i in places)
        return Side(kept, kept, tuple(range(len(kept))), tuple(self.special[i] for i in places))
