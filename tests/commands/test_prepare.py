"""regard prepare: a recipe -> an account of its text, the store, cleaned pairs."""

import json
import os
import re
from itertools import product

import pytest

from regard.commands import run
from regard.data.checks import FINDINGS

TRAIN = [
    ("the red cat", "die rote Katze"), ("The red dog", "der rote Hund"), ("a bird", "ein Vogel"),
    ("the red cat", "die rote  Katze"), ("", "leer"), ("a &amp; b", "a &amp; b"),
    ("the blue cat", "die blaue Katze"), ("red red red red red red red red red red", "rot"),
    ("lost \ufffd bytes", "verloren"), ("the cat", "кошка"), ("a\x01b", "a"), ("a dog", "EIN HUND"),
]  # fmt: skip
VALID = [("the blue cat", "die Katze, blau"), ("one dog", "ein Hund")]
RECIPE = """
[data]
train = ["train.en", "train.de"]
{more}

[pieces]
size = 300

[training]
batch = 300
"""
WITH_VALID = 'valid = ["valid.en", "valid.de"]'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, pairs in (("train", TRAIN), ("valid", VALID)):
        for side, ending in enumerate(("en", "de")):
            text = "".join(f"{pair[side]}\n" for pair in pairs)
            (tmp_path / f"{name}.{ending}").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "told.toml").write_text(RECIPE.format(more=WITH_VALID))
    return tmp_path


def prepare(*arguments: str) -> int:
    return run(["prepare", "told.toml", *arguments])


def test_the_account_says_what_there_is(folder, capsys):
    assert prepare("--set", "data.ratio=3", "--json", "told.json") == 0
    told = json.loads((folder / "told.json").read_text())
    training, dev = told["texts"]["training"], told["texts"]["dev"]
    wanted = dict.fromkeys(FINDINGS, 0) | {
        "empty": 1, "control": 1, "damaged": 1, "entity": 1, "equal": 1, "script": 1,
        "duplicate": 1, "dev": 1, "dev-folded": 2,
    }  # fmt: skip
    del wanted["too uneven"]  # depends on what the pieces are
    uneven = training["found"].pop("too uneven")
    assert training["found"] == wanted
    left_out = {name: n for name, n in training["left_out"].items() if n}
    assert left_out == {"empty": 1, "too uneven": uneven}
    assert training["used"] + training["dropped"] == training["total"] == 12
    assert dev["total"] == dev["used"] == 2
    assert told["scripts"] == ["Latin", "Latin"]
    out = capsys.readouterr().out
    for row in (
        r"^pairs read +12 +2$",
        r"^empty: a side is blank +1 \(1 left out\) +0$",
        r"^used +\d+ +2$",
        r"learnt from 12 of 12 pairs$",
        r"^runs/told/store: [\d,]+ bytes$",
    ):
        assert re.search(row, out, re.MULTILINE), row


def test_what_the_recipe_filters_is_left_out_and_written_with_its_reason(folder):
    filters = 'data.filters=["duplicate", "equal", "damaged", "control", "script", "dev-folded"]'
    asked = ["--set", filters, "--set", "data.ratio=99", "--write", "clean", "--json", "told.json"]
    assert prepare(*asked) == 0
    lines = (folder / "clean" / "dropped.jsonl").read_text().splitlines()
    dropped = {entry["pair"]: entry for entry in map(json.loads, lines)}
    reasons = {number: entry["reason"] for number, entry in dropped.items()}
    assert reasons == {
        4: "duplicate", 5: "empty", 6: "equal", 7: "dev-folded", 9: "damaged", 10: "script",
        11: "control", 12: "dev-folded",
    }  # fmt: skip
    for number, entry in dropped.items():
        assert (entry["source"], entry["target"]) == TRAIN[number - 1]
    kept = [pair for number, pair in enumerate(TRAIN, 1) if number not in dropped]
    for side, ending in enumerate(("en", "de")):
        text = (folder / "clean" / f"train.{ending}").read_text(encoding="utf-8")
        assert text == "".join(f"{pair[side]}\n" for pair in kept)
    training = json.loads((folder / "told.json").read_text())["texts"]["training"]
    assert (training["used"], training["dropped"]) == (len(kept), len(dropped))


