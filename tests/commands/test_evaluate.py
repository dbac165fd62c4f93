"""regard evaluate: files -> scores."""

import json

import pytest

from regard.commands import run
from regard.evaluate.metrics import metrics, scores

REFERENCE = ["the cat sleeps on the mat", "a dog runs in the park"]
FIRST = ["the cat sleeps on a mat", "a dog runs in the park"]
SECOND = ["THE CAT SLEEPS ON A MAT", ""]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, texts in {"ref": REFERENCE, "first": FIRST, "second": SECOND}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    return tmp_path


def test_each_file_has_its_scores_and_their_signatures(files, capsys):
    assert run(["evaluate", "first", "second", "--reference", "ref", "--json", "out.json"]) == 0
    out = capsys.readouterr().out.splitlines()
    figures = json.loads((files / "out.json").read_text())
    assert [line.split("\t")[0] for line in out if not line.startswith(" ")] == list(metrics())
    assert list(figures) == ["first", "second"]
    for name, texts in {"first": FIRST, "second": SECOND}.items():
        for metric, score in scores(texts, REFERENCE, metrics()).items():
            place = next(i for i, line in enumerate(out) if line.startswith(f"{metric}\t"))
            assert out[place] == f"{metric}\t{score.signature}"
            (line,) = (o for o in out[place + 1 : place + 3] if o.startswith(f"  {name}\t"))
            assert line.split("\t")[1] == f"{score.score:.2f}"
            assert ("p = " in line) == (name == "second")
            assert score._asdict().items() <= figures[name][metric].items()
    assert figures["first"]["BLEU"]["bootstrap"] is None
    assert 0 < figures["second"]["BLEU"]["bootstrap"] <= 1
    assert 0 < figures["second"]["TER"]["randomisation"] <= 1


def test_what_looks_odd_is_said(files, capsys):
    (files / "tokens").write_text("a dog , and a cat .\n" * 2)
    assert run(["evaluate", "tokens", "--reference", "tokens"]) == 0
    assert capsys.readouterr().err.startswith("regard: tokens looks tokenised")


def test_case_and_tokenizer_are_options(files, capsys):
    arguments = ["evaluate", "second", "--reference", "ref", "--lowercase", "--tokenize", "none"]
    assert run(arguments) == 0
    assert "case:lc|eff:no|tok:none" in capsys.readouterr().out


def test_line_ends_are_no_part_of_a_translation(files, capsys):
    (files / "windows").write_bytes("\r\n".join(REFERENCE).encode())
    assert run(["evaluate", "windows", "--reference", "ref"]) == 0
    assert "  windows\t100.00" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["short", "--reference", "ref"], 2, "short has 1 lines but ref has 2; give translation"),
        (["empty", "--reference", "ref"], 2, "empty has 0 lines but ref has 2"),
        (["first", "--reference", "empty"], 2, "empty is empty; give at least one reference"),
        (["nosuch", "--reference", "ref"], 2, "nosuch cannot be read: No such file"),
        (["first", "--reference", "nosuch"], 2, "nosuch cannot be read: No such file"),
        (["first", "--reference", "."], 2, ". cannot be read: Is a directory"),
        (["latin", "--reference", "ref"], 2, "latin, line 2, byte 4: 0xe9 is not UTF-8"),
        (["first", "--reference", "ref", "--tokenize", "x"], 2, "--tokenize x must be one of 13a"),
        (["first", "--reference", "ref", "--json", "."], 5, ". is a folder; give the name"),
        (["first", "--reference", "ref", "--json", "no/x"], 5, "no/x cannot be written: No such"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_one_line(files, capsys, arguments, code, message):
    (files / "short").write_text("one\n")
    (files / "empty").write_text("")
    (files / "latin").write_bytes(b"gut\ncaf\xe9\n")
    assert run(["evaluate", *arguments]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"regard: {message}" in err


def test_links_are_rated_against_gold(files, capsys):
    (files / "found").write_text("0-0 1-1\n1-0\n")
    (files / "gold").write_text("1-1 2p2\n1-1\n")
    arguments = ["evaluate", "found", "--reference", "gold", "--links", "--first", "1"]
    assert run([*arguments, "--json", "out.json"]) == 0
    assert (
        capsys.readouterr().out == "found\tAER 0.4000, precision 0.6667, recall 0.5000, 3 links\n"
    )
    assert json.loads((files / "out.json").read_text())["found"]["aer"] == pytest.approx(0.4)
    assert run(["evaluate", "first", "--reference", "gold", "--links"]) == 2
    assert run(["evaluate", "found", "--reference", "found", "--links", "--first", "1"]) == 2
    err = capsys.readouterr().err.splitlines()
    assert "first, line 1: 'the' is no link" in err[0]
    assert "found, line 1: '0-0' counts from 0" in err[1]
