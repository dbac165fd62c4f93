"""docs/paper.md and docs/words.md tell the truth."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYMBOLS = sorted(
    set(re.findall(r"`(regard[\w.]*):([\w.]+)`", (ROOT / "docs/paper.md").read_text()))
)
AXES = re.compile(r'(?:Float|Int|Bool)\[(?:Tensor|np\.ndarray), "([^"]*)"\]')


@pytest.mark.parametrize(("module", "symbol"), SYMBOLS)
def test_what_the_map_names_is_there(module, symbol):
    found = import_module(module)
    for part in symbol.split("."):
        found = getattr(found, part)


def test_the_map_names_something():
    assert len(SYMBOLS) > 20


def test_every_axis_is_in_the_words():
    words = set(re.findall(r"`([*\w]+)`", (ROOT / "docs/words.md").read_text()))
    for path in (ROOT / "src").rglob("*.py"):
        for axes in AXES.findall(path.read_text()):
            for axis in re.sub(r"#|\.\.\.|(?<!\w)_", "", axes).split():
                assert axis.isdigit() or axis in words, f"{path.name}: {axis}"
