"""The paper's two models, as large as they are: three real updates each, on synthetic text."""

from pathlib import Path

import numpy as np
import pytest
import torch

from regard.data.batch import Batch
from regard.data.examples import Examples, Ragged
from regard.models.build import build
from regard.train.optimiser import adam
from regard.train.recipe import read_recipe
from regard.train.step import Learner, update

pytestmark = pytest.mark.slow

RECIPES = Path(__file__).parents[2] / "recipes"


@pytest.mark.parametrize(("name", "millions"), [("base", 63), ("big", 214)])
def test_three_updates(name, millions):
    recipe = read_recipe(RECIPES / f"{name}.toml")
    rows = recipe.pieces.size
    torch.manual_seed(1)
    model = build(recipe.model, source_rows=rows, target_rows=rows).train()
    assert round(sum(p.numel() for p in model.parameters()) / 1e6) == millions
    random = np.random.default_rng(1)
    sides = [
        Ragged.of([[*random.integers(4, rows, size=n).tolist(), 1] for n in (5, 11, 17, 23)])
        for _ in range(2)
    ]
    batch = Batch.of(Examples(*sides), np.arange(4))
    optimiser = adam(model)
    learner = Learner(model, label_smoothing=recipe.training.label_smoothing)
    losses = [update(learner, [batch], optimiser, rate=1e-4).loss for _ in range(3)]
    assert losses[0] == pytest.approx(np.log(rows), rel=0.2)
    assert losses[2] < losses[0]
