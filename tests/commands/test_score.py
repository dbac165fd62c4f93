"""regard score: given translations -> how likely they are."""

import json
import math

import pytest
import torch

from regard.commands import run
from regard.data.batch import Batch, Sentences
from regard.text.pieces import BOS, EOS
from regard.translator import Translator

SOURCES = ["the cat sleeps", "the dog runs", "", "the mouse"]
TARGETS = ["Katze schläft", "Hund läuft", "Vogel", ""]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, texts in {"source": SOURCES, "target": TARGETS, "short": TARGETS[:3]}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def translator(tiny_run):
    return Translator.load(tiny_run)


@torch.no_grad()
def by_the_whole_distribution(translator, source: list[int], target: list[int]) -> list[float]:
    """What softmax says of each piece, one pair alone and without padding."""
    batch = Batch(
        *(Sentences.of([row]) for row in ([*source, EOS], [BOS, *target], [*target, EOS]))
    )
    shares = translator.model(batch)[0].double().softmax(-1)
    return [math.log(shares[i, piece]) for i, piece in enumerate([*target, EOS])]


def scored(capsys, *arguments) -> list[list[str]]:
    assert run(["score", *map(str, arguments)]) == 0
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()]


def test_each_line_has_the_sum_of_its_pieces(files, tiny_run, translator, capsys):
    out = scored(capsys, tiny_run, "--source", "source", "--target", "target", "--json", "out.json")
    assert len(out) == len(SOURCES)
    total = count = 0
    for (log_prob, length, mean, each), source, target in zip(out, SOURCES, TARGETS, strict=True):
        ids = translator.target.split(target)
        wanted = by_the_whole_distribution(translator, translator.source.split(source), ids)
        values = [float(part.rpartition("=")[2]) for part in each.split(" ")]
        names = [part.rpartition("=")[0] for part in each.split(" ")]
        assert names == [translator.target.piece(i) for i in [*ids, EOS]]
        assert values == pytest.approx(wanted, abs=2e-4)
        assert float(log_prob) == pytest.approx(sum(wanted), abs=2e-4)
        assert int(length) == len(wanted)
        assert float(mean) == pytest.approx(sum(wanted) / len(wanted), abs=2e-4)
        total, count = total + sum(wanted), count + len(wanted)
    figures = json.loads((files / "out.json").read_text())
    assert figures["pieces"] == count
    assert figures["translations"] == len(SOURCES)
    assert figures["perplexity"] == pytest.approx(math.exp(-total / count), rel=1e-4)


def test_pieces_are_taken_as_they_are(files, tiny_run, translator, capsys):
    """Another split of the same text is another hypothesis, with a probability of its own."""
    pieces = translator.target
    names = [pieces.piece(i) for i in range(4 + 256, len(pieces))]
    name, cut = next(
        (name, cut)
        for name in names
        for cut in range(1, len(name))
        if pieces.id(name[:cut]) and pieces.id(name[cut:]) and name.startswith("▁")
    )
    other = [pieces.id(part) for part in (name[:cut], name[cut:])]
    canonical = pieces.split(pieces.join(other))
    assert canonical != other
    lines = [" ".join(map(translator.target.piece, ids)) for ids in (canonical, other)]
    (files / "two").write_text("the cat\nthe cat\n")
    (files / "pieces").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    out = scored(capsys, tiny_run, "--source", "two", "--target", "pieces", "--pieces")
    for (log_prob, *_), ids in zip(out, (canonical, other), strict=True):
        wanted = by_the_whole_distribution(translator, translator.source.split("the cat"), ids)
        assert float(log_prob) == pytest.approx(sum(wanted), abs=2e-4)


def test_neighbours_change_nothing(files, tiny_run, capsys):
    together = scored(capsys, tiny_run, "--source", "source", "--target", "target")
    for source, target, line in zip(SOURCES, TARGETS, together, strict=True):
        (files / "one").write_text(f"{source}\n")
        (files / "other").write_text(f"{target}\n", encoding="utf-8")
        assert scored(capsys, tiny_run, "--source", "one", "--target", "other") == [line]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "source", "--target", "short"], "source has 4 lines but short has 3"),
        (["--source", "source", "--target", "nosuch"], "nosuch cannot be read"),
        (["--source", "empty", "--target", "empty"], "empty is empty; give at least one"),
        (["--source", "source", "--target", "target", "--pieces"], "target, line 1: 'Katze' is no"),
        (["--source", "one", "--target", "special", "--pieces"], "special, line 1: '</s>' is no"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_one_line(files, tiny_run, capsys, arguments, message):
    (files / "empty").write_text("")
    (files / "one").write_text("the cat\n")
    (files / "special").write_text("</s>\n")
    assert run(["score", str(tiny_run), *arguments, "--output", "out"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err
    assert not (files / "out").exists()
