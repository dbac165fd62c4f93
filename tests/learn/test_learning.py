"""Tasks with a known answer: what does not learn these learns nothing."""

import random
from pathlib import Path

import pytest
import torch

from regard.train.loop import train
from regard.train.recipe import recipe_of
from regard.translator import Translator

pytestmark = pytest.mark.slow

LETTERS = "abcdefghijkl"
TASKS = {"copy": list, "reverse": lambda x: x[::-1], "sort": sorted}
TRANSFORMER = {"d_ff": 128, "heads": 4, "encoder_layers": 2, "decoder_layers": 2}
FAMILIES = {
    "post-norm": TRANSFORMER,
    "pre-norm": {**TRANSFORMER, "norm": "pre"},
    "bottleneck": {"family": "recurrent", "attention": "none", "d_model": 128},
    "bahdanau": {"family": "recurrent", "attention": "bahdanau"},
    "luong": {"family": "recurrent", "attention": "luong", "cell": "lstm", "input_feeding": True},
    "convs2s": {"family": "convs2s", "d_hidden": 64, "encoder_layers": 2, "decoder_layers": 2},
    "bytenet": {"family": "bytenet", "d_model": 128, "dilations": [1, 2, 4]},
}


def write(path: Path, task, count: int, seed: int) -> list[tuple[str, str]]:
    chance = random.Random(seed)
    sources = [
        " ".join(chance.choice(LETTERS) for _ in range(chance.randint(2, 6))) for _ in range(count)
    ]
    pairs = [(source, " ".join(task(source.split()))) for source in sources]
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    return pairs


@pytest.mark.parametrize(
    ("family", "task"),
    [
        *((family, task) for family in FAMILIES for task in ("copy", "reverse")),
        ("post-norm", "sort"),
    ],
)
def test_a_small_model_of_each_family_learns(tmp_path, family, task):
    write(tmp_path / "train.tsv", TASKS[task], 20_000, seed=1)
    held_out = write(tmp_path / "valid.tsv", TASKS[task], 200, seed=2)
    sections = {
        "data": {"folder": str(tmp_path), "train": ["train.tsv"], "valid": ["valid.tsv"]},
        "pieces": {"size": 320},
        "model": {"d_model": 64, "dropout": 0.0, **FAMILIES[family]},
        "training": {
            "updates": 800,
            "batch": 1000,
            "warmup": 200,
            "cooldown": 400,
            "clip": 1.0,
            "average": 0,
        },
        "validation": {"every": 800, "tokenize": "none"},
    }
    recipe = recipe_of(sections, name=task)
    train(recipe, tmp_path / "run", device=torch.device("cpu"), listeners=[])
    translator = Translator.load(tmp_path / "run")
    found = [translation.text for translation in translator.translate([s for s, _ in held_out])]
    right = sum(a == b for a, (_, b) in zip(found, held_out, strict=True))
    assert right >= 0.95 * len(held_out)
