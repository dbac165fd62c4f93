"""checkpoints -> their mean."""

from dataclasses import replace

import pytest
import torch

from regard.checkpoint import Checkpoint, average, load, save
from regard.errors import CheckpointError
from regard.text.pieces import Pieces

PIECES = Pieces.learn(["the cat sleeps"], size=280)


@pytest.fixture
def written(tmp_path):
    def write(name: str, **changes):
        first = Checkpoint(
            parameters={"a": torch.ones(2, 3), "b": torch.zeros(5)},
            source=PIECES,
            target=PIECES,
            recipe={"model": {"heads": 2}, "training": {"updates": 5}},
            state={"step": 7, "seen": 11},
            training={"random/torch": torch.get_rng_state()},
        )
        save(tmp_path / name, replace(first, **changes))
        return tmp_path / name

    return write


def test_the_mean_is_summed_in_float64(written):
    values = [[1e8, 3.0], [-1e8, 4.0], [1.0, 7.0]]  # in float32, 1 + 1e8 is 1e8
    folders = [
        written(f"step-{i}", parameters={"a": torch.tensor(row)}) for i, row in enumerate(values)
    ]
    mean = average(folders)
    assert mean.parameters["a"].dtype == torch.float32
    assert torch.equal(mean.parameters["a"], torch.tensor([1 / 3, 14 / 3]))
    assert mean.state == {"step": 7, "average_of": ["step-0", "step-1", "step-2"]}
    assert mean.training == {}
    assert [load(folder).parameters["a"].tolist() for folder in folders] == values


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_the_mean_has_the_kind_of_number_of_its_parts(written, dtype):
    folders = [written(f"{v}", parameters={"a": torch.full((2,), v, dtype=dtype)}) for v in (1, 4)]
    assert average(folders).parameters["a"].dtype == dtype
    assert average(folders).parameters["a"].tolist() == [2.5, 2.5]


def test_the_mean_of_one_is_itself(written):
    parameters = {"a": torch.randn(3, 5)}
    assert torch.equal(average([written("x", parameters=parameters)]).parameters["a"],
                       parameters["a"])  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters": {"a": torch.ones(3, 2), "b": torch.zeros(5)}},
        {"parameters": {"a": torch.ones(2, 3)}},
        {"parameters": {"a": torch.ones(2, 3), "b": torch.zeros(5), "c": torch.zeros(1)}},
        {"recipe": {"model": {"heads": 1}}},
        {"target": Pieces.learn(["ein Hund läuft"], size=280)},
    ],
)
def test_checkpoints_of_different_models_have_no_mean(written, changes):
    for folders in (
        [written("a"), written("b", **changes)],
        [written("b", **changes), written("a")],
    ):
        with pytest.raises(CheckpointError, match="are not of one model"):
            average(folders)


def test_how_long_they_learnt_may_differ(written):
    other = written("b", recipe={"model": {"heads": 2}, "training": {"updates": 9}})
    assert torch.equal(average([written("a"), other]).parameters["a"], torch.ones(2, 3))


def test_there_must_be_one(tmp_path):
    with pytest.raises(CheckpointError, match="no checkpoint to average"):
        average([])
    with pytest.raises(CheckpointError, match=r"missing/manifest\.json cannot be read"):
        average([tmp_path / "missing"])
