"""A training that was left goes on exactly, or says why it does not."""

import json
import os
import shutil
import signal
from dataclasses import replace

import pytest
import torch
from small_training import files, notes, press_ctrl_c, recipe, run

from regard.checkpoint import checkpoints, load, save
from regard.errors import CheckpointError, CorpusError, RecipeError
from regard.train import loop, step
from regard.train.record import Record

ALL_AT_ONCE = {
    "model__dropout": 0.2,
    "training__accumulate": 2,
    "training__updates": 24,
    "training__patience": 50,
    "validation__every": 5,
}
"""Dropout, shuffling over several epochs, accumulation, patience, averaging."""


def ends_alike(one, other, last=24):
    for name in (f"checkpoints/step-{last:08d}", "average"):
        assert files(one / name) == files(other / name)


@pytest.fixture
def straight(corpus):
    """A training that nobody disturbed."""
    _, events = run(recipe(corpus, **ALL_AT_ONCE), corpus / "straight")
    epochs = [event["epoch"] for event in events if event["event"] == "update"]
    assert epochs[0] < 1 < 2 < epochs[-1]
    return corpus / "straight"


@pytest.mark.parametrize("at", [[1], [5], [4, 5, 6, 13], [23], [24]])
def test_left_between_updates(corpus, straight, at):
    told = recipe(corpus, **ALL_AT_ONCE)
    for moment in at:
        outcome, _ = run(told, corpus / "left", press_ctrl_c(moment))
        assert (outcome.reason, outcome.step) == ("interrupted", moment)
        assert outcome.signal == signal.SIGINT
    run(told, corpus / "left")
    ends_alike(corpus / "left", straight)


def signalled(real, number, call):
    """A function that raises a signal before its n-th call that learns or judges."""
    calls = iter(range(1, 1000))

    def function(*arguments, **options):
        if (real is not step.batch_loss or torch.is_grad_enabled()) and next(calls) == call:
            signal.raise_signal(number)
        return real(*arguments, **options)

    return function


@pytest.mark.parametrize("call", [1, 2, 21, 22])
def test_left_between_the_batches_of_an_update(corpus, straight, monkeypatch, call):
    """The part that was done is done again, with the same random numbers."""
    told = recipe(corpus, **ALL_AT_ONCE)
    with monkeypatch.context() as patch:
        patch.setattr(step, "batch_loss", signalled(step.batch_loss, signal.SIGTERM, call))
        outcome, _ = run(told, corpus / "left")
    assert outcome.signal == signal.SIGTERM
    assert outcome.step == (call - 1) // 2
    run(told, corpus / "left")
    ends_alike(corpus / "left", straight)


@pytest.mark.parametrize("nth", [1, 5, 6])
def test_left_while_it_is_judged(corpus, straight, monkeypatch, nth):
    """The sixth is the average's."""
    told = recipe(corpus, **ALL_AT_ONCE)
    with monkeypatch.context() as patch:
        patch.setattr(loop, "validate", signalled(loop.validate, signal.SIGINT, nth))
        outcome, _ = run(told, corpus / "left")
    assert outcome.reason == "interrupted"
    assert not (corpus / "left" / "average").exists()
    run(told, corpus / "left")
    ends_alike(corpus / "left", straight)


def test_killed_before_its_average_it_makes_one(corpus, straight):
    shutil.copytree(straight, corpus / "left")
    shutil.rmtree(corpus / "left" / "average")
    outcome, _ = run(recipe(corpus, **ALL_AT_ONCE), corpus / "left")
    assert outcome.reason == "updates"
    ends_alike(corpus / "left", straight)


def test_what_was_saved_before_the_first_update_is_no_part_of_the_average(corpus, monkeypatch):
    told = recipe(corpus, **{**ALL_AT_ONCE, "training__average": 8, "training__keep": 8})
    run(told, corpus / "straight")
    with monkeypatch.context() as patch:
        patch.setattr(step, "batch_loss", signalled(step.batch_loss, signal.SIGTERM, 1))
        assert run(told, corpus / "left")[0].step == 0
    run(told, corpus / "left")
    assert len(load(corpus / "left" / "average").state["average_of"]) == 5
    ends_alike(corpus / "left", corpus / "straight")


