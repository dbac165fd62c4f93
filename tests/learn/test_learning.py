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


def write(path: Path, tasks, count: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of all tasks, each source beginning with its task's name."""
    chance = random.Random(seed)
    pairs = []
    for _ in range(count):
        task = chance.choice(tasks)
        letters = [chance.choice(LETTERS) for _ in range(chance.randint(2, 6))]
        pairs.append((" ".join([task, *letters]), " ".join(TASKS[task](letters))))
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    return pairs


@pytest.mark.parametrize(
    ("family", "tasks"),
    [*((family, ("copy", "reverse")) for family in FAMILIES), ("post-norm", ("sort",))],
)
def test_a_small_model_of_each_family_learns(tmp_path, family, tasks):
    write(tmp_path / "train.tsv", tasks, 30_000, seed=1)
    held_out = write(tmp_path / "valid.tsv", tasks, 200, seed=2)
    sections = {
        "data": {"folder": str(tmp_path), "train": ["train.tsv"], "valid": ["valid.tsv"]},
        "pieces": {"size": 320},
        "model": {"d_model": 64, "dropout": 0.0, **FAMILIES[family]},
        "training": {
            "updates": 900,
            "batch": 1000,
            "warmup": 200,
            "cooldown": 500,
            "clip": 1.0,
            "average": 0,
        },
        "validation": {"every": 900, "tokenize": "none"},
    }
    recipe = recipe_of(sections, name=family)
    train(recipe, tmp_path / "run", device=torch.device("cpu"), listeners=[])
    translator = Translator.load(tmp_path / "run")
    found = [translation.text for translation in translator.translate([s for s, _ in held_out])]
    for task in tasks:
        right = [
            a == target
            for a, (source, target) in zip(found, held_out, strict=True)
            if source.startswith(task)
        ]
        assert sum(right) >= 0.95 * len(right), task
