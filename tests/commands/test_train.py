"""regard train: a recipe -> a run; regard average: a run -> its mean."""

import json
import re
import shutil
import subprocess
import sys
import time

import pytest

from regard.checkpoint import average, checkpoints, load
from regard.commands import run

SHORT = ["training.updates=3", "validation.every=2"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(recipe, *changes: str, place: str | None = "run") -> int:
    settings = [word for change in changes for word in ("--set", change)]
    return run(["train", str(recipe), *(["--run", place] if place else []), *settings])


def last_line(capsys) -> str:
    return capsys.readouterr().err.splitlines()[-1]


def test_a_recipe_becomes_a_run_that_translates(tiny_recipe, folder, capsys):
    assert train(tiny_recipe, *SHORT) == 0
    out, err = capsys.readouterr()
    best, advice = out.splitlines()
    assert re.fullmatch(r"best: BLEU [\d.]+, run/checkpoints/step-0000000\d", best)
    assert advice == "try: regard translate run"
    for told in (
        "training: 25 of 25 pairs used",
        "held-out: 5 of 5",
        "update 2: validation BLEU",
        "update 3: average BLEU",
    ):
        assert told in err
    assert [path.name[-2:] for path in checkpoints(folder / "run")] == ["02", "03"]
    lines = (folder / "run" / "record.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [event["step"] for event in told if event["event"] == "update"] == [1, 2, 3]
    (folder / "in").write_text("the cat\n\n")
    assert run(["translate", "run", "--input", "in", "--output", "out"]) == 0
    assert (folder / "out").read_bytes().count(b"\n") == 2


def test_the_same_command_goes_on_and_says_when_there_is_nothing_to_do(tiny_recipe, folder, capsys):
    assert train(tiny_recipe, *SHORT) == 0
    assert train(tiny_recipe, "training.updates=4", "validation.every=2") == 0
    assert "going on from update 3" in capsys.readouterr().err
    assert train(tiny_recipe, "training.updates=4", "validation.every=2") == 0
    assert "run has reached its goal already: 4 updates" in capsys.readouterr().out


def test_without_a_name_the_run_is_called_as_its_recipe(tiny_recipe, folder, capsys):
    assert train(tiny_recipe, "training.updates=1", place=None) == 0
    assert "try: regard translate runs/tiny" in capsys.readouterr().out
    assert len(checkpoints(folder / "runs" / "tiny")) == 1


def test_a_dry_run_says_what_it_would_do_and_does_nothing(tiny_recipe, folder, capsys):
    assert run(["train", str(tiny_recipe), "--dry-run"]) == 0
    out, err = capsys.readouterr()
    for told in (
        "d_model 32, d_ff 64, heads 2,",
        "GB for parameters, gradients and moments, about 0.00 GB for a full batch",
        "updates     80",
        "seconds in float32: cpu multiplies ",
        "25 pairs, 25 of them used, 2 updates an epoch",
        "first batch 10 pairs of up to",
        "-> ",
    ):
        assert told in out
    assert err == ""
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        (["training.updats=3"], 2, "unknown key training.updats; did you mean training.updates?"),
        (["training.updates=x"], 2, 'training.updates is "x"; input should be a valid integer'),
        (['data.train=["train.en", "valid.de"]'], 2, "train.en has 25 lines but .*valid.de has 5"),
        (['data.train=["train.en"]'], 2, "no pair is left to learn from: 0 of 25 pairs used"),
        (['data.valid=["nosuch"]'], 2, "nosuch cannot be read: No such file or directory"),
        (['data.train=["../tiny0"]'], 2, "tiny0 cannot be read: Is a directory"),
        (["pieces.size=262"], 2, "262 pieces are too few: .* alone are 2..; ask for more"),
        (["model.d_ff=1000000000000"], 6, "out of memory: .*; try a smaller"),
    ],
)
def test_what_cannot_be_learnt_is_refused_in_one_line(
    tiny_recipe, folder, capsys, changes, code, message
):
    assert train(tiny_recipe, *changes) == code
    line = last_line(capsys)
    assert line.startswith("regard: ")
    assert re.search(message, line)
    assert not (folder / "run" / "checkpoints").exists()


