"""What is caught is what the model did: held against its own outputs, step by step, by hand."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch

from regard.data.batch import Batch, Sentences
from regard.errors import NotFiniteError, RequestError
from regard.models.build import build
from regard.models.config import config_of
from regard.search import SearchOptions, beam_search, rules_of
from regard.text.pieces import BOS, EOS
from regard.trace.capture import Watch, attentions
from regard.translator import Translator

SMALL = {"d_model": 24, "dropout": 0.0}

FAMILIES = {
    "transformer": {"d_ff": 20, "heads": 3, "encoder_layers": 2, "decoder_layers": 2},
    "bahdanau": {"family": "recurrent", "attention": "bahdanau"},
    "luong": {"family": "recurrent", "attention": "luong"},
    "bottleneck": {"family": "recurrent", "attention": "none"},
    "luong-general": {"family": "recurrent", "attention": "luong", "score": "general"},
    "convs2s": {
        "family": "convs2s",
        "d_hidden": 16,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "kernel": 3,
        "longest": 32,
    },
    "bytenet": {"family": "bytenet"},
}
SOURCE, TARGET = [7, 11, 5, 13, EOS], [9, 6, 12, 8, 10, 5, EOS]


def model_of(options):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return build(config_of(SMALL | options), source_rows=17, target_rows=17).eval()


@pytest.fixture(params=FAMILIES)
def model(request):
    return model_of(FAMILIES[request.param])


def in_order(watch):
    """Modules and their calls, encoder first, then a decoder's own attentions, then the others."""
    found = {"encoder": [], "decoder": [], "cross": []}
    for name, calls in watch.calls.items():
        own = "decoder" if name.endswith(".attention.attention") else "cross"
        kind = "encoder" if name.startswith("encoder") else own
        found[kind].append((watch.modules[name], calls))
    return [pair for pairs in found.values() for pair in pairs]


def test_weights_mix_to_what_the_module_answered(model):
    batch = Batch(*(Sentences.of([ids]) for ids in (SOURCE, [BOS, *TARGET[:-1]], TARGET)))
    with Watch(model) as watch, torch.inference_mode():
        model(batch)
    found, _ = attentions(model, SOURCE, TARGET, values=True)
    for attended, (_, calls) in zip(found, in_order(watch), strict=True):
        context = torch.cat([call.context for call in calls], dim=-2).numpy()
        context = context[0] if context.ndim == 4 else context
        np.testing.assert_allclose(attended.weights @ attended.values, context, atol=1e-5)


def test_weights_are_the_softmax_of_the_scores_over_who_was_allowed(model):
    for attended in attentions(model, SOURCE, TARGET)[0]:
        for head, query in np.ndindex(attended.scores.shape[:2]):
            shares = [
                math.exp(score) if seen else 0.0
                for score, seen in zip(
                    attended.scores[head, query].tolist(),
                    attended.allowed[query].tolist(),
                    strict=True,
                )
            ]
            expected = [share / sum(shares) for share in shares]
            np.testing.assert_allclose(attended.weights[head, query], expected, atol=1e-6)


def test_nothing_stays_on_the_model(model):
    before = [len(module._forward_hooks) for module in model.modules()]
    attentions(model, SOURCE, TARGET)
    assert [len(module._forward_hooks) for module in model.modules()] == before
    with pytest.raises(IndexError):
        attentions(model, [99, EOS], TARGET)
    assert [len(module._forward_hooks) for module in model.modules()] == before


def test_a_transformer_has_all_three_kinds_and_the_decoder_looks_back_only():
    found, _ = attentions(model_of(FAMILIES["transformer"]), SOURCE, TARGET)
    assert [(attended.kind, attended.layer) for attended in found] == [
        (kind, layer) for kind in ("encoder", "decoder", "cross") for layer in (0, 1)
    ]
    shapes = {attended.kind: attended.weights.shape for attended in found}
    assert shapes == {"encoder": (3, 5, 5), "decoder": (3, 7, 7), "cross": (3, 7, 5)}
    assert np.array_equal(found[2].allowed, np.tri(7, dtype=bool))
    assert found[0].allowed.all()


@pytest.mark.parametrize("name", ["bahdanau", "luong"])
def test_a_recurrent_decoder_asks_once_a_step_and_is_one_record(name):
    (attended,), _ = attentions(model_of(FAMILIES[name]), SOURCE, TARGET)
    assert (attended.kind, attended.weights.shape) == ("cross", (1, 7, 5))


@pytest.mark.parametrize("name", ["bottleneck", "bytenet"])
def test_without_attention_there_is_none(name):
    assert attentions(model_of(FAMILIES[name]), SOURCE, TARGET)[0] == []


