"""Tasks with a known answer: what does not learn these learns nothing."""

import random
from pathlib import Path

import pytest
import torch

from regard.train.loop import train
from regard.train.recipe import recipe_of
from regard.translator import Translator

pytestmark = pytest.mark.slow

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write(path: Path, task, count: int, seed: int) -> list[tuple[str, str]]:
    chance = random.Random(seed)
    sources = [
        " ".join(chance.choice(LETTERS) for _ in range(chance.randint(2, 10))) for _ in range(count)
    ]
    pairs = [(source, " ".join(task(source.split()))) for source in sources]
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    return pairs


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize(
    ("task", "function"),
    [("copy", list), ("reverse", lambda x: x[::-1]), ("sort", sorted)],
    ids=["copy", "reverse", "sort"],
)
def test_a_small_transformer_learns(tmp_path, task, function, norm):
    write(tmp_path / "train.tsv", function, 20_000, seed=1)
    held_out = write(tmp_path / "valid.tsv", function, 200, seed=2)
    sections = {
        "data": {"folder": str(tmp_path), "train": ["train.tsv"], "valid": ["valid.tsv"]},
        "pieces": {"size": 320},
        "model": {
            "d_model": 64,
            "d_ff": 128,
            "heads": 4,
            "encoder_layers": 2,
            "decoder_layers": 2,
            "dropout": 0.0,
            "norm": norm,
        },
        "training": {"updates": 900, "batch": 1500, "warmup": 300, "cooldown": 300, "average": 0},
        "validation": {"every": 900, "tokenize": "none"},
    }
    recipe = recipe_of(sections, name=task)
    train(recipe, tmp_path / "run", device=torch.device("cpu"), listeners=[])
    translator = Translator.load(tmp_path / "run")
    found = [translation.text for translation in translator.translate([s for s, _ in held_out])]
    right = sum(a == b for a, (_, b) in zip(found, held_out, strict=True))
    assert right >= 0.95 * len(held_out)
