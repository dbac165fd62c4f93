"""a contender's name -> a function that translates sentences: regard and those beside it.

All have the base model's shape with 32,000 pieces and one matrix for both embeddings and the
output, beam 4, and exactly `LENGTH` steps a sentence.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import torch
from train_contenders import marian_model
from train_toolkits import install

from regard.engines.ctranslate2 import CTranslate2
from regard.engines.export import Exported
from regard.engines.specification import specification, the_engine
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.search import SearchOptions
from regard.text.pieces import UNK
from regard.translator import Translator

ROWS, LENGTH, BEAM = 32_000, 25, 4
Ids = Sequence[Sequence[int]]
Decode = Callable[[Ids], float | None]
"""Translates; returns the seconds it took if they are not those that passed."""


def sentences(count: int, *, seed: int) -> list[list[int]]:
    """Sentences of `LENGTH` random pieces."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(UNK + 1, ROWS, (count, LENGTH), generator=generator).tolist()


class Words:
    """Stands for `Pieces` where only names are asked for."""

    def __len__(self) -> int:
        return ROWS

    def piece(self, i: int) -> str:
        """A name for a piece."""
        return ("<pad>", "</s>", "<s>", "<unk>")[i] if i <= UNK else f"w{i}"


def base() -> Any:
    """The base model with random parameters."""
    generator = torch.Generator().manual_seed(1)
    return build(TransformerConfig.base(), source_rows=ROWS, target_rows=ROWS, generator=generator)


def regard(batch: int, workers: int, *, bfloat16: bool = False) -> Decode:
    """Regard: workers are threads of one process, as `regard translate` has them."""
    model = base().bfloat16() if bfloat16 else base()
    options = SearchOptions(beam=BEAM, shortest=LENGTH, longest=LENGTH)
    translator = Translator(model, cast("Any", Words()), cast("Any", Words()), search=options)

    def decode(sources: Ids) -> None:
        at_once = len(sources) if workers > 1 else batch
        for start in range(0, len(sources), at_once):
            found = translator.find(sources[start : start + at_once])
            assert all(len(best.pieces) + best.ended == LENGTH for best, *_ in found)

    return decode


def for_ctranslate2(stored_as: str) -> dict[str, bytes]:
    """The base model as CTranslate2 keeps it."""
    words = cast("Any", Words())
    with tempfile.TemporaryDirectory() as folder:
        specification(base(), words, words, positions=64, stored_as=stored_as).save(folder)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


class AtLeast:
    """CTranslate2's translator with a least length, which ours refuses: its scores then differ."""

    def __init__(self, engine: Any):
        self.engine = engine

    def translate_batch(self, *rows: Any, **options: Any) -> Any:
        """The same, all of one length."""
        return self.engine.translate_batch(*rows, **options | {"min_decoding_length": LENGTH})


def through(_batch: int, _workers: int, *, stored_as: str) -> Decode:
    """Regard through CTranslate2, with its own batches and workers."""
    words = cast("Any", Words())
    made = Exported(files=for_ctranslate2(stored_as), stored_as=stored_as, positions=64, digest="")
    engine = CTranslate2(made, words, words)
    engine._engine = AtLeast(engine._engine)
    options = SearchOptions(beam=BEAM, penalty="none", longest=LENGTH)
    translator = Translator(base(), words, words, search=options, engine=engine)

    def decode(sources: Ids) -> None:
        found = translator.find(sources)
        assert all(len(best.pieces) + best.ended == LENGTH for best, *_ in found)

    return decode


def ctranslate2(batch: int, workers: int, *, stored_as: str) -> Decode:
    """CTranslate2, called plainly."""
    words = cast("Any", Words())
    translator = the_engine().Translator(
        "base", files=for_ctranslate2(stored_as),
        compute_type=stored_as, inter_threads=workers, intra_threads=2 // workers,
    )  # fmt: skip

    def decode(sources: Ids) -> None:
        results = translator.translate_batch(
            [[words.piece(i) for i in row] for row in sources],
            beam_size=BEAM, max_batch_size=batch,
            min_decoding_length=LENGTH, max_decoding_length=LENGTH,
        )  # fmt: skip
        assert all(len(result.hypotheses[0]) == LENGTH for result in results)

    return decode


def marian(batch: int, _workers: int) -> Decode:
    """transformers' MarianMTModel."""
    model = marian_model(TransformerConfig.base(), ROWS, longest=64, use_cache=True).eval()

    def decode(sources: Ids) -> None:
        for start in range(0, len(sources), batch):
            found = model.generate(  # pyright: ignore[reportCallIssue]
                torch.tensor(sources[start : start + batch]),
                num_beams=BEAM, min_new_tokens=LENGTH, max_new_tokens=LENGTH, do_sample=False,
            )  # fmt: skip
            assert found.shape[1] == LENGTH + 1

    return decode


