"""events -> one JSON object a line, and TensorBoard's curves."""

import json
import time

import pytest

from regard.errors import DiskError
from regard.train.record import Curves, Record, listeners


def events(run):
    *lines, rest = (run / "record.jsonl").read_bytes().split(b"\n")
    assert rest == b""
    return [json.loads(line) for line in lines]


def test_every_event_is_a_line_with_its_time(tmp_path):
    record = Record(tmp_path / "new" / "run")
    before = time.time()
    record({"event": "start", "run": "Größe\u2028\n"})
    record({"event": "update", "step": 1, "loss": 1 / 3})
    first, second = events(tmp_path / "new" / "run")
    assert before - 0.001 <= first.pop("time") <= second.pop("time") <= time.time() + 0.001
    assert first == {"event": "start", "run": "Größe\u2028\n"}
    assert second == {"event": "update", "step": 1, "loss": 1 / 3}


def test_a_run_that_goes_on_adds_to_its_record(tmp_path):
    for step in (1, 2):
        Record(tmp_path)({"event": "update", "step": step})
    assert [event["step"] for event in events(tmp_path)] == [1, 2]


def test_a_line_that_was_cut_off_spoils_no_other(tmp_path):
    (tmp_path / "record.jsonl").write_text('{"event": "start"}\n{"event": "upd')
    Record(tmp_path)({"event": "end"})
    lines = (tmp_path / "record.jsonl").read_text().splitlines()
    assert lines[1] == '{"event": "upd'
    assert [json.loads(lines[i])["event"] for i in (0, 2)] == ["start", "end"]
    assert len(lines) == 3


def test_a_name_that_is_not_unicode_can_be_told(tmp_path):
    Record(tmp_path)({"event": "start", "run": "caf\udce9"})
    assert events(tmp_path)[0]["run"] == "caf\udce9"


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for run in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(DiskError, match=r"file.*record\.jsonl cannot be written"):
            Record(run)({"event": "end"})


def test_nothing_is_written_before_something_happens(tmp_path):
    listeners(tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_tensorboard_shows_the_numbers_of_an_event(tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    curves = Curves(tmp_path)
    curves({"event": "data", "total": 5})  # belongs to no update
    for step in (1, 2, 3):
        curves({"event": "update", "step": step, "loss": step / 4, "best": True, "name": "x"})
    curves({"event": "validation", "step": 3, "example": {"source": "a", "translation": "b"}})
    seen = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert seen.Tags()["scalars"] == ["update/loss"]
    found = [(scalar.step, scalar.value) for scalar in seen.Scalars("update/loss")]
    assert found == [(1, 0.25), (2, 0.5), (3, 0.75)]
    told = seen.Tensors("validation/example/text_summary")[0].tensor_proto.string_val[0]
    assert told == b"source: a  \ntranslation: b"


def test_tensorboard_that_cannot_write_says_so_as_the_record_does(tmp_path):
    pytest.importorskip("tensorboard")
    (tmp_path / "tensorboard").write_text("")
    with pytest.raises(DiskError, match=r"tensorboard cannot be written"):
        Curves(tmp_path)({"event": "update", "step": 1, "loss": 0.5})


def test_listeners_write_both(tmp_path):
    pytest.importorskip("tensorboard")
    for listener in listeners(tmp_path):
        listener({"event": "update", "step": 1, "loss": 0.5})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["record.jsonl", "tensorboard"]
