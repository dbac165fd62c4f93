"""The same sentence, the same answer: bit for bit, whatever its neighbours, for every family."""

import random
from itertools import islice

import pytest
import torch

from regard.data.phrasebook import examples
from regard.models.build import build
from regard.models.config import config_of
from regard.search import Ensemble, SampleOptions, SearchOptions
from regard.text.pieces import Pieces
from regard.translator import Translator

RECURRENT = {"family": "recurrent", "d_model": 32}
FAMILIES = {
    "transformer": {"d_model": 32, "d_ff": 48, "heads": 2, "encoder_layers": 2},
    "pre-norm, learned places": {
        "d_model": 24, "d_ff": 40, "heads": 3, "norm": "pre", "positions": "learned",
        "longest": 96, "encoder_layers": 1,
    },
    "bahdanau": RECURRENT,
    "luong": {**RECURRENT, "attention": "luong", "cell": "lstm", "layers": 2, "score": "general",
              "input_feeding": True},
    "bottleneck": {**RECURRENT, "d_model": 25, "attention": "none"},
    "convs2s": {"family": "convs2s", "d_model": 16, "d_hidden": 24, "longest": 96},
    "bytenet": {"family": "bytenet", "d_model": 24, "dilations": [1, 2]},
}  # fmt: skip


@pytest.fixture(scope="module")
def texts():
    texts = [example.source for example in islice(examples(seed=3), 18)]
    return [*texts, "the cat", "the cat", "mouse " * 9, "x" * 50]


@pytest.fixture(scope="module")
def pieces(texts):
    return Pieces.learn(texts, size=320)


def model_of(name, rows, seed=3):
    options = {"decoder_layers": 1} if "family" not in FAMILIES[name] else {}
    generator = torch.Generator().manual_seed(seed)
    config = config_of({**FAMILIES[name], **options})
    return build(config, source_rows=rows, target_rows=rows, generator=generator)


def translator_of(model, pieces, beam):
    options = SearchOptions(beam=beam, best=min(beam, 3), longest=9)
    return Translator(model, pieces, pieces, search=options)


def in_batches(translator, texts, size, **options):
    batches = [texts[i : i + size] for i in range(0, len(texts), size)]
    return [found for batch in batches for found in translator.translate(batch, **options)]


def compare(translator, texts):
    wanted = in_batches(translator, texts, 2048)
    assert len({found.score for found in wanted}) > 15
    for size in (1, 2, 7, 64):
        assert in_batches(translator, texts, size) == wanted
    order = random.Random(7).sample(range(len(texts)), len(texts))
    shuffled = in_batches(translator, [texts[i] for i in order], 7)
    assert shuffled == [wanted[i] for i in order]


@pytest.mark.parametrize(
    "beam", [4, pytest.param(1, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_translation_does_not_depend_on_its_neighbours(name, beam, texts, pieces):
    compare(translator_of(model_of(name, len(pieces)), pieces, beam), texts)


def test_nor_does_an_ensembles(texts, pieces):
    models = [model_of(name, len(pieces)) for name in ("transformer", "bahdanau", "convs2s")]
    compare(translator_of(Ensemble(models), pieces, 3), texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transformer", "bahdanau"])
def test_nor_on_the_number_of_threads(name, texts, pieces):
    translator = translator_of(model_of(name, len(pieces)), pieces, 4)
    wanted = in_batches(translator, texts, 2048)
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert in_batches(translator, texts, 2048) == wanted
        assert in_batches(translator, texts[:9], 1) == wanted[:9]
    finally:
        torch.set_num_threads(threads)


@pytest.mark.parametrize("name", ["transformer", "luong"])
def test_nor_does_what_is_drawn(name, texts, pieces):
    translator = translator_of(model_of(name, len(pieces)), pieces, 3)
    drawn = [
        in_batches(
            translator, texts, size,
            sampling=SampleOptions(top_p=0.9), generator=torch.Generator().manual_seed(5),
        )
        for size in (64, 7, 1)
    ]  # fmt: skip
    assert drawn[0] == drawn[1] == drawn[2]


@pytest.mark.parametrize("name", FAMILIES)
def test_nor_does_forced_decoding(name, texts, pieces):
    translator = translator_of(model_of(name, len(pieces)), pieces, 2)
    sources = [pieces.split(text) for text in texts]
    targets = [ids[::-1][:30] for ids in sources]
    together = translator.log_probs(sources, targets)
    for i in range(0, len(texts), 3):
        for found, wanted in zip(
            translator.log_probs(sources[i : i + 3], targets[i : i + 3]),
            together[i : i + 3],
            strict=True,
        ):
            assert (found == wanted).all()


@pytest.mark.parametrize("name", FAMILIES)
def test_scores_are_those_of_forced_decoding(name, texts, pieces):
    translator = translator_of(model_of(name, len(pieces)), pieces, 4)
    sources = [pieces.split(text) for text in texts]
    found = translator.find(sources)
    forced = translator.log_probs(sources, [best.pieces for best, *_ in found])
    for (best, *_), values in zip(found, forced, strict=True):
        total = values.sum() if best.ended else values[:-1].sum()
        assert best.log_prob == pytest.approx(total, abs=1e-5)
