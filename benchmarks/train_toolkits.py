"""size -> real pieces a second of a toolkit's own trainer, in an environment of its own.

OpenNMT-py and Eole read text, make batches and log by themselves, so they are started as their
users start them, on the same sentences as everybody else, and their own log is read. Neither has
post-norm; where they let one choose, they are set to what the others do.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from train_contenders import RATE, SMOOTHING, Size

from regard.data.examples import Examples, Ragged
from regard.text.pieces import UNK

TORCH = "torch==2.13.0"
ENVIRONMENTS = Path("/tmp/regard-benchmarks")
"""Made once, and kept: each takes minutes and gigabytes."""

LINE = re.compile(
    r"Step\s+(?P<step>\d+)/.*xent: (?P<loss>[\d.]+).*bsz:\s*(?P<source>\d+)/\s*(?P<target>\d+)/"
    r".*?(?P<fast_source>\d+)/(?P<fast_target>\d+) tok/s"
)
"""What both of them log: mean real pieces of a batch, and how many a second."""


@dataclass(frozen=True)
class Toolkit:
    """A toolkit as PyPI has it.

    Attributes:
        packages: What is installed after torch. OpenNMT-py brings a torch of its own.
        command: Its trainer, and the option before the settings.
        settings: The settings file of a size; options that both have are `common`.
    """

    packages: tuple[str, ...]
    command: tuple[str, ...]
    settings: Callable[[Size, dict[str, Any], Path], dict[str, Any]]


def _onmt(size: Size, training: dict[str, Any], folder: Path) -> dict[str, Any]:
    shape = size.config
    return {
        **training,
        "encoder_type": "transformer",
        "decoder_type": "transformer",
        "position_encoding": True,
        "layers": shape.encoder_layers,
        "heads": shape.heads,
        "hidden_size": shape.d_model,
        "word_vec_size": shape.d_model,
        "transformer_ff": shape.d_ff,
        "share_embeddings": True,
        "share_decoder_embeddings": True,
        "model_dtype": "fp32",
        "save_model": str(folder / "model"),
    }


def _eole(size: Size, training: dict[str, Any], folder: Path) -> dict[str, Any]:
    shape = size.config
    about = ("save_data", "overwrite", "data", "src_vocab", "tgt_vocab", "share_vocab", "seed")
    outside = {name: training.pop(name) for name in (*about, "report_every")}
    return {
        **outside,
        "model": {
            "architecture": "transformer",
            "layers": shape.encoder_layers,
            "heads": shape.heads,
            "hidden_size": shape.d_model,
            "transformer_ff": shape.d_ff,
            "share_embeddings": True,
            "share_decoder_embeddings": True,
            "embeddings": {
                "word_vec_size": shape.d_model,
                "position_encoding_type": "SinusoidalInterleaved",
            },
        },
        "training": {
            **training,
            "compute_dtype": "fp32",
            "log_attention_entropy": False,
            "gpu_ranks": [],
            "model_path": str(folder / "model"),
        },
    }


TOOLKITS = {
    "onmt": Toolkit(("OpenNMT-py==3.5.1", "numpy<2"), ("onmt_train", "-config"), _onmt),
    "eole": Toolkit(("eole==0.6.4", "aiohttp"), ("eole", "train", "-config"), _eole),
}


def install(name: str) -> Path:
    """The folder of a toolkit's programs; made if it is not there."""
    place = ENVIRONMENTS / name
    if not (place / "whole").exists():
        print(f"making {place}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        for packages in ((TORCH,), *((each,) for each in TOOLKITS[name].packages)):
            subprocess.run([place / "bin/pip", "install", "--quiet", *packages], check=True)
        (place / "whole").touch()
    return place / "bin"


def write_text(examples: Examples, rows: int, folder: Path) -> None:
    """The pairs as words, one for each piece, and the vocabulary."""

    def side(ids: Ragged, name: str) -> None:
        lines = (" ".join(f"w{i}" for i in ids[row][:-1]) + "\n" for row in range(len(ids)))
        (folder / name).write_text("".join(lines))

    side(examples.source, "source")
    side(examples.target, "target")
    words = (f"w{i}\t1\n" for i in range(UNK + 1, rows))
    (folder / "vocabulary").write_text("".join(words))


def measure(
    name: str, size: Size, examples: Examples, folder: Path, *, warmup: int, steps: int, seed: int
) -> dict[str, Any]:
    """Train so many steps, and read the log.

    Returns:
        Pieces a second after the warm-up, each step's seconds, mean pieces of a step, the
        program's largest memory and its seconds in all, and the loss first logged.
    """
    write_text(examples, size.rows, folder)
    training = {
        "save_data": str(folder / "out"),
        "overwrite": True,
        "data": {
            "all": {"path_src": str(folder / "source"), "path_tgt": str(folder / "target")}
        },
        "src_vocab": str(folder / "vocabulary"),
        "tgt_vocab": str(folder / "vocabulary"),
        "share_vocab": True,
        "seed": seed,
        "report_every": 1,
        "train_steps": warmup + steps,
        "save_checkpoint_steps": 1_000_000,
        "valid_steps": 1_000_000,
        "dropout": [size.config.dropout],
        "attention_dropout": [0.0],
        "label_smoothing": SMOOTHING,
        "optim": "adam",
        "learning_rate": RATE,
        "decay_method": "none",
        "max_grad_norm": 0,
        "batch_type": "tokens",
        "batch_size": size.pieces,
        "batch_size_multiple": 1,
        "normalization": "tokens",
        "accum_count": [1],
        "bucket_size": len(examples),
        "num_workers": 0,
        "world_size": 1,
    }  # fmt: skip
    toolkit = TOOLKITS[name]
    programs = install(name)
    settings = folder / "settings.yaml"  # what JSON writes is YAML
    settings.write_text(json.dumps(toolkit.settings(size, training, folder)))
    program, *arguments = toolkit.command
    started = time.perf_counter()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [programs / program, *arguments, settings], stdout=log, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
    told = (folder / "log").read_text()
    found = [match.groupdict() for match in map(LINE.search, told.splitlines()) if match]
    if status or len(found) != warmup + steps:
        raise SystemExit(f"{name} did not train; it says:\n{told[-3000:]}")
    pieces = [int(step["source"]) + int(step["target"]) for step in found]
    speeds = [int(step["fast_source"]) + int(step["fast_target"]) for step in found]
    seconds = [count / speed for count, speed in zip(pieces, speeds, strict=True)][warmup:]
    return {
        "contender": name,
        "pieces per second": sum(pieces[warmup:]) / sum(seconds),
        "seconds of each step": [round(each, 4) for each in seconds],
        "pieces per step": sum(pieces[warmup:]) / steps,
        "memory in MB": used.ru_maxrss / 1024,
        "seconds in all": time.perf_counter() - started,
        "first loss": float(found[0]["loss"]),
    }
