"""The line from the bottleneck to the Transformer, measured on the phrasebook with gold alignments.

    python benchmarks/lineage.py learn [--only NAME ...] [--runs DIR]
    python benchmarks/lineage.py report [--runs DIR] [--output FILE] [--json FILE]
        [--picture FILE] [--alignments FILE]

`learn` trains the recipes of `recipes/lineage/`, one after the other. `report` asks each of them:
BLEU and exact matches by length of the source; the alignment that its attention makes, against
the gold one, and a picture of that for one short sentence; and, on models with initial values, how
the gradient of the last position reaches the first word as sentences grow, with and without
attention.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from chart import chart, grids
from report import files, keep
from torch import Tensor

from regard.attention import Attention
from regard.checkpoint import load, resolve
from regard.data.batch import Batch, Sentences
from regard.data.phrasebook import Example, held_out
from regard.evaluate import bleu
from regard.models.build import build
from regard.models.config import RecurrentConfig
from regard.text.pieces import BOS, EOS, Pieces
from regard.train.loop import train
from regard.train.recipe import Recipe, read_recipe
from regard.translator import Translator

RECIPES = Path(__file__).parents[1] / "recipes/lineage"
WAYS: dict[str, list[str]] = {
    "bottleneck": [],
    "bahdanau": [],
    "luong": [],
    "luong, nothing fed": ["model.input_feeding=false"],
    "convs2s": [],
    "bytenet": [],
    "transformer": [],
}
"""What is learnt: a recipe's name, and changes to it."""
LENGTHS = [(5, 14), (15, 24), (25, 34), (35, 44), (45, 60)]


def recipe_of(name: str, changes: Sequence[str] = ()) -> Recipe:
    """What one of WAYS learns by."""
    return read_recipe(RECIPES / f"{name.partition(',')[0]}.toml", [*WAYS[name], *changes])


def learn(names: Sequence[str], runs: Path, changes: Sequence[str]) -> None:
    """Train each, and say how long it took."""
    for name in names:
        started = time.perf_counter()
        recipe = recipe_of(name, changes)
        train(recipe, runs / name, device=torch.device("cpu"), listeners=[])
        seconds = time.perf_counter() - started
        (runs / name / "seconds").write_text(f"{seconds:.0f}\n")
        print(f"{name}: {seconds:.0f} s", flush=True)


def by_length(translator: Translator, examples: list[Example]) -> list[dict[str, float]]:
    """BLEU and exact matches of the sentences of each range of lengths."""
    found = [t.text for t in translator.translate([e.source for e in examples])]
    rows = []
    for shortest, longest in LENGTHS:
        chosen = [
            (a, e.target)
            for a, e in zip(found, examples, strict=True)
            if shortest <= len(e.source.split()) <= longest
        ]
        hypotheses, references = zip(*chosen, strict=True)
        rows.append(
            {
                "sentences": len(chosen),
                "bleu": bleu(list(hypotheses), list(references), tokenize="none").score,
                "exact": sum(a == b for a, b in chosen) / len(chosen),
            }
        )
    return rows


class Watch:
    """Catches what attention between decoder and encoder is asked, and asks it for weights."""

    def __init__(self, model: torch.nn.Module):
        self.tables: list[Tensor] = []
        self.hooks = [
            module.register_forward_pre_hook(self._catch, with_kwargs=True)
            for name, module in model.named_modules()
            if isinstance(module, Attention) and not _of_one_side(name)
        ]

    def _catch(self, module: Any, inputs: tuple[Tensor, ...], options: dict[str, Any]) -> None:
        table = module.weights(*inputs[:2], **options)
        self.tables.append(table.flatten(0, -3).mean(0))  # heads together; targets source

    def alignment(self) -> Tensor | None:
        """The mean over layers: target positions, source positions. None if nothing attends."""
        for hook in self.hooks:
            hook.remove()
        if not self.tables:
            return None
        if self.tables[0].shape[-2] == 1:  # one call for each step
            return torch.cat(self.tables)
        return torch.stack(self.tables).mean(0)


def _of_one_side(name: str) -> bool:
    """Whether an attention is between positions of one sentence: a Transformer's self-attention."""
    return name.endswith(".attention.attention")


@torch.no_grad()
def word_weights(translator: Translator, example: Example) -> Tensor | None:
    """How much each target word looks at each source word; the gold target is given.

    A word is all of its pieces: the mean over its steps, a piece's step being the one that sees the
    pieces before it, of the sum over what they look at. What is missing to 1 is on the end of the
    sentence. None if nothing attends.
    """
    source, places_in = _pieces_of(translator.source, example.source)
    target, places_out = _pieces_of(translator.target, example.target)
    shown = Sentences.of([[BOS, *target]])
    watch = Watch(translator.model)
    translator.model.states(Batch(Sentences.of([[*source, EOS]]), shown, shown))
    table = watch.alignment()
    if table is None:
        return None
    by_source = torch.stack([table[:, pieces].sum(1) for pieces in places_in], dim=1)
    return torch.stack([by_source[steps].mean(0) for steps in places_out])


def alignments(translator: Translator, examples: list[Example]) -> dict[str, float] | None:
    """How often the source word that a target word looks at most is a gold one."""
    right = words = 0
    for example in examples:
        table = word_weights(translator, example)
        if table is None:
            return None
        gold: dict[int, set[int]] = {}
        for i, j in example.alignment:
            gold.setdefault(j, set()).add(i)
        right += sum(int(table[word].argmax()) in sources for word, sources in gold.items())
        words += len(gold)
    return {"words": words, "right": right / words}


