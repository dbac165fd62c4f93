"""regard evaluate: files -> scores."""

import json

import pytest

from regard.commands import run
from regard.evaluate import bleu

REFERENCE = ["the cat sleeps on the mat", "a dog runs in the park"]
FIRST = ["the cat sleeps on a mat", "a dog runs in the park"]
SECOND = ["THE CAT SLEEPS ON A MAT", ""]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, texts in {"ref": REFERENCE, "first": FIRST, "second": SECOND}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    return tmp_path


def test_each_file_has_its_score_and_signature(files, capsys):
    assert run(["evaluate", "first", "second", "--reference", "ref", "--json", "out.json"]) == 0
    out = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    figures = json.loads((files / "out.json").read_text())
    assert [line[0] for line in out] == list(figures) == ["first", "second"]
    for line, texts in zip(out, (FIRST, SECOND), strict=True):
        score = bleu(texts, REFERENCE)
        assert line[1:] == [score.details, score.signature]
        assert figures[line[0]] == {"bleu": score.score, "signature": score.signature}


def test_case_and_tokenizer_are_options(files, capsys):
    arguments = ["evaluate", "second", "--reference", "ref", "--lowercase", "--tokenize", "none"]
    assert run(arguments) == 0
    assert "case:lc|eff:no|tok:none" in capsys.readouterr().out


def test_line_ends_are_no_part_of_a_translation(files, capsys):
    (files / "windows").write_bytes("\r\n".join(REFERENCE).encode())
    assert run(["evaluate", "windows", "--reference", "ref"]) == 0
    assert "BLEU = 100.00" in capsys.readouterr().out


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