def test_left_before_a_broken_newer_checkpoint_it_keeps_what_it_saved(corpus, straight):
    shutil.copytree(straight, corpus / "left")
    (checkpoints(corpus / "left")[-1] / "model.safetensors").write_bytes(b"")
    told = recipe(corpus, **ALL_AT_ONCE)
    outcome, _ = run(told, corpus / "left", press_ctrl_c(22))
    assert outcome.step == 22
    assert "step-00000022" in [path.name for path in checkpoints(corpus / "left")]
    _, events = run(told, corpus / "left")
    assert [e["step"] for e in events if e["event"] == "update"] == [23, 24]
    ends_alike(corpus / "left", straight)


def test_a_broken_older_checkpoint_is_left_out_of_the_average(corpus, straight):
    shutil.copytree(straight, corpus / "left")
    shutil.rmtree(corpus / "left" / "average")
    (corpus / "left" / "checkpoints" / "step-00000020" / "state.json").write_bytes(b"")
    outcome, events = run(recipe(corpus, **ALL_AT_ONCE), corpus / "left")
    assert outcome.reason == "updates"
    assert "left out of the average: " in notes(events)
    assert "step-00000020" not in load(corpus / "left" / "average").state["average_of"]
    outcome, _ = run(recipe(corpus, **ALL_AT_ONCE), corpus / "left")
    assert outcome.reason == "nothing to do"


def test_another_average_of_a_finished_run_is_made(corpus, straight):
    told = recipe(corpus, **{**ALL_AT_ONCE, "training__average": 1})
    outcome, _ = run(told, straight)
    assert outcome.reason == "updates"
    assert load(straight / "average").state["average_of"] == ["step-00000024"]
    outcome, _ = run(told, straight)
    assert outcome.reason == "nothing to do"
    assert outcome.notes == ["training.average was 2 and is 1"]


def test_fewer_updates_than_were_made_are_refused(corpus):
    run(recipe(corpus), corpus / "run", press_ctrl_c(10))
    with pytest.raises(RecipeError, match=r"training.updates 9: .* has 10 already"):
        run(recipe(corpus, training__updates=9), corpus / "run")


def resaved(folder, **changes):
    """The newest checkpoint with something changed, and a manifest that fits."""
    path = checkpoints(folder)[-1]
    save(path, replace(load(path), **changes))


@pytest.mark.parametrize(
    "state",
    [
        lambda state: {key: value for key, value in state.items() if key != "about"},
        lambda state: {**state, "about": {"text": {}}},
        lambda state: {**state, "something": "else"},
        lambda state: {**state, "step": "twelve"},
        lambda state: {"step": 10, "average_of": []},
    ],
)
def test_a_state_of_another_version_is_refused(corpus, state):
    run(recipe(corpus), corpus / "run", press_ctrl_c(10))
    resaved(corpus / "run", state=state(load(checkpoints(corpus / "run")[-1]).state))
    with pytest.raises(CheckpointError, match=r"cannot be gone on with .*new run --from it"):
        run(recipe(corpus), corpus / "run")


def test_a_recipe_from_before_an_option_existed_is_as_if_it_had_its_default(corpus):
    run(recipe(corpus), corpus / "run", press_ctrl_c(10))
    told = load(checkpoints(corpus / "run")[-1]).recipe
    del told["data"]["weight"], told["training"]["precision"]
    resaved(corpus / "run", recipe=told)
    outcome, events = run(recipe(corpus), corpus / "run")
    assert outcome.reason == "updates"
    assert notes(events) == ""


