"""What is measured of a machine, and what follows from it."""

import numpy as np
import pytest
import torch
from small_training import press_ctrl_c, recipe, run

from regard.checkpoint import checkpoints, load
from regard.data.batch import Batch
from regard.data.examples import Examples, Ragged
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.train import prepare
from regard.train.machine import faster_in_bfloat16, peak


def test_measuring_changes_nothing():
    config = TransformerConfig(
        d_model=16, d_ff=32, heads=2, encoder_layers=1, decoder_layers=1, dropout=0.1
    )
    model = build(config, source_rows=19, target_rows=19).train()
    rows = Ragged.of([[4, 5, 6, 1], [7, 8, 1]])
    before = [p.detach().clone() for p in model.parameters()], torch.get_rng_state()
    answer = faster_in_bfloat16(model, Batch.of(Examples(rows, rows), np.arange(2)), repeats=1)
    assert isinstance(answer, bool)
    assert all(map(torch.equal, before[0], model.parameters()))
    assert torch.equal(before[1], torch.get_rng_state())
    assert all(p.grad is None for p in model.parameters())


@pytest.mark.parametrize("answer", [True, False])
def test_what_was_measured_once_holds_for_the_run(corpus, monkeypatch, answer):
    told = recipe(corpus, training__precision="auto")
    monkeypatch.setattr(prepare, "faster_in_bfloat16", lambda *_: answer)
    run(told, corpus / "run", press_ctrl_c(5))
    monkeypatch.setattr(prepare, "faster_in_bfloat16", lambda *_: not answer)
    _, events = run(told, corpus / "run")
    (started,) = [event for event in events if event["event"] == "start"]
    assert started["about"]["bfloat16"] is answer
    assert load(checkpoints(corpus / "run")[-1]).state["about"]["bfloat16"] is answer


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_record_tells_how_much_of_the_peak_was_used(corpus, precision):
    _, events = run(recipe(corpus, training__precision=precision), corpus / "run")
    shares = [event["of_peak"] for event in events if event["event"] == "update"]
    assert all(0 < share < 1 for share in shares)
    assert peak(torch.device("cpu"), torch.float32) > 1e9


def test_bfloat16_learns_what_float32_learns(corpus):
    losses = {}
    for precision in ("float32", "bfloat16"):
        told = recipe(corpus, training__precision=precision, training__updates=40)
        _, events = run(told, corpus / precision)
        losses[precision] = [e["loss"] for e in events if e["event"] == "update"]
    assert losses["bfloat16"] != losses["float32"]
    assert losses["bfloat16"] == pytest.approx(losses["float32"], rel=0.1)
    for tensor in load(checkpoints(corpus / "bfloat16")[-1]).parameters.values():
        assert tensor.dtype == torch.float32
