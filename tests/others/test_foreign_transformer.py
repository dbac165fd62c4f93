"""A Transformer that OpenNMT-tf trained, in our parts: CTranslate2's recorded answers come out.

It transliterates Arabic names; CTranslate2's repository has it, in the folder
tests/data/models/v2/aren-transliteration. REGARD_FOREIGN names a folder with that model as `v2` and
`reference.jsonl`: a line for each word, with the answers and log-probabilities of greedy and beam
search. It differs from ours in what is set here: pre-norm with CTranslate2's epsilon, an output
with a bias, places that count from 1, no sign for the end of the source.
"""

import json
import math
import os
import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
import torch
from torch import nn

from regard.data.batch import Batch, Sentences
from regard.layers import Sinusoids
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.models.transformer import DecoderLayer, Transformer
from regard.search import AtLeast, SearchOptions, Step, beam_search
from regard.text.pieces import BOS, EOS, PAD, UNK

FOLDER = Path(os.environ.get("REGARD_FOREIGN", "nowhere"))
pytestmark = pytest.mark.skipif(
    not (FOLDER / "reference.jsonl").exists(), reason="REGARD_FOREIGN names no such folder"
)


class FromOne(Sinusoids):
    """The first place is 1."""

    def forward(self, x, start=0):
        return super().forward(x, start + 1)


def number(file: BinaryIO, kind: str) -> int:
    return struct.unpack(f"<{kind}", file.read(struct.calcsize(kind)))[0]


def word(file: BinaryIO) -> str:
    return file.read(number(file, "H")).rstrip(b"\0").decode()


def read(path: Path) -> dict[str, torch.Tensor]:
    """The variables of a model in CTranslate2's binary format, version 2, float32."""
    with path.open("rb") as file:
        assert (number(file, "I"), word(file), number(file, "I")) == (2, "TransformerBase", 2)
        found = {}
        for _ in range(number(file, "I")):
            name = word(file)
            shape = [number(file, "I") for _ in range(number(file, "B"))]
            size, items = number(file, "B"), number(file, "I")
            assert size == 4
            values = np.frombuffer(file.read(size * items), dtype="<f4").reshape(shape)
            found[name] = torch.from_numpy(values.copy())
        assert not file.read()
    return found


def ids_of(path: Path) -> dict[str, int]:
    """Where each piece stands with us: their begin and end are their 1 and 2, ours BOS and EOS."""
    words = path.read_text(encoding="utf-8").split("\n")
    ours = {"<blank>": PAD, "</s>": EOS, "<s>": BOS}
    return {each: ours.get(each, place) for place, each in enumerate(words) if each}


def rows(table: torch.Tensor) -> torch.Tensor:
    """Their rows in our order."""
    order = list(range(len(table)))
    order[EOS], order[BOS] = 2, 1
    return table[order]


class Filler:
    """Parameters by their names."""

    def __init__(self, variables: dict[str, torch.Tensor]):
        self.variables = variables

    def linear(self, name: str, linear: nn.Linear) -> None:
        linear.weight.data = self.variables.pop(f"{name}/weight")
        linear.bias.data = self.variables.pop(f"{name}/bias")

    def norm(self, name: str, norm: nn.LayerNorm) -> None:
        norm.weight.data = self.variables.pop(f"{name}/gamma")
        norm.bias.data = self.variables.pop(f"{name}/beta")
        norm.eps = 1e-5

    def attention(self, name: str, attention, around, count: int) -> None:
        parts = [f"{name}/linear_{i}" for i in range(count)]
        for part in ("weight", "bias"):
            joined = torch.cat([self.variables.pop(f"{each}/{part}") for each in parts])
            getattr(attention.into_heads, part).data = joined
        self.linear(f"{name}/linear_{count}", attention.out_of_heads)
        self.norm(f"{name}/layer_norm", around.norm)

    def layer(self, name: str, layer) -> None:
        self.attention(f"{name}/self_attention", layer.attention, layer.around_attention, 1)
        if isinstance(layer, DecoderLayer):
            self.attention(f"{name}/attention", layer.memory_attention, layer.around_memory, 2)
        self.linear(f"{name}/ffn/linear_0", layer.feed_forward.widen)
        self.linear(f"{name}/ffn/linear_1", layer.feed_forward.narrow)
        self.norm(f"{name}/ffn/layer_norm", layer.around_network.norm)


