"""A whole training, small: it can be left and taken up again, and says what it did."""

import json

import pytest
import torch
from small_training import files, press_ctrl_c, recipe, run

from regard.checkpoint import checkpoints, load, resolve
from regard.errors import RecipeError
from regard.train.record import Record
from regard.translator import Translator


def test_a_run_holds_its_last_checkpoints_its_best_and_their_average(corpus):
    outcome, events = run(recipe(corpus), corpus / "run")
    assert (outcome.reason, outcome.step) == ("updates", 12)
    steps = {int(path.name.removeprefix("step-")) for path in checkpoints(corpus / "run")}
    assert steps == {8, 12, outcome.best["step"]}
    mean = load(corpus / "run" / "average").parameters
    last = [load(path).parameters for path in checkpoints(corpus / "run")[-2:]]
    for name, parameter in mean.items():
        torch.testing.assert_close(parameter, (last[0][name] + last[1][name]) / 2)
    kinds = [event["event"] for event in events if event["event"] != "update"]
    assert kinds == ["data", "data", "start", *["validation", "checkpoint"] * 3, "average", "end"]
    assert [e["step"] for e in events if e["event"] == "update"] == list(range(1, 13))


@pytest.mark.parametrize("at", [1, 4, 7])
def test_ctrl_c_saves_and_the_same_command_ends_as_if_nothing_had_happened(corpus, at):
    told = recipe(corpus)
    run(told, corpus / "straight")
    outcome, _ = run(told, corpus / "left", press_ctrl_c(at))
    assert (outcome.reason, outcome.step) == ("interrupted", at)
    outcome, _ = run(told, corpus / "left")
    assert outcome.reason == "updates"
    for name in ("checkpoints/step-00000012", "average"):
        assert files(corpus / "left" / name) == files(corpus / "straight" / name)


def test_accumulated_batches_make_one_update(corpus):
    told = recipe(corpus, training__accumulate=3, training__updates=2)
    _, events = run(told, corpus / "run")
    assert load(resolve(corpus / "run" / "average")).state["step"] == 2
    updates = [event for event in events if event["event"] == "update"]
    assert all(event["pieces"] > 300 for event in updates)


def test_a_run_that_has_reached_its_goal_is_left_alone(corpus):
    told = recipe(corpus)
    run(told, corpus / "run")
    before = {path: path.stat().st_mtime_ns for path in (corpus / "run").rglob("*")}
    outcome, _ = run(told, corpus / "run")
    assert outcome.reason == "nothing to do"
    assert before == {path: path.stat().st_mtime_ns for path in (corpus / "run").rglob("*")}


def test_more_updates_go_on_from_the_last_checkpoint(corpus):
    run(recipe(corpus), corpus / "run")
    outcome, events = run(recipe(corpus, training__updates=16), corpus / "run")
    assert outcome.step == 16
    assert [e["step"] for e in events if e["event"] == "update"] == [13, 14, 15, 16]


def test_another_recipe_is_refused_key_by_key(corpus):
    run(recipe(corpus), corpus / "run")
    with pytest.raises(RecipeError, match=r"model\.d_ff was 32 and is 64.*--run"):
        run(recipe(corpus, model__d_ff=64), corpus / "run")


def test_patience_ends_a_training_that_gets_no_better(corpus):
    told = recipe(corpus, training__patience=2, training__factor=0.0, training__updates=99)
    outcome, _ = run(told, corpus / "run")
    assert (outcome.reason, outcome.step) == ("patience", 12)
    assert outcome.best["step"] == 4


def test_the_record_is_one_json_object_a_line(corpus):
    _, events = run(recipe(corpus), corpus / "run", Record(corpus / "run"))
    lines = (corpus / "run" / "record.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == [e["event"] for e in events]


def test_separate_vocabularies(corpus):
    told = recipe(corpus, pieces__joint=False, model__tie="target")
    run(told, corpus / "run")
    translator = Translator.load(corpus / "run")
    assert translator.source.model != translator.target.model
    assert len(translator.translate(["red cat", "", "blue dog"])) == 3


def test_a_translation_in_training_is_that_of_the_checkpoint(corpus):
    """Validation's BLEU is what anybody gets from the saved folder."""
    _, events = run(recipe(corpus), corpus / "run")
    folder = corpus / "run" / "checkpoints" / "step-00000012"
    from regard.evaluate import bleu

    pairs = [line.split("\t") for line in (corpus / "valid.tsv").read_text().splitlines()]
    translator = Translator.load(folder).with_search(beam=1)
    found = [t.text for t in translator.translate([source for source, _ in pairs])]
    last = [event for event in events if event["event"] == "validation"][-1]
    assert bleu(found, [target for _, target in pairs]).score == last["bleu"]
