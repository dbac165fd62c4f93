"""What only a GPU can show."""

import pytest
import torch
from small_training import files, press_ctrl_c, recipe

from regard.train.loop import train

pytestmark = pytest.mark.requires_gpu


def run(told, folder, *listeners):
    events = []
    listeners = [events.append, *listeners]
    outcome = train(told, folder, device=torch.device("cuda"), listeners=listeners)
    return outcome, events


@pytest.mark.parametrize("precision", ["float32", "tf32", "bfloat16", "auto"])
def test_every_precision_learns(corpus, precision):
    outcome, events = run(recipe(corpus, training__precision=precision), corpus / "run")
    assert outcome.reason == "updates"
    losses = [event["loss"] for event in events if event["event"] == "update"]
    assert losses[-1] < losses[0]
    assert torch.get_float32_matmul_precision() == ("high" if precision == "tf32" else "highest")


def test_it_goes_on_exactly(corpus):
    told = recipe(corpus, model__dropout=0.2)
    run(told, corpus / "straight")
    run(told, corpus / "left", press_ctrl_c(7))
    run(told, corpus / "left")
    for part in ("checkpoints/step-00000012", "average"):
        assert files(corpus / "left" / part) == files(corpus / "straight" / part)
