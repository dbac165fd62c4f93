"""regard look: a page, the terminal, and what it refuses."""

import base64
import gzip
import json
import re

import pytest

from regard.commands import run


def data_of(path):
    (packed,) = re.findall(r'id="data">"([^"]*)"', path.read_text(encoding="utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_a_page_of_two_sentences(tiny_run, tmp_path, capsys):
    target = tmp_path / "page.html"
    assert (
        run(["look", str(tiny_run), "the cat sleeps", "the dog runs", "--html", str(target)]) == 0
    )
    assert capsys.readouterr().out == f"{target}: Katze schläft; open it in a browser\n"
    data = data_of(target)
    assert data["live"] is None
    assert [trace["text"] for trace in data["traces"]] == ["the cat sleeps", "the dog runs"]
    about = data["traces"][0]["about"]
    assert (about["model"], about["family"]) == ("run", "Transformer")
    assert re.fullmatch(r"average [0-9a-f]{16}", about["checkpoint"])
    assert about["date"].endswith("+00:00")
    assert data["traces"][0]["attentions"][0]["values"]


def test_in_the_terminal(tiny_run, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["look", str(tiny_run), "the cat sleeps", "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "the cat sleeps",
        "Katze schläft",
        "cross, layer 1 of 1, the mean of all heads",
    ]
    assert lines[3].split() == ["the", "cat", "sleeps", "</s>"]
    assert [line.split()[0] for line in lines[4:7]] == ["Katze", "schläft", "</s>"]
    assert not list(tmp_path.iterdir())


def test_a_given_translation(tiny_run, tmp_path):
    target = tmp_path / "page.html"
    arguments = ["look", str(tiny_run), "the cat sleeps", "--target", "Hund singt"]
    assert run([*arguments, "--html", str(target)]) == 0
    (trace,) = data_of(target)["traces"]
    assert trace["forced"]
    assert trace["target_out"]["words"] == ["Hund", "singt", "</s>"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["look"], 2, "--lesson"),
        (["look", "RUN"], 2, "there is no sentence to look at"),
        (["look", "RUN", " "], 2, "is blank; give a sentence"),
        (["look", "RUN", "the cat", "--target", ""], 2, "the target is blank"),
        (["look", "RUN", "--lesson"], 2, "--lesson alone"),
        (["look", "--lesson", "--serve"], 2, "--lesson alone"),
        (["look", "RUN", "the cat", "--serve", "--text"], 2, "--serve shows its own page"),
        (["look", "RUN", "a", "b", "--target", "c"], 2, "give exactly one"),
        (["look", "nowhere", "the cat"], 4, "nowhere does not exist"),
        (["look", "RUN", "the cat", "--html", "."], 5, "is a folder"),
        (["look", "RUN", "--serve", "--port", "99999"], 2, "port 99999 cannot be had"),
    ],
)
def test_what_it_refuses(arguments, code, says, tiny_run, capsys):
    given = [str(tiny_run) if argument == "RUN" else argument for argument in arguments]
    assert run(given) == code
    errors = capsys.readouterr().err
    assert says in errors
    assert errors.count("\n") == 1


def test_a_terminal_too_narrow_for_blocks_gets_the_strongest(tiny_run, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    assert run(["look", str(tiny_run), "the cat sleeps", "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"  Katze: \w+ 0\.\d\d(, \S+ 0\.\d\d){2}", lines[3])
