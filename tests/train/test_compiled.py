"""A compiled model learns what it learns uncompiled."""

import pytest
from small_training import recipe, run, sections

from regard.errors import RecipeError
from regard.train.recipe import recipe_of


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of torch.compile about itself
def test_compiled_layers_learn_alike(corpus):
    losses = {}
    for compiled in (False, True):
        told = recipe(corpus, model__dropout=0.0, training__compile=compiled, training__updates=6)
        _, events = run(told, corpus / f"run-{compiled}")
        losses[compiled] = [e["loss"] for e in events if e["event"] == "update"]
    assert losses[True] == pytest.approx(losses[False], abs=1e-5)
    assert losses[True] != losses[False]  # it was compiled: sums are made in another order


def test_what_has_no_layers_is_not_compiled(corpus):
    told = sections(corpus, model={"family": "recurrent", "d_model": 16}, training__compile=True)
    with pytest.raises(RecipeError, match="is for the Transformer's layers"):
        run(recipe_of(told, name="test"), corpus / "run")
