"""Has a sentence the same answer whatever stands beside it: every family, trained, on real text?

    python benchmarks/invariance.py --train SRC TGT --valid SRC TGT --text FILE [FILE ...]
        [--first N] [--family NAME ...] [--updates N] [--beam N] [--longest N]
        [--runs DIR] [--output FILE] [--json FILE]

Each family learns for some hundred updates, small, with pieces of its own. Then the first lines of
each text are translated all at once; in batches of 1, 2, 7 and 64; and shuffled: by the search of
`regard translate --check-invariance`, which compares text, pieces, scores bit for bit, and the
order of the n best. What lies in `--runs` is neither learnt nor checked again.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from report import files, keep

from regard.checkpoint import load, resolve
from regard.commands.invariance import changes
from regard.text.lines import read_lines
from regard.train.loop import train
from regard.train.recipe import Recipe, recipe_of
from regard.translator import Translator

TRANSFORMER = {"d_model": 64, "d_ff": 128, "heads": 4, "encoder_layers": 2, "decoder_layers": 1}
RECURRENT = {"family": "recurrent", "d_model": 64}
LUONG = {**RECURRENT, "attention": "luong"}
ONE_WAY = {"bidirectional": False}
FAMILIES: dict[str, dict[str, Any]] = {
    "Transformer, post-norm": TRANSFORMER,
    "Transformer, pre-norm, halves": {**TRANSFORMER, "norm": "pre", "positions": "halves"},
    "Transformer, learned positions": {**TRANSFORMER, "positions": "learned", "longest": 512},
    "Transformer, window of 5": {**TRANSFORMER, "encoder_window": 5},
    "no attention, GRU": {**RECURRENT, "attention": "none"},
    "Bahdanau, additive, GRU": RECURRENT,
    "Luong, general, LSTM, fed": {
        **LUONG, "score": "general", "cell": "lstm", "input_feeding": True,
    },
    "Luong, dot, one way, RNN": {**LUONG, **ONE_WAY, "score": "dot", "cell": "rnn"},
    "Luong, scaled dot, one way, 2 layers, GRU": {
        **LUONG, **ONE_WAY, "score": "scaled_dot", "layers": 2,
    },
    "CS224n, reduced rank, LSTM": {
        **RECURRENT, "attention": "cs224n", "score": "reduced_rank", "d_score": 16, "cell": "lstm",
        "tie": "none",
    },
    "ConvS2S": {
        "family": "convs2s", "d_model": 64, "d_hidden": 64, "encoder_layers": 2,
        "decoder_layers": 1,
    },
    "ByteNet": {"family": "bytenet", "d_model": 64, "dilations": [1, 2, 4]},
}  # fmt: skip
"""Each family and each of its kinds, as `[model]` of a recipe names them."""


def recipe_for(options: dict[str, Any], given: argparse.Namespace) -> Recipe:
    """What a family learns by."""
    sides = {"train": map(str, given.train), "valid": map(str, given.valid)}
    return recipe_of(
        {
            "data": {name: [str(Path(side).resolve()) for side in s] for name, s in sides.items()},
            "pieces": {"size": 4000},
            "model": options | {"dropout": 0.0},
            "training": {
                "updates": given.updates, "batch": 1500, "warmup": 200, "factor": 0.5,
                "cooldown": given.updates // 2, "clip": 1.0, "average": 0, "keep": 1,
            },
            "validation": {"every": given.updates, "tokenize": "none"},
        },
        name="of a family",
    )  # fmt: skip


def learnt(name: str, given: argparse.Namespace) -> Path:
    """The run of a family, learnt now unless it is there."""
    run = given.runs / re.sub(r"\W+", "-", name).lower()
    outcome = train(recipe_for(FAMILIES[name], given), run, device=torch.device("cpu"))
    if outcome.signal:
        sys.exit(f"{name} was told to end while it learnt; the same command goes on")
    return run


def checked(run: Path, texts: Sequence[str], beam: int, longest: int | None) -> dict[str, Any]:
    """What a run has learnt, what it says, and how many lines each way of batching changed."""
    translator = Translator.load(run).with_search(beam=beam, best=beam, longest=longest)
    best = load(resolve(run)).state["best"]
    started = time.perf_counter()
    found = translator.translate(texts)
    lengths = sorted(len(each.pieces) for each in found)
    changed = changes(translator, texts, found)
    return {
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "perplexity": best["perplexity"],
        "bleu": best["bleu"],
        "lines": len(texts),
        "different": len({each.text for each in found}),
        "lengths": [lengths[len(lengths) * part // 100] for part in (5, 50, 95)],
        "search": f"beam {beam}" + f", {longest} pieces" * bool(longest),
        "changed": changed,
        "seconds": time.perf_counter() - started,
    }


def as_text(found: dict[str, Any]) -> str:
    """The table of the page of results."""
    lines = [
        "| family | parameters | perplexity | BLEU | lines | different translations | pieces of one"
        " | batchings | lines that differ |",
        "| --- |" + " --: |" * 8,
    ]
    for name, row in found.items():
        low, middle, high = row["lengths"]
        lines.append(
            f"| {name} | {row['parameters']:,} | {row['perplexity']:.1f} | {row['bleu']:.1f}"
            f" | {row['lines']:,} | {row['different']:,} | {middle} ({low} to {high})"
            f" | {len(row['changed'])} | {sum(map(len, row['changed'].values()))} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Learn, check and report."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--train", nargs=2, required=True, metavar=("SRC", "TGT"))
    parser.add_argument("--valid", nargs=2, required=True, metavar=("SRC", "TGT"))
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="files of sentences")
    parser.add_argument("--first", type=int, help="so many lines of each text; all if not given")
    parser.add_argument("--family", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--beam", type=int, default=5, help="and so many best are compared")
    parser.add_argument("--longest", type=int, help="the most pieces of a translation")
    parser.add_argument("--runs", type=Path, default=Path("runs/invariance"))
    files(parser, picture=False)
    given = parser.parse_args()
    texts = [line for path in given.text for line in islice(read_lines(path), given.first)]
    found: dict[str, Any] = {}
    for name in given.family:
        run = learnt(name, given)
        kept = run / f"{len(texts)}-lines.json"
        if not kept.exists():
            kept.write_text(json.dumps(checked(run, texts, given.beam, given.longest)))
        found[name] = json.loads(kept.read_text())
    keep(given, found, as_text(found))


if __name__ == "__main__":
    main()