@pytest.fixture(scope="module")
def model() -> Transformer:
    variables = read(FOLDER / "v2" / "model.bin")
    assert sum(values.numel() for values in variables.values()) >= 182_731
    shape = TransformerConfig(
        d_model=32, d_ff=128, heads=8, encoder_layers=6, decoder_layers=6, norm="pre",
        positions="halves", tie="none", dropout=0.0,
    )  # fmt: skip
    tables = variables.pop("encoder/embeddings/weight"), variables.pop("decoder/embeddings/weight")
    model = build(shape, source_rows=len(tables[0]), target_rows=len(tables[1]))
    model.positions = FromOne(32, "halves")
    model.source_embedding.table.weight.data = rows(tables[0])
    model.target_embedding.table.weight.data = rows(tables[1])
    model.output = nn.Linear(32, len(tables[1]))
    filler = Filler(variables)
    for part in ("weight", "bias"):
        variables[f"decoder/projection/{part}"] = rows(variables[f"decoder/projection/{part}"])
    filler.linear("decoder/projection", model.output)
    for side in ("encoder", "decoder"):
        for i, layer in enumerate(getattr(model, side)):
            filler.layer(f"{side}/layer_{i}", layer)
        filler.norm(f"{side}/layer_norm", getattr(model, f"{side}_norm"))
    assert not [name for name, values in variables.items() if values.numel() > 1]
    return model.eval()


@pytest.fixture(scope="module")
def recorded() -> list[dict]:
    lines = (FOLDER / "reference.jsonl").read_text(encoding="utf-8").split("\n")
    found = [json.loads(line) for line in lines if line]
    assert len(found) == 90
    return found


@pytest.fixture(scope="module")
def vocabularies() -> list[dict[str, int]]:
    return [ids_of(FOLDER / "v2" / f"{side}_vocabulary.txt") for side in ("source", "target")]


def source_of(vocabulary: dict[str, int], text: str) -> list[int]:
    unknown = max(vocabulary.values()) + 1  # CTranslate2 puts <unk> last
    return [vocabulary.get(each, unknown) for each in text.split()]


@torch.no_grad()
def test_every_recorded_log_probability(model, recorded, vocabularies):
    for each in recorded:
        source = source_of(vocabularies[0], each["source"])
        target = [vocabularies[1][piece] for piece in each["greedy"].split()]
        sides = (source, [BOS, *target], [*target, EOS])
        log_probs = model.log_probs(Batch(*(Sentences.of([side]) for side in sides)))[0]
        wanted = torch.tensor(each["greedy_token_logprobs"])
        torch.testing.assert_close(log_probs[: len(wanted)], wanted, atol=1e-4, rtol=0)


class FourEnded:
    """What CTranslate2 answers: it stops as soon as four have ended, whatever could still come."""

    def __init__(self):
        self.going = [[]]
        self.ended = []

    def __call__(self, step: Step) -> None:
        if len(self.ended) >= 4:
            return
        parents, pieces, log_probs = (
            x[0].tolist() for x in (step.parents, step.pieces, step.log_probs)
        )
        weighed = [
            ([*self.going[parent], piece], log_prob)
            for parent, piece, log_prob in zip(parents, pieces, log_probs, strict=True)
        ]
        self.ended += [(ids, log_prob) for ids, log_prob in weighed[:4] if ids[-1] == EOS]
        self.going = [ids for ids, _ in weighed if ids[-1] != EOS][:4]

    def best(self) -> list[tuple[list[int], float]]:
        return sorted(self.ended, key=lambda one: -one[1])[:4]


@torch.no_grad()
def test_the_recorded_four_best(model, recorded, vocabularies):
    options = SearchOptions(beam=4, best=4, penalty="none", longest=250)
    spelling = {place: piece for piece, place in vocabularies[1].items()}
    assert UNK in spelling  # it is an ordinary piece there
    better = 0
    for each in recorded:
        source = Sentences.of([source_of(vocabularies[0], each["source"])])
        state = model.start(model.encode(source))
        first, _ = model.step(torch.tensor([BOS]), state)
        # CTranslate2 forbids an empty answer: the first piece's chances are shared by the others
        shared = math.log1p(-float(first[0].softmax(-1)[EOS]))
        theirs = FourEnded()
        rules, limits = [AtLeast(2)], torch.tensor([250])
        (ours,) = beam_search(model, state, limits, options, rules=rules, observer=theirs)

        texts = [" ".join(spelling[i] for i in ids[:-1]) for ids, _ in theirs.best()]
        assert texts == each["beam4"]
        wanted = np.array(each["beam4_logprob"])
        scores = np.array([log_prob for _, log_prob in theirs.best()]) - shared
        np.testing.assert_allclose(scores, wanted, atol=1e-4, rtol=0)

        # and ours, that goes on until none could be among the four, are as good or better
        gains = np.array([one.log_prob for one in ours]) - shared - wanted
        assert abs(gains[0]) < 1e-4
        assert (gains > -1e-4).all()
        better += gains.max() > 1e-4
    assert 0 < better <= 10