def test_what_may_change_is_shown_the_updates_since_the_one_before(corpus, straight):
    shutil.copytree(straight, corpus / "left")
    (checkpoints(corpus / "left")[-1] / "model.safetensors").write_bytes(b"")
    _, events = run(recipe(corpus, **ALL_AT_ONCE), corpus / "left")
    assert "passed over: " in notes(events)
    assert "step-00000024/model.safetensors is damaged" in notes(events)
    assert [e["step"] for e in events if e["event"] == "update"] == [21, 22, 23, 24]
    ends_alike(corpus / "left", straight)


def test_where_all_are_broken_nothing_begins_by_itself(corpus, straight):
    shutil.copytree(straight, corpus / "left")
    for path in checkpoints(corpus / "left"):
        (path / "state.json").unlink()
    with pytest.raises(CheckpointError, match=r"no checkpoint of .* can be used") as caught:
        run(recipe(corpus, **ALL_AT_ONCE), corpus / "left")
    assert caught.value.exit_code == 4


def test_what_may_change_is_shown_and_what_may_not_is_refused(corpus):
    run(recipe(corpus), corpus / "run")
    _, events = run(recipe(corpus, training__updates=13, training__keep=3), corpus / "run")
    assert "training.updates was 12 and is 13" in notes(events)
    assert "training.keep was 2 and is 3" in notes(events)
    with pytest.raises(RecipeError) as caught:
        run(recipe(corpus, training__updates=14, model__d_ff=64, training__seed=2), corpus / "run")
    assert "model.d_ff was 32 and is 64; training.seed was 1 and is 2" in str(caught.value)
    assert "updates" not in str(caught.value)


def edit(corpus):
    text = (corpus / "train.tsv").read_text()
    times = (corpus / "train.tsv").stat()
    (corpus / "train.tsv").write_text(text.replace("red green", "rad green", 1))
    os.utime(corpus / "train.tsv", ns=(times.st_atime_ns, times.st_mtime_ns))


def append(corpus):
    with (corpus / "train.tsv").open("a") as file:
        file.write("one more\tnoch eins\n")


def exchange(corpus):
    (corpus / "valid.tsv").write_text("something else\tetwas anderes\n")


@pytest.mark.parametrize("change", [edit, append, exchange])
def test_text_that_changed_is_refused_until_accepted(corpus, change):
    told = recipe(corpus, training__updates=20)
    run(told, corpus / "run", press_ctrl_c(10))
    change(corpus)
    with pytest.raises(CorpusError, match=r"text was [\d,]+ pairs, sha256 \w+ and is [\d,]+ pairs"):
        run(told, corpus / "run")
    outcome, events = run(told, corpus / "run", accept_data_change=True)
    assert outcome.reason == "updates"
    assert "text was" in notes(events)
    state = load(checkpoints(corpus / "run")[-1]).state
    (recorded,) = state["about"]["changes"]
    assert recorded["step"] == 10
    run(recipe(corpus, training__updates=21), corpus / "run")  # the new text is now its own


def test_with_other_text_it_goes_on_as_exactly(corpus):
    """Where it was lies within a batch of the new text, and has to be a place between two."""
    told = recipe(corpus, **ALL_AT_ONCE)
    run(told, corpus / "straight", press_ctrl_c(7))
    shutil.copytree(corpus / "straight", corpus / "left")
    lines = (corpus / "train.tsv").read_text().splitlines(keepends=True)
    (corpus / "train.tsv").write_text("".join(lines[:83]))
    run(told, corpus / "straight", accept_data_change=True)
    for moment in (8, 9, 12, 17):
        run(told, corpus / "left", press_ctrl_c(moment), accept_data_change=True)
    run(told, corpus / "left")
    ends_alike(corpus / "left", corpus / "straight")