def eole(batch: int, workers: int) -> Decode:
    """Eole's own program."""
    trained("eole", "eole", "train")
    return program("eole", ["eole", "predict", "-model_path", "model"], batch, workers)


def opennmt_py(batch: int, workers: int) -> Decode:
    """OpenNMT-py's own program."""
    trained("onmt", "onmt_train")
    return program("onmt", ["onmt_translate", "-model", "model_step_1.pt"], batch, workers)


def trained(name: str, *command: str) -> None:
    """Train a model of the base shape for one step at rate 0, unless it is there."""
    programs = install(name)
    place = programs.parent
    if list(place.glob("model*")):
        return
    words = [f"w{i}" for i in range(ROWS - UNK - 1)]
    (place / "words").write_text("".join(f"{word}\t1\n" for word in words))
    for side in ("src", "tgt"):
        (place / f"train.{side}").write_text(as_text(sentences(64, seed=2)))
    own = {
        "eole": {
            "training": {
                "model_path": "model", "world_size": 0, "gpu_ranks": [], "compute_dtype": "fp32",
                **STEP,
            },
            "model": {
                "architecture": "transformer",
                "embeddings": {
                    "word_vec_size": 512, "position_encoding_type": "SinusoidalInterleaved",
                },
                **SHAPE,
            },
        },
        "onmt": {
            "save_model": "model", "encoder_type": "transformer", "word_vec_size": 512,
            "decoder_type": "transformer", "position_encoding": True, **SHAPE, **STEP,
        },
    }  # fmt: skip
    told = {
        "src_vocab": "words", "tgt_vocab": "words", "share_vocab": True, "src_vocab_size": ROWS,
        "tgt_vocab_size": ROWS, "overwrite": True, "seed": 1,
        "data": {"text": {"path_src": "train.src", "path_tgt": "train.tgt"}}, **own[name],
    }  # fmt: skip
    (place / "train.yaml").write_text(json.dumps(told))  # JSON is YAML
    subprocess.run(
        [programs / command[0], *command[1:], "-config", "train.yaml"],
        cwd=place, check=True, capture_output=True,
    )  # fmt: skip


SHAPE = {
    "hidden_size": 512, "transformer_ff": 2048, "layers": 6, "heads": 8,
    "share_embeddings": True, "share_decoder_embeddings": True,
}  # fmt: skip
STEP = {
    "batch_type": "sents", "batch_size": 8, "train_steps": 1, "save_checkpoint_steps": 1,
    "valid_steps": 100, "num_workers": 0, "optim": "adam", "learning_rate": 0.0,
}  # fmt: skip


def program(name: str, command: Sequence[str], batch: int, workers: int) -> Decode:
    """Another program's own command, as many at once as there are workers."""
    programs = install(name)
    place = programs.parent
    environ = {
        **os.environ,
        "OMP_NUM_THREADS": str(2 // workers),
        "MKL_NUM_THREADS": str(2 // workers),
        "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD": "1",  # OpenNMT-py's checkpoint holds its options
    }
    environ.pop("PYTHONPATH", None)

    options = [
        "-beam_size", BEAM, "-batch_size", batch, "-min_length", LENGTH, "-max_length", LENGTH,
        "-report_time",
    ]  # fmt: skip

    def begin(i: int) -> subprocess.Popen[str]:
        arguments = [*command[1:], "-src", f"{i}.src", "-output", f"{i}.out", *options]
        return subprocess.Popen(
            [programs / command[0], *map(str, arguments)],
            cwd=place,
            env=environ,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def decode(sources: Ids) -> float:
        for i in range(workers):
            (place / f"{i}.src").write_text(as_text(sources[i::workers]))
        started = [begin(i) for i in range(workers)]
        return max(reported(process.communicate()[0]) for process in started)

    return decode


def reported(said: str) -> float:
    """The seconds that a program says it took: in all, or for the first step and the others."""
    times = re.findall(
        r"(?:Total translation|Step 0|Subsequent prediction) time[^:]*: ([\d.]+)", said
    )
    if not times:
        raise RuntimeError(f"no time in: {said[-2000:]}")
    return sum(map(float, times))


def as_text(rows: Ids) -> str:
    """Ids as words."""
    return "".join(" ".join(f"w{i - UNK - 1}" for i in row) + "\n" for row in rows)


CONTENDERS: dict[str, Callable[[int, int], Decode]] = {
    "regard": regard,
    "regard bfloat16": partial(regard, bfloat16=True),
    "regard through ctranslate2 float32": partial(through, stored_as="float32"),
    "regard through ctranslate2 int8": partial(through, stored_as="int8"),
    "ctranslate2 float32": partial(ctranslate2, stored_as="float32"),
    "ctranslate2 int8": partial(ctranslate2, stored_as="int8"),
    "marian": marian,
    "eole": eole,
    "opennmt-py": opennmt_py,
}
