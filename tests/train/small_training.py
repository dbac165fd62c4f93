"""A whole training, small enough for many tests."""

import json
import signal
from pathlib import Path

import torch

from regard.train.loop import train
from regard.train.recipe import Recipe, recipe_of


def sections(corpus: Path, **changes) -> dict[str, dict]:
    told = {
        "data": {
            "folder": str(corpus),
            "train": ["train.tsv"],
            "valid": ["valid.tsv"],
            "longest": 40,
        },
        "pieces": {"size": 300},
        "model": {"d_model": 16, "d_ff": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1},
        "training": {"updates": 12, "batch": 100, "warmup": 10, "average": 2, "keep": 2},
        "validation": {"every": 4},
    }
    for key, value in changes.items():
        section, _, option = key.partition("__")
        if option:
            told[section][option] = value
        else:
            told[section] = value
    return told


def recipe(corpus: Path, **changes) -> Recipe:
    return recipe_of(sections(corpus, **changes), name="test")


def write_recipe(corpus: Path, **changes) -> None:
    """The same as a file, told.toml; what JSON writes of these values is TOML."""
    lines = []
    for section, options in sections(corpus, **changes).items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in options.items()]
    (corpus / "told.toml").write_text("\n".join(lines) + "\n")


def run(told: Recipe, folder: Path, *listeners, **options):
    events = []
    listeners = [events.append, *listeners]
    outcome = train(told, folder, device=torch.device("cpu"), listeners=listeners, **options)
    return outcome, events


def files(checkpoint: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in checkpoint.iterdir()}


def press_ctrl_c(at: int):
    def listener(event):
        if event["event"] == "update" and event["step"] == at:
            signal.raise_signal(signal.SIGINT)

    return listener


def notes(events) -> str:
    return "\n".join(event["text"] for event in events if event["event"] == "note")
