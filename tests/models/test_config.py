"""The shapes of models: what cannot be is refused, and ByteNet's columns are counted once."""

import tomllib

import pytest
import torch

from regard.data.batch import Sentences
from regard.errors import RecipeError
from regard.models.build import build
from regard.models.config import (
    ByteNetConfig,
    ConvS2SConfig,
    RecurrentConfig,
    TransformerConfig,
    config_of,
)
from regard.models.sizes import multiplications
from regard.train.recipe import recipe_of

RECURRENT = {"family": "recurrent"}
NONE = {**RECURRENT, "attention": "none"}


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        (TransformerConfig, {"norm": "poost"}, "norm 'poost' must be one of post, pre"),
        (TransformerConfig, {"positions": 5}, "positions '5' must be one of sinusoids, halves"),
        (TransformerConfig, {"family": "recurrent"}, "family 'recurrent' must be one of transf"),
        (RecurrentConfig, {**RECURRENT, "cell": "gated"}, "cell 'gated' must be one of rnn, gru"),
        (RecurrentConfig, {**RECURRENT, "score": "foo"}, "score 'foo' must be one of dot, scaled"),
        (RecurrentConfig, {**RECURRENT, "attention": "concat"}, "must be one of none, bahdanau"),
        (ConvS2SConfig, {"family": "convs2s", "tie": "both"}, "tie 'both' must be one of all"),
        (
            ByteNetConfig,
            {"family": "bytenet", "tie": ""},
            "tie '' must be one of all, target, none",
        ),
    ],
)
def test_a_word_that_is_none_of_those_known_is_refused(kind, options, message, monkeypatch):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)  # as in a program
    with pytest.raises(ValueError, match=message):
        kind(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({**NONE, "score": "general"}, "score 'general' and d_score 0 say nothing where attention"),
        ({**NONE, "d_score": 7}, "score 'additive' and d_score 7 say nothing where attention is"),
        ({**RECURRENT, "score": "general", "d_score": 7}, "d_score 7 goes with reduced_rank or"),
        ({**RECURRENT, "score": "reduced_rank"}, "score 'reduced_rank' needs d_score, its rank"),
        ({**RECURRENT, "score": "dot"}, "score 'dot' needs states of one width"),
        ({**RECURRENT, "d_score": -1}, "d_score -1 must not be negative"),
        ({**RECURRENT, "input_feeding": True}, "input_feeding goes with luong or cs224n, not 'bah"),
        ({**RECURRENT, "attention": "cs224n"}, "attention 'cs224n' has a wider output"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        config_of(options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model = 5", "model is 5; input should be an object"),
        ("model = [1]", r"model is \[1\]; input should be an object"),
        ("[model]\nfamily = 'lstm'", "model.family 'lstm' is not one of transformer, recurrent, c"),
        ("[model]\nfamily = 5", "model.family '5' is not one of transformer, recurrent, convs2s"),
        ("[model]\nfamily = 'recurrent'\nscore = 'foo'", 'model.score is "foo"; input should be'),
    ],
)
def test_a_recipe_hears_what_its_model_cannot_be(text, message):
    with pytest.raises(RecipeError, match=message):
        recipe_of(tomllib.loads(f"{text}\n[data]\nphrasebook = {{ pairs = 5 }}"), name="a recipe")


def test_bytenet_unfolds_to_the_columns_that_are_counted():
    config = ByteNetConfig(family="bytenet", d_model=4, dilations=(1,), tie="target")
    assert config.stretch == 1.2
    assert config.columns(25) == 30  # with rounding, 25 times 1.2 is a little more
    lengths = range(1, 301)
    assert [config.columns(n) for n in lengths] == [-(-6 * n // 5) for n in lengths]
    assert config.columns(torch.arange(1, 301)).tolist() == [config.columns(n) for n in lengths]
    model = build(config, source_rows=9, target_rows=9).eval()
    for n in lengths:
        found = model.encode(Sentences.of([[5] * n])).states.shape[1]
        work = multiplications(config, source=n, target=1, target_rows=9)
        more = multiplications(config, source=n + 5, target=1, target_rows=9)
        assert (found, more - work) == (config.columns(n), 6 * (4 * 2 + 3 * 2 * 2 + 2 * 4))


def test_columns_of_other_stretches():
    for stretch, extra, n, columns in [(1.0, 0, 7, 7), (1.5, 2, 7, 13), (1.15, 0, 20, 23)]:
        config = ByteNetConfig(family="bytenet", stretch=stretch, extra=extra)
        assert config.columns(n) == columns
        assert config.columns(torch.tensor([n])).tolist() == [columns]
