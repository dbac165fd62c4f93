"""Our models beside CTranslate2 with the same parameters: equal log-probabilities, equal search."""

from itertools import islice

import ctranslate2
import pytest
import torch

from regard.checkpoint import parameters
from regard.data.batch import Batch, Sentences
from regard.data.phrasebook import examples
from regard.engines.ctranslate2 import CTranslate2
from regard.engines.export import export
from regard.engines.specification import specification
from regard.errors import RecipeError
from regard.models.build import build
from regard.models.config import ConvS2SConfig, RecurrentConfig, TransformerConfig
from regard.text.pieces import BOS, EOS, Pieces
from regard.translator import Translator

PAIRS = [(example.source, example.target) for example in islice(examples(seed=1), 300)]


@pytest.fixture(scope="module")
def sides() -> tuple[Pieces, Pieces]:
    """Pieces of both sides, as many for each but not the same."""
    return tuple(Pieces.learn([pair[i] for pair in PAIRS], size=330) for i in (0, 1))


def transformer(sides, **changes) -> torch.nn.Module:
    """Two layers of chance, biases and gains too."""
    shape = {"d_model": 24, "d_ff": 40, "heads": 3, "encoder_layers": 2, "decoder_layers": 1}
    config = TransformerConfig(**(shape | {"tie": "target", "dropout": 0.0} | changes))
    source, target = sides
    generator = torch.Generator().manual_seed(5)
    model = build(config, source_rows=len(source), target_rows=len(target), generator=generator)
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn(parameter.shape, generator=generator)
    return model.eval()


@torch.no_grad()
def our_log_probs(model, sources, targets):
    source = Sentences.of([[*row, EOS] for row in sources])
    target_in = Sentences.of([[BOS, *row] for row in targets])
    target_out = Sentences.of([[*row, EOS] for row in targets])
    values = model.log_probs(Batch(source, target_in, target_out))
    return [row[: len(target) + 1] for row, target in zip(values, targets, strict=True)]


SHAPES = [
    {}, {"norm": "pre"}, {"positions": "halves"}, {"positions": "learned", "longest": 90},
    {"d_k": 5, "d_v": 5}, {"tie": "none"}, {"tie": "all"},
]  # fmt: skip


@pytest.mark.parametrize("changes", SHAPES, ids=str)
def test_every_log_probability_is_the_same(tmp_path, sides, changes):
    source, target = (sides[0], sides[0]) if changes.get("tie") == "all" else sides
    model = transformer((source, target), **changes)
    spec = specification(model, source, target, positions=90, stored_as="float32")
    spec.save(str(tmp_path))
    theirs = ctranslate2.Translator(str(tmp_path), intra_threads=1, compute_type="float32")
    sources = [source.split(text) for text, _ in PAIRS[:9]]
    targets = [target.split(text) for _, text in PAIRS[:9]]
    answers = theirs.score_batch(
        [[source.piece(i) for i in row] for row in sources],
        [[target.piece(i) for i in row] for row in targets],
    )
    for ours, answer in zip(our_log_probs(model, sources, targets), answers, strict=True):
        torch.testing.assert_close(ours, torch.tensor(answer.log_probs), atol=2e-5, rtol=0)


def engine_of(model, sides, *, stored_as="float32", positions=100, approximate=False):
    exported = export(
        model, *sides, stored_as=stored_as, positions=positions, digest="of this model"
    )
    return CTranslate2(exported, *sides, approximate=approximate)


def test_an_export_leaves_the_model_as_it_is(sides):
    model = transformer(sides)
    before = parameters(model)
    engine_of(model, sides, stored_as="int8")
    assert all(torch.equal(before[name], now) for name, now in parameters(model).items())


@pytest.fixture(scope="module")
def translator(tiny_run):
    return Translator.load(tiny_run)


@pytest.fixture(scope="module")
def engine(translator):
    return engine_of(translator.model, (translator.source, translator.target))


