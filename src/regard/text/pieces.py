"""text -> pieces (ids) -> text: sentencepiece, made safe for any text.

``join(split(text)) == normalise(text)`` for any text whatever, and no text can reach a special
piece: neither ``</s>`` typed by a person nor the word-boundary mark U+2581 in a document.
"""

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import sentencepiece

from regard.errors import CheckpointError, CorpusError
from regard.text.normalise import normalise

PAD, EOS, BOS, UNK = 0, 1, 2, 3
"""Ids of the special pieces, the same in every vocabulary (PAD and EOS as in tensor2tensor)."""
_SPACE = "\u2581"
# sentencepiece writes a space as U+2581, and learns from no line that holds U+2585. Where they
# stand in the text itself they travel as U+F8FF "1" and "2", and U+F8FF (a private-use character)
# as U+F8FF "0".
_ESCAPES = {"\uf8ff": "\uf8ff0", _SPACE: "\uf8ff1", "\u2585": "\uf8ff2"}
_ORIGINALS = {escape: original for original, escape in _ESCAPES.items()}
_BYTES = 256
_MOST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class PiecesOptions:
    """How to learn a vocabulary.

    Attributes:
        size: How many pieces, special pieces and bytes included.
        method: "bpe" as in the paper, or "unigram".
        joint: One vocabulary for both sides, as in the paper; or one for each.
        sample: How many characters of text to learn from; where there are more, so much is drawn
            at random.
    """

    size: int = 8000
    method: Literal["bpe", "unigram"] = "bpe"
    joint: bool = True
    sample: int = 100_000_000

    def __post_init__(self):
        if self.sample < 1:
            raise ValueError(f"sample {self.sample} must be at least 1")
        if not UNK + 1 + _BYTES < self.size <= _MOST:
            raise ValueError(
                f"size {self.size} must be more than {UNK + 1 + _BYTES}, special pieces and bytes,"
                f" and at most {_MOST:,}"
            )


class Pieces:
    """A learnt vocabulary of pieces (BPE, Sennrich et al. 2016; unigram, Kudo 2018).

    What the vocabulary does not know is spelt in bytes, so that no character is ever unknown.
    """

    def __init__(self, model: bytes):
        """From the bytes of a sentencepiece model, as `learn` makes and `model` holds it.

        Raises:
            CheckpointError: bytes that are no model of ours.
        """
        self.model = model
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
            specials = [self._processor.pad_id(), self._processor.eos_id(),
                        self._processor.bos_id(), self._processor.unk_id()]  # fmt: skip
        except RuntimeError as error:
            raise CheckpointError(f"not a sentencepiece model: {error}") from None
        if specials != [PAD, EOS, BOS, UNK]:
            raise CheckpointError(
                f"a sentencepiece model with pad, eos, bos, unk = {specials}, where"
                f" {[PAD, EOS, BOS, UNK]} is needed; learn the pieces with regard"
            )
        if not self._processor.is_byte(self._processor.piece_to_id("<0x00>")):
            raise CheckpointError(
                "a sentencepiece model that cannot spell in bytes; learn the pieces with regard"
            )

    @classmethod
    def learn(
        cls, texts: Iterable[str], *, size: int, method: Literal["bpe", "unigram"] = "bpe"
    ) -> "Pieces":
        """Learn at most `size` pieces from texts, always the same from the same texts.

        A text that yields fewer is no error; `len` tells how many there are.

        Raises:
            CorpusError: no text, or a size too small for the text's characters.
        """
        texts = list(texts)
        if not any(map(normalise, texts)):
            raise CorpusError("there is no text to learn pieces from: every line is blank")
        return cls(_train(texts, size, method))

    def __len__(self) -> int:
        return self._processor.get_piece_size()

    def split(self, text: str) -> list[int]:
        """The ids of a text's pieces, without BOS or EOS; [] for a blank text."""
        escaped = _escape(normalise(text))
        return self._processor.encode(escaped) if escaped else []

    def split_normalised(self, texts: Sequence[str]) -> list[list[int]]:
        """The same for many texts, which are normalised already; other threads go on meanwhile."""
        return self._processor.encode([_escape(text) for text in texts], num_threads=1)

    @property
    def bytes(self) -> range:
        """The pieces that spell what the vocabulary does not know."""
        first = self._processor.piece_to_id("<0x00>")
        return range(first, first + _BYTES)

    def join(self, ids: Sequence[int]) -> str:
        """The text that pieces spell; special pieces say nothing."""
        return _unescape(self._processor.decode([i for i in ids if i > UNK]))

    def piece(self, piece_id: int) -> str:
        """One piece as sentencepiece writes it, U+2581 for the space before a word."""
        return self._processor.id_to_piece(piece_id)

    def id(self, piece: str) -> int | None:
        """The id of a piece as `piece` writes it; None if there is none such, or it is special."""
        found = self._processor.piece_to_id(piece)
        return found if found > UNK else None


def _train(texts: list[str], size: int, method: Literal["bpe", "unigram"]) -> bytes:
    model = io.BytesIO()
    sentencepiece.set_random_generator_seed(1)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(ready for text in texts if (ready := _escape(normalise(text)))),
            model_writer=model,
            vocab_size=size,
            model_type=method,
            hard_vocab_limit=method == "bpe",
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            byte_fallback=True,
            required_chars=_SPACE,  # however rare it is, as in a language that writes no spaces
            max_sentence_length=1 << 24,
            num_threads=1,
            pad_id=PAD,
            eos_id=EOS,
            bos_id=BOS,
            unk_id=UNK,
            minloglevel=2,
        )
    except RuntimeError as error:
        if possible := re.search(r"Please set it to a value <= (\d+)", str(error)):
            return _train(texts, int(possible[1]), method)
        if needed := re.search(r"required_chars\. \d+ vs (\d+)", str(error)):
            raise CorpusError(
                f"{size} pieces are too few: special pieces, bytes and the text's characters alone"
                f" are {needed[1]}; ask for more"
            ) from None
        raise CorpusError(f"sentencepiece cannot learn {size} pieces: {error}") from None
    return model.getvalue()


def _escape(text: str) -> str:
    if text.isascii():
        return text
    return re.sub("[\uf8ff\u2581\u2585]", lambda found: _ESCAPES[found[0]], text)


def _unescape(text: str) -> str:
    return re.sub("\uf8ff[012]", lambda found: _ORIGINALS[found[0]], text)
