"""text -> pieces -> text."""

import io
import random

import pytest
import sentencepiece
from hypothesis import example, given, settings
from hypothesis import strategies as st

from regard.errors import CheckpointError, CorpusError
from regard.text.normalise import normalise
from regard.text.pieces import BOS, EOS, PAD, UNK, Pieces, PiecesOptions

TEXTS = [
    "the cat watches the mouse on the rug .", "die Katze sieht die Maus auf dem Teppich .",
    "a dog runs in the grass", "ein Hund läuft im Gras", "two old dogs sleep", "zwei alte Hunde",
]  # fmt: skip
LEARNT = {method: Pieces.learn(TEXTS, size=320, method=method) for method in ("bpe", "unigram")}
NASTY = [
    "</s> <s> <pad> <unk>", "</s>", "<0x41><0x42>", "<0x0A>", "▁", "▁▁ ▁a▁", "a▁b", "\uf8ff", "▅ ▅",
    "\uf8ff0\uf8ff1\uf8ff2", "\uf8ff▁", "\u2047 ⁇", "\u0308a", "e\u0301", "猫がいる",
    "👨\u200d👩\u200d👧",
    "\ud800x", "\x00\x01", "\ufeff", "\U0010ffff", "", " ", "\u2028", "0 1 2 \uf8ff 3", "İ ß ﬁ x²",
    "%s %1$s {0} ${x} <b> &lt; &amp;", "https://example.org/?a=b", "a" * 5000, "猫" * 5000,
    "! " * 999,
]  # fmt: skip
ANY = st.text(st.characters() | st.sampled_from("▁▅\uf8ff012 </s>\u0308\u2047aekt\x00\ud800"))


@pytest.fixture(params=LEARNT)
def pieces(request) -> Pieces:
    return LEARNT[request.param]


@pytest.mark.parametrize("method", LEARNT)
@settings(max_examples=400)
@given(text=ANY)
@example(text="\uf8ff1")
@example(text="<s> </s>")
def test_joining_what_was_split_gives_the_normalised_text(method, text):
    ids = LEARNT[method].split(text)
    assert LEARNT[method].join(ids) == normalise(text)
    assert all(UNK < i < len(LEARNT[method]) for i in ids)


@pytest.mark.parametrize("text", NASTY, ids=lambda text: ascii(text[:20]))
def test_no_text_is_lost_and_none_reaches_a_special_piece(pieces, text):
    ids = pieces.split(text)
    assert pieces.join(ids) == normalise(text)
    assert {PAD, EOS, BOS, UNK}.isdisjoint(ids)
    assert bool(ids) == bool(normalise(text))


@given(st.lists(st.integers(0, 319)))
def test_whatever_a_model_says_can_be_joined(ids):
    text = LEARNT["bpe"].join(ids)
    assert text == LEARNT["bpe"].join([i for i in ids if i > UNK])
    normalise(text).encode()


def test_special_pieces_have_the_same_ids_in_every_vocabulary(pieces):
    assert (PAD, EOS, BOS, UNK) == (0, 1, 2, 3)
    assert [pieces.piece(i) for i in range(4)] == ["<pad>", "</s>", "<s>", "<unk>"]
    assert pieces.join([PAD, EOS, BOS, UNK]) == ""


def test_special_words_in_the_text_learnt_from_are_text():
    pieces = Pieces.learn(["</s> <s> <pad> <unk> <0x41> ▁ ▅"] * 9, size=300)
    assert [pieces.piece(i) for i in range(4)] == ["<pad>", "</s>", "<s>", "<unk>"]
    assert all(i > UNK for i in pieces.split("</s> <s> <pad> <unk> <0x41>"))
    assert pieces.join(pieces.split("a </s> b")) == "a </s> b"


@pytest.mark.parametrize("method", LEARNT)
def test_the_same_text_gives_the_same_model(method):
    again = Pieces.learn(iter(TEXTS), size=320, method=method)
    assert again.model == LEARNT[method].model
    assert Pieces(again.model).split("a cat runs") == LEARNT[method].split("a cat runs")
    other = Pieces.learn(TEXTS[1:], size=320, method=method)
    assert other.model != again.model


def test_the_two_methods_are_two_methods():
    kinds = {method: found.split("the cats watch") for method, found in LEARNT.items()}
    assert kinds["bpe"] != kinds["unigram"]


@pytest.mark.parametrize("method", LEARNT)
def test_a_text_too_small_for_the_size_gives_what_it_can(method):
    pieces = Pieces.learn(["ab ab"], size=100_000, method=method)
    assert 260 < len(pieces) < 280
    assert pieces.join(pieces.split("ab xyz")) == "ab xyz"


@pytest.mark.parametrize("method", LEARNT)
@pytest.mark.parametrize("size", [2, 260, 270])
def test_a_size_too_small_for_the_text_is_refused(method, size):
    with pytest.raises(CorpusError, match=f"{size} pieces"):
        Pieces.learn(TEXTS, size=size, method=method)


@pytest.mark.parametrize("texts", [[], ["", " ", "\x00", "\u3000\u2028"]])
def test_learning_from_nothing_is_refused(texts):
    with pytest.raises(CorpusError, match="every line is blank"):
        Pieces.learn(texts, size=300)


@pytest.mark.parametrize("method", LEARNT)
def test_a_script_that_writes_no_spaces_keeps_its_rare_spaces(method):
    chance = random.Random(1)
    long = "".join(chance.choices("猫犬鳥馬魚牛羊鹿", k=9000))
    pieces = Pieces.learn([long], size=300, method=method)
    assert pieces.join(pieces.split("猫 犬")) == "猫 犬"
    assert pieces.join(pieces.split(long)) == long


def test_lines_with_a_block_that_sentencepiece_reserves_are_learnt_from():
    pieces = Pieces.learn(["▅ wort wort wort"] * 3, size=290)
    assert "▁wort" in [pieces.piece(i) for i in pieces.split("wort")]


def foreign(**options) -> bytes:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    return model.getvalue()


def test_a_model_made_elsewhere_is_refused():
    with pytest.raises(CheckpointError, match=r"pad, eos, bos, unk = \[-1, 2, 1, 0\]"):
        Pieces(foreign())
    with pytest.raises(CheckpointError, match="cannot spell in bytes"):
        Pieces(foreign(pad_id=PAD, eos_id=EOS, bos_id=BOS, unk_id=UNK))


@pytest.mark.parametrize("damage", [b"", b"no model", bytes(100), LEARNT["bpe"].model[:1000]])
def test_bytes_that_are_no_model_are_refused(damage):
    with pytest.raises(CheckpointError):
        Pieces(damage)


@pytest.mark.parametrize("size", [-1, 0, 260, 1_000_001, 10**30])
def test_options_refuse_a_size_that_cannot_be(size):
    with pytest.raises(ValueError, match=f"size {size} must be"):
        PiecesOptions(size=size)
