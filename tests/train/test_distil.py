"""A teacher's translations become a student's text."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regard.checkpoint import digest, load, resolve
from regard.commands import run
from regard.train.distil import distil
from regard.train.recipe import read_recipe
from regard.translator import Translator

STUDENT = ["model.encoder_layers=2", "training.updates=4", "validation.every=4"]


@pytest.fixture
def student(tiny_recipe):
    return read_recipe(tiny_recipe, STUDENT)


@pytest.fixture
def teacher(tiny_run):
    return Translator.load(tiny_run)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_the_text_is_what_the_teacher_says(tiny_run, tiny_recipe, student, teacher, tmp_path):
    said: list[str] = []
    done = distil(teacher, digest(resolve(tiny_run)), student, tmp_path / "run", tell=said.append)
    folder = tmp_path / "run" / "distilled"
    sources = lines(tiny_recipe.parent / "train.en")
    assert lines(folder / "train.source.txt") == sources
    translations = [found.text for found in teacher.translate(sources)]
    assert lines(folder / "train.target.txt") == translations
    assert lines(folder / "valid.target.txt") == lines(tiny_recipe.parent / "valid.de")
    assert (done.used, done.cut, done.anew) == (len(sources), 0, True)
    assert said == [f"{len(sources)} sentences translated"]
    assert done.recipe.model == student.model
    assert done.recipe.data.folder == str(folder)


def test_it_is_translated_once_for_the_same_teacher_search_and_text(
    tiny_run, student, teacher, tmp_path
):
    def again(teacher=teacher, name="it", recipe=student):
        return distil(teacher, name, recipe, tmp_path, tell=lambda _: None).anew

    assert [again(), again()] == [True, False]
    assert again(teacher=teacher.with_search(beam=1))
    assert again(name="another")
    shorter = replace(student, data=replace(student.data, longest=32))
    assert again(name="another", recipe=shorter)
    damaged = tmp_path / "distilled" / "train.target.txt"
    damaged.write_text("half")
    assert again(name="another", recipe=shorter)


def test_translations_that_met_the_limit_are_left_out(tiny_recipe, student, teacher, tmp_path):
    found = teacher.translate(lines(tiny_recipe.parent / "train.en"))
    lengths = sorted(len(each.pieces) + 1 for each in found)
    shortest = teacher.with_search(longest=lengths[len(lengths) // 2])
    done = distil(shortest, "it", student, tmp_path, tell=lambda _: None)
    assert done.cut > 0
    assert done.used + done.cut == 25
    assert len(lines(tmp_path / "distilled" / "train.source.txt")) == done.used


def test_the_command_translates_and_learns_and_goes_on(tiny_run, tiny_recipe, tmp_path, capsys):
    changes = [part for change in STUDENT for part in ("--set", change)]
    into = ["--into", str(tiny_recipe), "--run", str(tmp_path / "student"), *changes]
    arguments = ["distil", str(tiny_run), *into, "--beam", "1"]
    assert run(arguments) == 0
    assert "distilled: 25 sentences by" in capsys.readouterr().out
    recipe = load(resolve(tmp_path / "student")).recipe
    assert recipe["model"]["encoder_layers"] == 2
    assert json.dumps(recipe["data"]["train"]) == '["train.source.txt", "train.target.txt"]'
    assert run(arguments) == 0
    assert "as they were" in capsys.readouterr().out


def test_a_phrasebook_is_text_too(teacher, tmp_path):
    recipe = tmp_path / "student.toml"
    recipe.write_text(
        "[data]\nlongest = 64\nphrasebook = { pairs = 3 }\n[model]\nd_model = 8\nheads = 2\n"
    )
    done = distil(teacher.with_search(beam=1), "it", read_recipe(recipe), tmp_path, tell=print)
    assert done.used + done.cut == 3
    assert not done.recipe.data.phrasebook
    assert len(lines(tmp_path / "distilled" / "valid.source.txt")) == 500
