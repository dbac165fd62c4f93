"""Our translator through CTranslate2 beside CTranslate2 called plainly: the same lines? as fast?

    python benchmarks/ctranslate2_file.py RUN --text FILE [FILE ...] [--output FILE] [--json FILE]

RUN is a Transformer that has learnt the language of the text. Three questions:

- Greedy search by both engines: how many of the first thousand lines come out the same?
- Beam search by a rule that both have: where the two differ, is it a tie, and who found the better?
- All lines, as they come, in int8, text in, text out: lines a second through our translator, and of
  CTranslate2 called as its guide says, with sentencepiece around it, in several layouts.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ctranslate2
import sentencepiece
from report import files, keep

from regard.checkpoint import digest, resolve
from regard.engines import export as exporting
from regard.engines.ctranslate2 import CTranslate2
from regard.text.lines import read_lines
from regard.translator import Translator

RULES = {"beam": 4, "penalty": "length", "alpha": 1.0, "longest": 250}
"""What both have; 250 is about the longest that CTranslate2 allows if nothing is said."""
LAYOUTS = [(1, 2, 32), (2, 1, 32), (2, 1, 64)]
"""Workers, threads of each, sentences in a batch."""
ROUNDS = 3


def exported(translator: Translator, run: Path, stored_as: str) -> exporting.Exported:
    """The run as CTranslate2 has it."""
    return exporting.export(
        translator.model,
        translator.source,
        translator.target,
        stored_as=stored_as,
        positions=1024,
        digest=digest(resolve(run)),
    )


def agreement(translator: Translator, run: Path, texts: list[str]) -> dict[str, Any]:
    """How alike the two engines' lines and scores are, in float32."""
    engine = CTranslate2(exported(translator, run, "float32"), translator.source, translator.target)
    found: dict[str, Any] = {}
    for name, rules in {"greedy": RULES | {"beam": 1}, "beam": RULES}.items():
        ours = translator.with_search(**rules).translate(texts)
        theirs = translator.through(engine).with_search(**rules).translate(texts)
        pairs = list(zip(ours, theirs, strict=True))
        differ = [(a, b) for a, b in pairs if a.text != b.text]
        gaps = [a.score - b.score for a, b in differ]
        found[name] = {
            "lines": len(texts),
            "same": len(texts) - len(differ),
            "ties": sum(abs(gap) < 1e-4 for gap in gaps),
            "ours_better": sum(gap >= 1e-4 for gap in gaps),
            "theirs_better": sum(gap <= -1e-4 for gap in gaps),
        }
    return found


def plain(folder: str, model: bytes, layout: tuple[int, int, int]) -> Callable[[list[str]], Any]:
    """CTranslate2 as its guide for sentencepiece has it."""
    workers, threads, batch = layout
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
    engine = ctranslate2.Translator(
        folder, compute_type="int8", inter_threads=workers, intra_threads=threads
    )

    def translate(texts: list[str]) -> list[str]:
        answers = engine.translate_batch(
            pieces.encode(texts, out_type=str),
            beam_size=RULES["beam"],
            length_penalty=RULES["alpha"],
            max_decoding_length=RULES["longest"],
            max_batch_size=batch,
        )
        return [pieces.decode(answer.hypotheses[0]) for answer in answers]

    return translate


def speed(translator: Translator, run: Path, texts: list[str]) -> dict[str, dict[str, float]]:
    """Lines a second of each way, all ways run in turn."""
    made = exported(translator, run, "int8")
    engine = CTranslate2(made, translator.source, translator.target)
    through = translator.through(engine).with_search(**RULES)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in made.files.items():
            Path(folder, name).write_bytes(content)
        ways: dict[str, Callable[[list[str]], Any]] = {"ours, 2 x 1": through.translate}
        for layout in LAYOUTS:
            name = "plain, {} x {}, batches of {}".format(*layout)
            ways[name] = plain(folder, translator.source.model, layout)
        times: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(ROUNDS + 1):
            for name, way in ways.items():
                started = time.perf_counter()
                way(texts)
                if turn:  # the first one warms up
                    times[name].append(len(texts) / (time.perf_counter() - started))
    return {
        name: {"median": statistics.median(rates), "least": min(rates), "most": max(rates)}
        for name, rates in times.items()
    }


def as_text(found: dict[str, Any]) -> str:
    """The tables of the page of results."""
    lines = [
        "| search | lines | the same | ties below 1e-4 | ours better | CTranslate2 better |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in found["agreement"].items():
        share = row["same"] / row["lines"]
        lines.append(
            f"| {name} | {row['lines']} | {row['same']} ({share:.1%}) | {row['ties']} |"
            f" {row['ours_better']} | {row['theirs_better']} |"
        )
    lines += ["", "| int8, beam 4 | lines a second | range |", "| --- | --- | --- |"]
    for name, row in found["speed"].items():
        lines.append(f"| {name} | {row['median']:.0f} | {row['least']:.0f} to {row['most']:.0f} |")
    best = max(row["median"] for name, row in found["speed"].items() if name.startswith("plain"))
    lines += [
        "",
        f"Ours is {found['speed']['ours, 2 x 1']['median'] / best:.2f} of the best plain.",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="files of sentences")
    files(parser, picture=False)
    given = parser.parse_args()
    texts = [line for path in given.text for line in read_lines(path)]
    translator = Translator.load(given.run)
    found = {
        "agreement": agreement(translator, given.run, texts[:1000]),
        "speed": speed(translator, given.run, texts),
    }
    keep(given, found, as_text(found))


if __name__ == "__main__":
    main()