def test_blank_lines_alone_teach_nothing(tiny_recipe, folder, capsys):
    (folder / "blank").write_text("\n \n\t\n")
    blank = str(folder / "blank")
    assert train(tiny_recipe, f'data.train=["{blank}", "{blank}"]') == 2
    assert "every line is blank" in last_line(capsys)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nosuch.toml"], 2, "recipe nosuch.toml cannot be read: No such file or directory"),
        (["."], 2, "recipe . cannot be read: Is a directory"),
        (["bad.toml"], 2, "recipe bad.toml is not TOML: "),
        (["RECIPE", "--device", "tpu"], 2, "device 'tpu' is unknown; use cpu, cuda, mps or auto"),
        (
            ["RECIPE", "--run", "bad.toml"],
            5,
            "bad.toml cannot be written: File exists; give",
        ),
        (
            ["RECIPE", "--run", "bad.toml/run"],
            5,
            "bad.toml/run cannot be written: Not a dir",
        ),
        (["RECIPE", "--from", "nosuch"], 4, "nosuch does not exist; give the folder"),
    ],
)
def test_a_place_or_name_that_cannot_be_is_refused(
    tiny_recipe, folder, capsys, arguments, code, message
):
    (folder / "bad.toml").write_text("no = = toml")
    arguments = [str(tiny_recipe) if word == "RECIPE" else word for word in arguments]
    assert run(["train", *arguments]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("regard: ")
    assert message in err


@pytest.fixture
def damaged(tiny_run, folder):
    shutil.copytree(tiny_run, folder / "run")
    file = checkpoints(folder / "run")[-1] / "training.safetensors"
    file.write_bytes(file.read_bytes()[:-1])
    return file


def test_a_damaged_checkpoint_is_passed_over_and_the_last_whole_one_gone_on_with(
    tiny_recipe, damaged, folder, capsys
):
    assert train(tiny_recipe, "training.updates=81") == 0
    err = capsys.readouterr().err
    assert "passed over: run/checkpoints/step-00000080/training.safetensors is damaged" in err
    assert "going on from update 70" in err


def test_where_every_checkpoint_is_damaged_nothing_begins_anew(tiny_recipe, damaged, capsys):
    for path in checkpoints(damaged.parents[2]):
        (path / "state.json").write_text("{}")
    assert train(tiny_recipe, "training.updates=81") == 4
    assert "no checkpoint of run can be used" in last_line(capsys)


def test_text_that_changed_can_be_accepted(tiny_recipe, tiny_run, folder, capsys):
    shutil.copytree(tiny_run, folder / "run")
    text = tiny_recipe.read_text().replace('"valid.en", "valid.de"', '"train.en", "train.de"')
    (folder / "changed.toml").write_text(text)
    changed = ["train", "changed.toml", "--run", "run", "--set", "training.updates=81"]
    assert run(changed) == 2
    assert "the held-out text was 5 pairs, sha256" in last_line(capsys)
    assert run([*changed, "--accept-data-change"]) == 0


def test_average_writes_the_mean_of_the_last(tiny_run, folder, capsys):
    shutil.copytree(tiny_run, folder / "run")
    assert run(["average", "run", "--last", "1"]) == 0
    assert capsys.readouterr().out == "run/average: the mean of step-00000080\n"
    assert load(folder / "run" / "average").state["average_of"] == ["step-00000080"]
    assert run(["average", "run"]) == 0
    mean, expected = load(folder / "run" / "average"), average(checkpoints(folder / "run"))
    assert mean.state == expected.state
    assert all((mean.parameters[name] == p).all() for name, p in expected.parameters.items())


@pytest.mark.parametrize("place", ["nosuch", ".", "file"])
def test_a_place_without_checkpoints_has_no_mean(folder, capsys, place):
    (folder / "file").write_text("")
    assert run(["average", place]) == 4
    assert capsys.readouterr().err.startswith(f"regard: {place} holds no checkpoint; give")


def test_damaged_checkpoints_have_no_mean(damaged, folder, capsys):
    before = (folder / "run" / "average" / "manifest.json").read_bytes()
    assert run(["average", "run"]) == 4
    assert "training.safetensors is damaged" in capsys.readouterr().err
    assert (folder / "run" / "average" / "manifest.json").read_bytes() == before


@pytest.fixture
def learning(tiny_recipe, folder):
    """A training in a process of its own, far from its end and before its first validation."""
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", "train", tiny_recipe, "--run", "run",
         "--set", "training.updates=100_000", "--set", "validation.every=50_000"],
        stderr=subprocess.PIPE,
    )  # fmt: skip
    while '"update"' not in (read(folder / "run" / "record.jsonl")):
        time.sleep(0.05)
        assert process.poll() is None
    yield process
    process.kill()
    process.wait()
    process.stderr.close()


def read(path) -> str:
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_that_nobody_looks_is_no_reason_to_stop(learning, folder):
    learning.stderr.close()
    steps = []
    while len(steps) < 250:  # two lines or more, to a terminal that is gone
        assert learning.poll() is None
        time.sleep(0.1)
        steps = re.findall('"event": "update"', read(folder / "run" / "record.jsonl"))


def test_tf32_needs_a_gpu(tiny_recipe, folder, capsys):
    arguments = ["train", str(tiny_recipe), "--device", "cpu"]
    assert run([*arguments, "--set", "training.precision=tf32"]) == 2
    assert "training.precision 'tf32' needs a CUDA device, not cpu" in last_line(capsys)
