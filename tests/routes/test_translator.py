"""The translator: order, neighbours, and what it cannot translate."""

from dataclasses import replace

import pytest
import torch

from regard.errors import CheckpointError, RecipeError
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.search import Step
from regard.translator import Translator

TEXTS = ["the cat sleeps", "", "the dog runs the dog runs", " ", "the bird", "the child sings"]


@pytest.fixture
def translator(tiny_run):
    return Translator.load(tiny_run)


def test_texts_come_back_in_their_order_whatever_their_neighbours(translator):
    together = translator.translate(TEXTS)
    for text, found in zip(TEXTS, together, strict=True):
        (alone,) = translator.translate([text])
        assert alone.text == found.text
        assert alone.score == pytest.approx(found.score, abs=1e-5)
    backwards = translator.translate(TEXTS[::-1])
    assert [found.text for found in backwards[::-1]] == [found.text for found in together]


def test_a_blank_text_never_reaches_the_model(translator, monkeypatch):
    monkeypatch.setattr(translator.model, "encode", None)
    blanks = ["", " ", "\t", "\u3000\u00a0", "\x00"]
    assert [found.text for found in translator.translate(blanks)] == blanks
    assert translator.translate([]) == []


def test_it_translates_what_it_learnt(translator):
    assert translator.translate(["the cat sleeps"])[0].text == "Katze schläft"


def test_a_text_longer_than_what_was_learnt_is_translated_sentence_by_sentence(translator):
    sentences = ["the cat sleeps .", "the dog runs !", "the bird sings"]
    alone = [found.text for found in translator.translate(sentences)]
    short = Translator(translator.model, translator.source, translator.target,
                       search=translator.search, longest=22)  # fmt: skip
    whole, other = short.translate([" ".join(sentences), "the cat sleeps ."])
    assert (whole.text, whole.parts) == (" ".join(alone), 3)
    assert (other.text, other.parts) == (alone[0], 1)
    assert short.with_search(beam=1).longest == 22


def test_the_longest_is_what_the_recipe_says(translator):
    assert translator.longest == 64


def test_a_word_longer_than_the_learned_positions_is_split_and_ends_in_time(translator):
    config = TransformerConfig(
        d_model=8,
        d_ff=8,
        heads=2,
        encoder_layers=1,
        decoder_layers=1,
        positions="learned",
        longest=7,
    )
    pieces = translator.source
    model = build(config, source_rows=len(pieces), target_rows=len(pieces))
    small = Translator(model, pieces, pieces)
    steps: list[Step] = []
    (found,) = small.translate(["q" * 500], observer=steps.append)
    assert found.parts >= 500 / 6
    assert 1 <= len(steps) <= found.parts * 7


def test_other_search_options_leave_the_translator_as_it_is(translator):
    greedy = translator.with_search(beam=1, alpha=None)
    assert (greedy.search.beam, greedy.search.alpha) == (1, translator.search.alpha)
    assert translator.search.beam == 2
    with pytest.raises(RecipeError, match="beam 0 must be at least 1"):
        translator.with_search(beam=0)


def test_a_checkpoint_of_another_version_is_refused(translator, tiny_run, tmp_path):
    from regard.checkpoint import load, resolve, save

    whole = load(resolve(tiny_run))
    strange = whole.recipe | {"model": whole.recipe["model"] | {"wings": 2}}
    save(tmp_path / "strange", replace(whole, recipe=strange))
    with pytest.raises(CheckpointError, match="wings"):
        Translator.load(tmp_path / "strange")
    narrow = whole.recipe | {"model": whole.recipe["model"] | {"d_ff": 16}}
    save(tmp_path / "narrow", replace(whole, recipe=narrow))
    with pytest.raises(CheckpointError, match=r"another model's: .*narrow\.weight.*widen\.bias"):
        Translator.load(tmp_path / "narrow")


def test_the_search_does_not_remember(translator):
    steps = []
    first = translator.translate(["the cat sleeps"], observer=steps.append)
    assert steps
    assert translator.translate(["the cat sleeps"]) == first
    assert not any(parameter.grad is not None for parameter in translator.model.parameters())
    assert torch.is_grad_enabled()


def test_forced_decoding_gives_what_the_search_found(translator):
    texts = [text for text in TEXTS if text.strip()]
    sources = [translator.source.split(text) for text in texts]
    found = [best for (best,) in translator.find(sources)]
    log_probs = translator.log_probs(sources, [hypothesis.pieces for hypothesis in found])
    for hypothesis, values in zip(found, log_probs, strict=True):
        assert hypothesis.ended
        assert len(values) == len(hypothesis.pieces) + 1
        assert values.sum() == pytest.approx(hypothesis.log_prob, abs=1e-5)
    assert translator.log_probs([], []) == []


def test_forced_decoding_does_not_depend_on_neighbours(translator):
    sources = [translator.source.split(text) for text in TEXTS for _ in range(3)]
    targets = [translator.target.split("Hund " * length) for length in range(len(sources))]
    together = translator.log_probs(sources, targets)
    for source, target, values in zip(sources, targets, together, strict=True):
        assert len(values) == len(target) + 1
        (alone,) = translator.log_probs([source], [target])
        torch.testing.assert_close(alone, values, atol=1e-5, rtol=0)


def test_the_longest_translation_is_a_rule_of_the_search(translator):
    text = "the cat sleeps"
    whole = translator.translate([text])[0]
    length = len(translator.target.split(whole.text)) + 1
    assert translator.with_search(longest=length).translate([text]) == [whole]
    assert not translator.with_search(longest=length - 1).translate([text])[0].ended