def test_text_may_move_and_text_that_is_gone_is_named(corpus):
    told = recipe(corpus, training__updates=20)
    run(told, corpus / "run", press_ctrl_c(10))
    (corpus / "elsewhere").mkdir()
    (corpus / "train.tsv").rename(corpus / "elsewhere" / "train.tsv")
    with pytest.raises(CorpusError, match=r"train\.tsv cannot be read: No such file"):
        run(told, corpus / "run")
    moved = recipe(corpus, training__updates=20, data__train=["elsewhere/train.tsv"])
    _, events = run(moved, corpus / "run")
    assert 'data.train was ["train.tsv"] and is' in notes(events)


def test_one_training_a_folder(corpus):
    told = recipe(corpus)

    def second(event):
        if event["event"] == "update" and event["step"] == 5:
            with pytest.raises(CheckpointError, match=f"in use by process {os.getpid()}; wait"):
                run(told, corpus / "run")

    outcome, _ = run(told, corpus / "run", second)
    assert outcome.reason == "updates"
    (corpus / "run" / "lock").write_text("1")  # a process that was killed
    outcome, _ = run(recipe(corpus, training__updates=13), corpus / "run")
    assert outcome.reason == "updates"


def test_a_run_may_begin_from_another(corpus):
    run(recipe(corpus), corpus / "old")
    (corpus / "domain.tsv").write_text("red cat\tcat red ?\n" * 20)
    told = recipe(corpus, data__train=["domain.tsv"], training__updates=3, pieces__size=999)
    start = []

    def caught(event):
        if event["event"] == "update" and event["step"] == 1:
            start.append(event["unsmoothed"])

    _, events = run(told, corpus / "new", caught, begin_from=corpus / "old")
    new, old = load(checkpoints(corpus / "new")[-1]), load(corpus / "old" / "average")
    assert new.source.model == old.source.model
    (started,) = [event for event in events if event["event"] == "start"]
    assert started["about"]["from"] == str(corpus / "old")
    assert float(start[0]) < 5  # it knows the words already; chance gives log(300) = 5.7
    outcome, _ = run(told, corpus / "new", begin_from=corpus / "old")
    assert outcome.reason == "nothing to do"
    with pytest.raises(RecipeError, match=r"was begun from .*old, not from .*run2"):
        run(
            recipe(corpus, data__train=["domain.tsv"], training__updates=4, pieces__size=999),
            corpus / "new",
            begin_from=corpus / "run2",
        )


def test_a_run_cannot_begin_from_another_shape(corpus):
    run(recipe(corpus), corpus / "old")
    with pytest.raises(RecipeError, match=r"--from .* model\.heads is 4 where .* has 2"):
        run(recipe(corpus, model__heads=4), corpus / "new", begin_from=corpus / "old")
    with pytest.raises(CheckpointError, match="nothing does not exist"):
        run(recipe(corpus), corpus / "new", begin_from=corpus / "nothing")


def test_text_can_be_mixed_in_by_weight(corpus):
    (corpus / "more.tsv").write_text("small bird\tbird small !\n" * 40)
    more = [{"folder": str(corpus), "train": ["more.tsv"], "weight": 0.5}]
    _, events = run(recipe(corpus, data__more=more, data__weight=2.0), corpus / "run")
    (started,) = [event for event in events if event["event"] == "start"]
    assert started["examples"] == 2 * 90 + 20
    told = {event["name"]: event["total"] for event in events if event["event"] == "data"}
    assert told == {"training": 90, "mixed-in (1)": 40, "held-out": 10}


def test_going_on_reads_no_text_again(corpus):
    told = recipe(corpus, training__updates=20)
    run(told, corpus / "run", press_ctrl_c(5))
    before = {path: path.stat() for path in (corpus / "run" / "store").iterdir()}
    run(told, corpus / "run", press_ctrl_c(10))
    (corpus / "train.tsv").touch()
    run(told, corpus / "run")
    assert before == {path: path.stat() for path in (corpus / "run" / "store").iterdir()}


