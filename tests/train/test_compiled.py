"""A compiled model learns what it learns uncompiled."""

import pytest
from small_training import recipe, run

from regard.errors import RecipeError


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
    told = recipe(corpus, model__family="recurrent", training__compile=True)
    with pytest.raises(RecipeError, match="is for the Transformer's layers"):
        run(told, corpus / "run")
