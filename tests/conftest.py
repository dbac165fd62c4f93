"""What many tests share: a real, small run, and the program as a person starts it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Models of a few thousand parameters are ten times slower on two busy cores than on one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that starts us in the background lets Ctrl-C be ignored, as nohup does with SIGHUP, and so
# would every child of ours.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# The same examples on every machine; how long one takes says nothing on a busy one.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a GPU is left out, with that reason, where there is none."""
    import torch

    if not torch.cuda.is_available():
        for item in items:
            if item.get_closest_marker("requires_gpu"):
                item.add_marker(pytest.mark.skip(reason="needs a GPU"))


NOUNS = {"cat": "Katze", "dog": "Hund", "mouse": "Maus", "child": "Kind", "bird": "Vogel"}
VERBS = {"sleeps": "schläft", "runs": "läuft", "sings": "singt", "eats": "isst", "waits": "wartet"}
RECIPE = """
[data]
folder = {folder}
train = ["train.en", "train.de"]
valid = ["valid.en", "valid.de"]
longest = 64

[pieces]
size = 290

[model]
d_model = 32
d_ff = 64
heads = 2
encoder_layers = 1
decoder_layers = 1
dropout = 0.0

[training]
updates = 80
batch = 200
warmup = 20
factor = 0.2
average = 2
keep = 2

[validation]
every = 70

[search]
beam = 2
extra = 5
"""


WORDS = ["red", "green", "blue", "small", "big", "old", "new", "cat", "dog", "bird"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with text that small trainings learn."""
    lines = [f"{a} {b}\t{b} {a} !" for a in WORDS for b in WORDS if a != b]
    (tmp_path / "train.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "valid.tsv").write_text("\n".join(lines[::9]) + "\n")
    return tmp_path


@pytest.fixture(scope="session")
def tiny_recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe with the corpus that it names; to be read, not changed."""
    folder = tmp_path_factory.mktemp("tiny")
    pairs = [(f"the {n} {v}", f"{m} {w}") for n, m in NOUNS.items() for v, w in VERBS.items()]
    for name, chosen in {"train": pairs, "valid": pairs[::5]}.items():
        for side, ending in enumerate(("en", "de")):
            text = "".join(f"{pair[side]}\n" for pair in chosen)
            (folder / f"{name}.{ending}").write_text(text, encoding="utf-8")
    recipe = folder / "tiny.toml"
    recipe.write_text(RECIPE.format(folder=f'"{folder}"'), encoding="utf-8")
    return recipe


@pytest.fixture(scope="session")
def tiny_run(tiny_recipe: Path) -> Path:
    """A run that learnt its 25 sentences, two checkpoints and their average; not to be changed."""
    import torch

    from regard.train.loop import train
    from regard.train.recipe import read_recipe
    from regard.train.record import Record

    run = tiny_recipe.parent / "run"
    told = read_recipe(tiny_recipe)
    train(told, run, device=torch.device("cpu"), listeners=[Record(run)])
    return run


Program = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="session")
def program() -> Program:
    """`regard` in a process of its own."""

    def start(*arguments: object, **options: object) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "regard", *map(str, arguments)]
        return subprocess.run(command, check=False, timeout=120, capture_output=True, **options)

    return start
