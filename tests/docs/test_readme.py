"""What README and flow.md say: blocks run, the tree is the tree, files are there."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from regard.train.recipe import recipe_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture
def here(tiny_run, tmp_path):
    """A folder in which `runs/demo` is a run, though a smaller one than the demo's."""
    shutil.copytree(tiny_run, tmp_path / "runs" / "demo")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    return tmp_path


def environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


@pytest.mark.parametrize("block", blocks("bash"))
def test_a_shell_block_runs(block, here):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        check=False, cwd=here, env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


@pytest.mark.parametrize("block", blocks("python"))
def test_a_python_block_runs(block, here):
    done = subprocess.run(
        [sys.executable, "-c", block],
        check=False, cwd=here, env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 2


@pytest.mark.parametrize("block", blocks("toml"))
def test_a_recipe_block_is_a_recipe(block):
    recipe_of(tomllib.loads(block), name="README.md")


def test_every_command_named_is_one():
    from regard.commands import app

    known = {command.name for command in app.registered_commands}
    named = set(re.findall(r"^regard ([a-z]+)", README, flags=re.MULTILINE))
    assert named
    assert named <= known


def test_the_files_it_points_at_are_there():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_room_is_in_the_tree():
    rooms = {
        path.name for path in (ROOT / "src/regard").iterdir() if not path.name.startswith("__")
    }
    tree = (ROOT / "docs/flow.md").read_text(encoding="utf-8")
    for room in rooms:
        assert re.search(rf"^\s+{re.escape(room)}\b", tree, flags=re.MULTILINE), room