TEXTS = [
    "the cat sleeps", "", "the dog runs", "the bird", "x", "the child waits the mouse", "  ",
    "🐈 the cat", "the cat sleeps",
]  # fmt: skip


@pytest.mark.parametrize(
    "rules",
    [
        {"beam": 1, "longest": 20},
        {"beam": 1, "longest": 2},
        {"beam": 4, "longest": 20, "penalty": "none"},
        {"beam": 3, "longest": 20, "penalty": "length", "alpha": 1.0},
        {"beam": 3, "longest": 20, "penalty": "gnmt", "alpha": 0.0},
        {"beam": 4, "best": 3, "longest": 20, "penalty": "length", "alpha": 1.0},
    ],
    ids=str,
)
def test_a_rule_that_both_have_finds_the_same(translator, engine, rules):
    ours = translator.with_search(**rules)
    theirs = translator.through(engine).with_search(**rules)
    for a, b in zip(ours.translate(TEXTS), theirs.translate(TEXTS), strict=True):
        assert b.score <= a.score + 1e-4
        if b.score > a.score - 1e-4:
            assert (a.text, a.ended, a.parts) == (b.text, b.ended, b.parts)
            assert len(a.others) == len(b.others) == rules.get("best", 1) - 1 or not a.pieces
        else:  # it stopped before it came to what is better
            assert rules["penalty"] == "length"


def test_a_rule_that_it_lacks_is_refused_unless_it_may_be_approximated(translator, engine):
    through = translator.through(engine)
    with pytest.raises(RecipeError, match=r"GNMT .* and a limit that grows with the source"):
        through.translate(["the cat"])
    with pytest.raises(RecipeError, match=r"lacks the length penalty of GNMT \(it has --penalty"):
        through.with_search(longest=20)
    with pytest.raises(RecipeError, match="lacks a limit that grows"):
        through.with_search(beam=1)
    for rule in ({"shortest": 3}, {"no_repeat": 2}, {"stop": "first"}):
        with pytest.raises(RecipeError, match="only our own engine has"):
            through.with_search(beam=1, longest=20, **rule)
    nearest = translator.through(
        engine_of(translator.model, (translator.source, translator.target), approximate=True)
    )
    ours, theirs = translator.translate(TEXTS), nearest.translate(TEXTS)
    assert sum(a.text == b.text for a, b in zip(ours, theirs, strict=True)) >= len(TEXTS) - 1
    for a, b in zip(ours, theirs, strict=True):
        assert b.score <= a.score + 1e-4 or not a.ended  # its limit is that of a longer source


def test_no_sentence_is_longer_than_its_table_of_positions(translator):
    sides = translator.source, translator.target
    engine = engine_of(translator.model, sides, positions=6)
    short = translator.through(engine).with_search(beam=1, longest=50)
    (found,) = short.translate(["the cat sleeps the cat sleeps the cat sleeps"])
    assert found.parts > 1
    assert found.text


def test_what_it_cannot_express_is_refused_by_name(sides):
    def refused(model, stored_as="float32"):
        with pytest.raises(RecipeError) as caught:
            engine_of(model, sides, stored_as=stored_as)
        return str(caught.value)

    rows = {"source_rows": len(sides[0]), "target_rows": len(sides[1])}
    recurrent = RecurrentConfig(family="recurrent", d_model=8, tie="none")
    assert "has no Recurrent" in refused(build(recurrent, **rows))
    convolutional = ConvS2SConfig(family="convs2s", d_model=8, d_hidden=8, tie="none")
    assert "has no ConvS2S" in refused(build(convolutional, **rows))
    assert "encoder_window" in refused(transformer(sides, encoder_window=2))
    assert "d_k 5, d_v 4" in refused(transformer(sides, d_k=5, d_v=4))
    assert "quantization 'int3' must be one of" in refused(transformer(sides), "int3")
    assert "cannot run what is stored as float16 here" in refused(transformer(sides), "float16")