def test_what_is_written_can_be_learnt_from_at_once(folder, capsys):
    assert prepare("--write", "clean") == 0
    assert (
        run(["prepare", "told.toml", "--set", "data.folder=clean", "--set", "data.valid=[]"]) == 0
    )
    assert "left out)" not in capsys.readouterr().out.split("pairs read")[2]


def test_pairs_are_set_aside_whose_sentences_stand_nowhere_else(folder):
    words = ["red", "blue", "old", "new", "big", "cat", "dog"]
    pairs = [(f"{a} {b}", f"{b} {c}") for a, b, c in product(words, repeat=3)]
    pairs += [(f"alone {n}", f"allein {n}") for n in range(100)] + [("ALONE 5", "anders")]
    (folder / "train.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in pairs))
    more = [("alone 7", "mixed in"), ("else", "allein 8")]
    (folder / "more.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in more))
    told = RECIPE.replace('"train.en", "train.de"', '"train.tsv"')
    (folder / "told.toml").write_text(told.format(more='more = [{train = ["more.tsv"]}]'))
    assert prepare("--write", "parts", "--split", "20,30") == 0
    found = {}
    for name, count in {"train": 394, "dev": 20, "test": 30, "mixed-in-1": 2}.items():
        sides = [
            (folder / "parts" / f"{name}.{side}").read_text().splitlines()
            for side in ("source", "target")
        ]
        assert len(sides[0]) == len(sides[1]) == count
        found[name] = [{text.casefold() for text in side} for side in sides]
    for one, other in (("train", "dev"), ("train", "test"), ("dev", "test"),
                       ("dev", "mixed-in-1"), ("test", "mixed-in-1")):  # fmt: skip
        for a, b in zip(found[one], found[other], strict=True):
            assert a.isdisjoint(b)


def test_a_store_that_is_there_is_used_by_the_training(folder, capsys):
    small = ["model.d_model=16", "model.heads=2", "model.d_ff=16", "training.updates=1"]
    changes = [word for change in small for word in ("--set", change)]
    assert prepare(*changes) == 0
    before = {path: path.stat() for path in (folder / "runs/told/store").iterdir()}
    assert run(["train", "told.toml", *changes]) == 0
    assert before == {path: path.stat() for path in (folder / "runs/told/store").iterdir()}
    with (folder / "train.en").open("a") as english, (folder / "train.de").open("a") as german:
        english.write("one more\n"), german.write("noch eins\n")
    assert prepare(*changes) == 0
    assert "13" in capsys.readouterr().out
    assert run(["train", "told.toml", *changes, "--set", "training.updates=2"]) == 2
    assert "text was 12 pairs, sha256" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--split", "1,1"], "--split needs --write FOLDER"),
        (["--split", "1", "--write", "x"], "--split 1: say two numbers of pairs"),
        (["--split", "a,b", "--write", "x"], "--split a,b: say two numbers of pairs"),
        (["--split", "9,9", "--write", "x"], "9 pairs cannot be set aside, only"),
        (["--write", "."], "train.en is what the recipe reads; --write another folder"),
        (["--set", "data.filters=[\"double\"]"], "data.filters.0 is \"double\"; input should be"),
        (["--set", "data.train=[\"no.en\", \"no.de\"]"], "no.en cannot be read: No such file"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line(folder, capsys, arguments, message):
    texts = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert prepare(*arguments) == 2
    err = capsys.readouterr().err.splitlines()[-1]
    assert err.startswith("regard: ")
    assert message in err
    assert texts == {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_without_text_to_be_judged_by_nothing_is_learnt(folder, capsys):
    (folder / "told.toml").write_text(RECIPE.format(more=""))
    assert run(["train", "told.toml"]) == 2
    assert "data.valid is missing: name pairs that progress is judged by" in capsys.readouterr().err
    assert prepare() == 0


def test_another_process_in_the_run_is_not_disturbed(folder, capsys):
    import fcntl

    (folder / "runs/told").mkdir(parents=True)
    with (folder / "runs/told/lock").open("w") as lock:
        lock.write(str(os.getpid()))
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert prepare() == 4
    assert f"in use by process {os.getpid()}" in capsys.readouterr().err