def shown_of(examples: list[Example]) -> Example:
    """The first short sentence with words that change places."""
    return next(
        e
        for e in examples
        if len(e.source.split()) <= 9
        and any(a < c and b > d for a, b in e.alignment for c, d in e.alignment)
    )


def _pieces_of(pieces: Pieces, text: str) -> tuple[list[int], list[list[int]]]:
    """A sentence's ids, and which of them belong to each word."""
    ids = pieces.split(text)
    words: list[list[int]] = []
    for place, piece in enumerate(ids):
        if pieces.piece(piece).startswith("\u2581") or not words:
            words.append([])
        words[-1].append(place)
    return ids, words


def short_cut() -> dict[str, list[float]]:
    """The gradient's norm at the first source word, over length, as the models begin.

    It is of the loss of the last target piece, the mean over five models.
    """
    found = {}
    for cell in ("rnn", "gru"):
        for attention in ("none", "luong"):
            config = RecurrentConfig(
                family="recurrent",
                cell=cell,
                d_model=128,
                bidirectional=False,
                attention=attention,
                score="additive" if attention == "none" else "scaled_dot",
                dropout=0.0,
            )
            norms = [_first_word(config, length) for length in (5, 10, 20, 30, 40, 60)]
            found[f"{cell}, {'no attention' if attention == 'none' else 'attention'}"] = norms
    return found


def _first_word(config: RecurrentConfig, length: int) -> float:
    total = 0.0
    for seed in range(5):
        generator = torch.Generator().manual_seed(seed)
        model = build(config, source_rows=200, target_rows=200, generator=generator)
        ids = torch.randint(4, 200, (2, length), generator=generator)
        source, target = Sentences.of([ids[0].tolist()]), Sentences.of([ids[1].tolist()])
        caught: list[Tensor] = []

        def keep(_module: Any, _inputs: Any, output: Tensor, caught: list[Tensor] = caught) -> None:
            output.retain_grad()
            caught.append(output)

        model.get_submodule("source_embedding").register_forward_hook(keep)
        logits = model(Batch(source, target, target))[0, -1]
        (-logits.log_softmax(0)[7]).backward()
        gradient = caught[0].grad
        assert gradient is not None
        total += float(gradient[0, 0].norm())
    return total / 5


def report(runs: Path) -> dict[str, Any]:
    """All that is measured of the runs that are there."""
    examples = held_out(seed=1, size=600, shortest=5, longest=60)["random"]
    shown = shown_of(examples)
    found: dict[str, Any] = {}
    looks: dict[str, list[list[float]]] = {}
    for name in WAYS:
        if not (runs / name / "seconds").exists():
            continue
        translator = Translator.load(runs / name)
        recipe = load(resolve(runs / name)).recipe
        table = word_weights(translator, shown)
        if table is not None:
            looks[name] = table.tolist()
        found[name] = {
            "parameters": sum(p.numel() for p in translator.model.parameters()),
            "updates": recipe["training"]["updates"],
            "seconds": int((runs / name / "seconds").read_text()),
            "by_length": by_length(translator, examples),
            "alignment": alignments(translator, examples[:200]),
        }
    sentence = {
        "source": shown.source.split(),
        "target": shown.target.split(),
        "gold": sorted(shown.alignment),
        "weights": looks,
    }
    return {"families": found, "first_word": short_cut(), "sentence": sentence}


def as_text(found: dict[str, Any]) -> str:
    """The tables of the page of results."""
    heads = " | ".join(f"{a} to {b} words" for a, b in LENGTHS)
    lines = [
        f"| family | parameters | minutes | {heads} | aligned right |",
        "| --- | --- | --- |" + " --- |" * (len(LENGTHS) + 1),
    ]
    for name, row in found["families"].items():
        cells = " | ".join(f"{r['bleu']:.1f} ({r['exact']:.0%})" for r in row["by_length"])
        aligned = f"{row['alignment']['right']:.1%}" if row["alignment"] else "-"
        lines.append(
            f"| {name} | {row['parameters']:,} | {row['seconds'] / 60:.1f} | {cells} | {aligned} |"
        )
    lines += [
        "",
        "| at initial values | 5 words | 10 | 20 | 30 | 40 | 60 |",
        "| --- |" + " --- |" * 6,
    ]
    for name, norms in found["first_word"].items():
        lines.append(f"| {name} | " + " | ".join(f"{norm:.1e}" for norm in norms) + " |")
    return "\n".join(lines)


def picture(found: dict[str, Any]) -> str:
    """BLEU over length, a line a family."""
    return chart(
        "BLEU by length of the source, in words",
        [f"{a} to {b}" for a, b in LENGTHS],
        {n: [r["bleu"] for r in row["by_length"]] for n, row in found["families"].items()},
        [(value, str(value)) for value in range(0, 101, 20)],
    )


def alignment_picture(found: dict[str, Any]) -> str:
    """One sentence: the gold alignment, and what each family with attention looks at."""
    sentence = found["sentence"]
    source, target, gold = sentence["source"], sentence["target"], set(sentence["gold"])
    table = [[float((i, j) in gold) for i in range(len(source))] for j in range(len(target))]
    tables = {"gold": table, **sentence["weights"]}
    return grids("What each target word looks at; framed: gold", source, target, tables, gold)


def main() -> None:
    """Learn, or report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("what", choices=["learn", "report"])
    parser.add_argument("--only", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--runs", type=Path, default=Path("runs/lineage"))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--alignments", type=Path, help="a file for the SVG of one sentence")
    files(parser)
    given = parser.parse_args()
    if given.what == "learn":
        learn(given.only, given.runs, given.set)
        return
    found = report(given.runs)
    keep(given, found, as_text(found), picture(found))
    if given.alignments:
        given.alignments.write_text(alignment_picture(found))


if __name__ == "__main__":
    main()
