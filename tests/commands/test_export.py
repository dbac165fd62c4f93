"""regard export, and regard translate by another engine: the same lines, or one line of refusal."""

import json
import shutil

import pytest

from regard.commands import run

LINES = b"the cat sleeps\n\nthe dog runs\r\n \xe2\x80\xa8\nthe bird sings"
RULES = ["--beam", "1", "--longest", "20"]


@pytest.fixture
def folder(tiny_run, tmp_path, monkeypatch):
    """A copy of the run that may be exported into, and a text."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(tiny_run, tmp_path / "run")
    (tmp_path / "in").write_bytes(LINES)
    (tmp_path / "source").write_text("the cat sleeps\nthe dog runs\n")
    (tmp_path / "reference").write_text("Katze schläft\nHund läuft\n", encoding="utf-8")
    return tmp_path


def translated(folder, *arguments) -> bytes:
    assert run(["translate", "run", "--input", "in", "--output", "out", *RULES, *arguments]) == 0
    return (folder / "out").read_bytes()


@pytest.mark.parametrize("stored_as", ["float32", "int8"])
def test_the_other_engine_keeps_the_lines(folder, capsys, stored_as):
    compare = ["--source", "source", "--reference", "reference", "--json", "figures"]
    arguments = ["export", "run", "--to", "ctranslate2", "--quantization", stored_as, *compare]
    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert "before" in out
    assert f"run/ctranslate2: {stored_as}" in out
    figures = json.loads((folder / "figures").read_text())
    assert figures["lost"] == figures["bleu_before"] - figures["bleu_after"]
    theirs = translated(folder, "--engine", "ctranslate2")
    assert theirs == translated(folder)
    assert theirs.count(b"\n") == LINES.count(b"\n")


def test_an_export_that_loses_too_much_is_not_written(folder, capsys, monkeypatch):
    monkeypatch.setattr("regard.commands.export.MOST_LOSS", -0.1)
    compare = ["--source", "source", "--reference", "reference"]
    assert run(["export", "run", "--to", "ctranslate2", *compare]) == 2
    assert "nothing was written" in capsys.readouterr().err
    assert not (folder / "run/ctranslate2").exists()
    assert run(["export", "run", "--to", "ctranslate2", *compare, "--accept-loss"]) == 0
    assert (folder / "run/ctranslate2").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["export", "run", "--to", "x"], 2, "--to x: there is no such engine"),
        (["export", "nosuch", "--to", "ctranslate2"], 4, "nosuch does not exist"),
        (["export", "run", "--to", "ctranslate2", "--quantization", "x"], 2, "'x' must be one of"),
        (["export", "run", "--to", "ctranslate2", "--source", "in"], 2, "go together"),
        (["translate", "run", "--engine", "x"], 2, "engine 'x' must be one of regard, ctransl"),
        (["translate", "run", "--engine", "ctranslate2"], 4, "is not there; make it: regard exp"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(folder, capsys, arguments, code, message):
    assert run(arguments) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err


def test_an_export_of_other_parameters_or_a_damaged_one_is_refused(folder, capsys):
    assert run(["export", "run", "--to", "ctranslate2"]) == 0
    shutil.rmtree(folder / "run/average")
    by_it = ["translate", "run", "--input", "in", "--engine", "ctranslate2", *RULES]
    assert run(by_it) == 4
    assert "was not made from run/checkpoints/step-" in capsys.readouterr().err
    assert run(["export", "run", "--to", "ctranslate2"]) == 0
    assert run(by_it) == 0
    model = folder / "run/ctranslate2/model.bin"
    model.write_bytes(model.read_bytes()[:-1] + b"x")
    assert run(by_it) == 4
    assert "model.bin is damaged" in capsys.readouterr().err