@pytest.mark.parametrize("beam", [1, 3])
def test_forced_decoding_equals_what_the_search_saw(model, beam):
    """A search with hooks on it, one query a hypothesis and step, against all steps at once."""
    source = Sentences.of([SOURCE])
    options = SearchOptions(beam=beam, shortest=6)
    steps = []
    with torch.inference_mode():
        memory = model.encode(source)
        with Watch(model) as watch:
            state, limits = model.start(memory), torch.tensor([9])
            ((found,),) = beam_search(
                model, state, limits, options, rules=rules_of(options), observer=steps.append
            )
    target = [*found.pieces, EOS] if found.ended else list(found.pieces)
    assert len(target) >= 6
    rows = rows_of(target, steps, beam)
    forced, log_probs = attentions(model, SOURCE, target)
    assert log_probs.sum() == pytest.approx(found.log_prob, abs=1e-4)
    for attended, (module, calls) in zip(forced, in_order(watch), strict=True):
        if attended.kind == "encoder":
            continue
        for query, (call, row) in enumerate(zip(calls, rows, strict=False)):
            with torch.inference_mode():
                weights = module.weights(call.query, call.key, allowed=call.allowed)[..., row, :]
            own = call.allowed[..., row if call.allowed.shape[-2] > 1 else 0, :]
            weights = weights[..., own.flatten()]  # the hypothesis' own past, or the source
            weights = weights.reshape(len(attended.weights), -1).numpy()
            seen = weights.shape[1]
            np.testing.assert_allclose(attended.weights[:, query, :seen], weights, atol=1e-5)


def rows_of(target, steps, beam):
    """Where the beginnings of what was found stood among the hypotheses, at each step."""
    rows, going = [], [()]
    for length, step in enumerate(steps[: len(target)]):
        rows.append(going.index(tuple(target[:length])))
        nexts = zip(step.parents[0].tolist(), step.pieces[0].tolist(), strict=True)
        going = [(*going[parent], piece) for parent, piece in nexts if piece != EOS][:beam]
    return rows


@pytest.fixture(scope="module")
def translator(tiny_run):
    return Translator.load(tiny_run)


def test_a_trace_is_of_the_translation_that_is_given(translator):
    (translation,) = translator.translate(["the cat sleeps"])
    trace = translator.trace("the cat sleeps", values=True)
    assert trace.translation == translation.text == "Katze schläft"
    assert trace.text == "the cat sleeps"
    assert not trace.forced
    assert trace.source.words == ("the", "cat", "sleeps", "</s>")
    assert trace.target_out.words == ("Katze", "schläft", "</s>")
    assert trace.target_in.words == ("<s>", "Katze", "schläft")


def test_steps_tell_what_was_rejected(translator):
    steps = translator.trace("the cat sleeps").steps
    ended = [candidate for step in steps for candidate in step if candidate.fate == "ended"]
    assert "Katze schläft" in {candidate.text for candidate in ended}
    for earlier, step in pairwise(steps):
        going = [candidate for candidate in earlier if candidate.fate == "goes on"]
        assert len(going) <= translator.search.beam
        for candidate in step:
            assert candidate.text.startswith(going[candidate.parent].text)
            assert candidate.log_prob <= going[candidate.parent].log_prob + 1e-6
    assert any(candidate.fate == "rejected" for candidate in steps[0])


def test_a_given_target_is_forced(translator):
    trace = translator.trace("the cat sleeps", target="Hund läuft")
    best = translator.trace("the cat sleeps")
    assert trace.forced
    assert trace.translation == "Hund läuft"
    assert trace.steps == ()
    assert trace.log_prob < best.log_prob


@pytest.mark.parametrize(("text", "target"), [("", None), (" \t", None), ("the cat", "  ")])
def test_what_is_blank_is_refused(translator, text, target):
    with pytest.raises(RequestError, match="is blank; give a sentence"):
        translator.trace(text, target=target)


def test_a_silenced_head_brings_nothing(translator):
    model = translator.model
    whole = translator.trace("the cat sleeps", target="Katze schläft")
    one = translator.trace("the cat sleeps", target="Katze schläft", without=[("cross", 0, 1)])
    # what comes before it is as it was, what comes after is not
    np.testing.assert_array_equal(one.weights("cross", head=1), whole.weights("cross", head=1))
    assert one.log_prob != whole.log_prob
    attention = model.decoder[0].memory_attention
    kept = attention.out_of_heads.weight.detach().clone()
    with torch.no_grad():
        attention.out_of_heads.weight[:, attention.d_v :] = 0
    by_hand = translator.trace("the cat sleeps", target="Katze schläft")
    with torch.no_grad():
        attention.out_of_heads.weight.copy_(kept)
    assert one.log_prob == pytest.approx(by_hand.log_prob, abs=1e-5)
    assert translator.trace("the cat sleeps", target="Katze schläft").log_prob == whole.log_prob
    with pytest.raises(RequestError, match="no head 2 in layer 0 of cross"):
        translator.trace("the cat sleeps", without=[("cross", 0, 2)])


def test_a_model_that_says_no_numbers_is_refused(tiny_run):
    broken = Translator.load(tiny_run)
    with torch.no_grad():
        broken.model.output.weight[:] = math.nan
    with pytest.raises(NotFiniteError, match="take another checkpoint"):
        broken.trace("the cat", target="Katze")


def test_a_trace_says_where_it_comes_from(translator):
    about = translator.with_search(beam=1).trace("the cat sleeps").about
    assert (about.model, about.family) == ("run", "Transformer")
    assert about.checkpoint.startswith("average ")