def test_other_pieces_are_another_store(corpus):
    run(recipe(corpus), corpus / "old")
    run(recipe(corpus, pieces__size=280), corpus / "new", press_ctrl_c(1))
    shutil.copytree(corpus / "new" / "store", corpus / "other" / "store")
    run(recipe(corpus), corpus / "other", begin_from=corpus / "old")
    models = {
        name: (corpus / name / "store" / "pieces.model").read_bytes()
        for name in ("old", "new", "other")
    }
    assert models["other"] == models["old"] != models["new"]


def test_epochs_are_counted_for_each_text_and_go_on_where_they_were_left(corpus):
    (corpus / "more.tsv").write_text("small bird\tbird small !\n" * 40)
    more = [{"folder": str(corpus), "train": ["more.tsv"], "weight": 0.3}]
    told = recipe(corpus, data__more=more, training__updates=20)
    _, straight = run(told, corpus / "straight")
    _, events = run(told, corpus / "left", press_ctrl_c(7))
    _, rest = run(told, corpus / "left")
    epochs = {
        name: [event["epochs"] for event in told if event["event"] == "update"]
        for name, told in (("straight", straight), ("left", [*events, *rest]))
    }
    assert epochs["straight"] == epochs["left"]
    last = [event for event in straight if event["event"] == "update"][-1]
    assert last["epochs"]["training"] > 2
    seen = sum(last["epochs"][name] * n for name, n in (("training", 90), ("mixed-in (1)", 40)))
    assert seen == pytest.approx(last["epoch"] * (90 + 12))
    ends_alike(corpus / "left", corpus / "straight", last=20)


def test_weights_of_mixed_in_text_are_part_of_the_training(corpus):
    (corpus / "more.tsv").write_text("small bird\tbird small !\n" * 40)
    more = {"folder": str(corpus), "train": ["more.tsv"], "weight": 0.5}
    run(recipe(corpus, data__more=[more]), corpus / "run", press_ctrl_c(10))
    with pytest.raises(RecipeError, match=r"data\.more was .*0\.5.* and is .*0\.2"):
        run(recipe(corpus, data__more=[{**more, "weight": 0.2}]), corpus / "run")
    lines = (corpus / "more.tsv").read_text().splitlines(keepends=True)
    (corpus / "more.tsv").write_text("".join(lines[20:]))
    with (corpus / "train.tsv").open("a") as file:
        file.writelines(lines[:20])
    with pytest.raises(CorpusError, match=r"training text was 90 .* is 110 .*mixed-in \(1\) text"):
        run(recipe(corpus, data__more=[more]), corpus / "run")


@pytest.mark.parametrize(("weight", "error"), [(1e-9, CorpusError), (0.0, RecipeError)])
def test_a_weight_that_leaves_nothing_is_refused(corpus, weight, error):
    with pytest.raises(error, match="weight"):
        run(recipe(corpus, data__weight=weight), corpus / "run")


def test_a_weight_beyond_all_sense_is_refused(corpus):
    with pytest.raises(RecipeError, match=r"weight 1e\+18 must be above 0 and at most 1000"):
        recipe(corpus, data__weight=1e18)


def test_a_path_that_is_not_utf8_can_be_begun_from(corpus):
    old = corpus / "caf\udce9"
    run(recipe(corpus), old)
    told = recipe(corpus, training__updates=14)
    run(told, corpus / "new", press_ctrl_c(10), begin_from=old)
    outcome, _ = run(told, corpus / "new", begin_from=old)
    assert outcome.reason == "updates"


def test_processes_that_do_not_know_of_each_other_are_refused(corpus, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(RecipeError, match="start them with torchrun, or unset it"):
        run(recipe(corpus), corpus / "run")


def test_the_record_of_a_training_that_was_left_has_each_update_once(corpus):
    told = recipe(corpus, **ALL_AT_ONCE)
    run(told, corpus / "run", press_ctrl_c(7), Record(corpus / "run"))
    run(told, corpus / "run", Record(corpus / "run"))
    events = map(json.loads, (corpus / "run" / "record.jsonl").read_text().splitlines())
    assert [e["step"] for e in events if e["event"] == "update"] == list(range(1, 25))
