"""What goes wrong in a long training, brought about on purpose."""

import errno
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
import torch
from small_training import files, notes, recipe, run, write_recipe

from regard.checkpoint import checkpoints, load
from regard.errors import DiskError, NotFiniteError, OutOfMemoryError
from regard.train import step
from regard.train.loss import Loss
from regard.train.record import Record


def spoiled(monkeypatch, factors):
    """The loss of the n-th batch that is learnt from, times a factor."""
    calls = iter(range(1, 1000))
    real = step.batch_loss

    def batch_loss(*arguments, **options):
        loss = real(*arguments, **options)
        if not torch.is_grad_enabled():
            return loss
        factor = factors.get(next(calls), 1.0)
        return Loss(loss.smoothed * factor, loss.unsmoothed * factor)

    monkeypatch.setattr(step, "batch_loss", batch_loss)


def everything_is_finite(folder: Path) -> bool:
    for path in checkpoints(folder):
        found = load(path)
        for tensor in [*found.parameters.values(), *found.training.values()]:
            assert not tensor.is_floating_point() or tensor.isfinite().all()
        json.loads((path / "state.json").read_text(), parse_constant=pytest.fail)
    return True


@pytest.mark.parametrize("factor", [math.nan, math.inf])
def test_a_step_that_is_not_finite_is_not_taken(corpus, monkeypatch, factor):
    spoiled(monkeypatch, {3: factor, 7: factor, 8: factor})
    outcome, events = run(recipe(corpus), corpus / "run")
    assert outcome.reason == "updates"
    assert everything_is_finite(corpus / "run")
    state = load(checkpoints(corpus / "run")[-1]).state
    assert (state["skipped"], state["in_a_row"]) == (3, 0)
    assert re.search(
        r"update 7: the loss is (nan|inf) .* saw pairs \d+, .* not taken", notes(events)
    )


def test_too_many_in_a_row_end_the_run_by_name(corpus, monkeypatch):
    spoiled(monkeypatch, dict.fromkeys(range(6, 100), math.nan))
    with pytest.raises(NotFiniteError, match=r"update 8: .* saw pairs \d+.*\(3 in a row\)") as e:
        run(recipe(corpus, training__nonfinite=3), corpus / "run")
    assert e.value.exit_code == 3
    assert [path.name[-1] for path in checkpoints(corpus / "run")] == ["4"]
    assert everything_is_finite(corpus / "run")


@pytest.mark.parametrize("factor", [1e9, 1e30, 1e60])
def test_a_rate_that_is_far_too_high_writes_no_number_that_is_none(corpus, factor):
    told = recipe(corpus, training__factor=factor, training__nonfinite=20, training__updates=40)
    with suppress(NotFiniteError):
        run(told, corpus / "run", Record(corpus / "run"))
    assert everything_is_finite(corpus / "run")
    for line in (corpus / "run" / "record.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=pytest.fail)


def test_a_gradient_out_of_all_proportion_is_told(corpus, monkeypatch):
    spoiled(monkeypatch, {9: 1000.0})
    _, events = run(recipe(corpus), corpus / "run")
    assert re.search(
        r"update 9: the gradient is \d{3,4} times as long as usual \(1 such", notes(events)
    )
    assert load(checkpoints(corpus / "run")[-1]).state["spikes"] == 1


def full(monkeypatch, times, part="checkpoints"):
    """A disk that has no room left for some of the files in a part of the run."""
    calls = iter(range(1, 10_000))
    real = os.fsync

    def fsync(descriptor):
        place = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        if part in place and next(calls) in times:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)


def test_learning_goes_on_when_a_checkpoint_finds_no_room(corpus, monkeypatch):
    run(recipe(corpus), corpus / "straight")
    full(monkeypatch, {9})  # in the second checkpoint
    outcome, events = run(recipe(corpus), corpus / "run")
    assert outcome.reason == "updates"
    assert re.search(
        r"step-00000008 cannot be written: No space left on device; it needs [\d,]+ bytes, [\d,]+"
        r" are free there; learning goes on",
        notes(events),
    )
    assert [path.name[-2:] for path in checkpoints(corpus / "run")] == ["04", "12"]
    straight, late = (load(checkpoints(corpus / name)[-1]) for name in ("straight", "run"))
    for name, parameter in straight.parameters.items():
        assert torch.equal(parameter, late.parameters[name])


def test_the_last_checkpoint_that_finds_no_room_ends_the_run(corpus, monkeypatch):
    full(monkeypatch, range(17, 10_000))
    with pytest.raises(
        DiskError, match=r"step-00000012 cannot be written: No space left"
    ) as caught:
        run(recipe(corpus), corpus / "run")
    assert caught.value.exit_code == 5
    assert [path.name[-2:] for path in checkpoints(corpus / "run")] == ["04", "08"]
    monkeypatch.undo()
    outcome, _ = run(recipe(corpus), corpus / "run")
    assert outcome.reason == "updates"


@pytest.mark.parametrize("call", [1, 6, 7, 8])
def test_a_store_that_finds_no_room_is_built_the_next_time(corpus, monkeypatch, call):
    full(monkeypatch, {call}, part="store")
    with pytest.raises(DiskError, match="store cannot be written: No space left on device; make"):
        run(recipe(corpus), corpus / "run")
    assert [path.name for path in (corpus / "run").iterdir()] == ["lock"]
    outcome, _ = run(recipe(corpus), corpus / "run")
    assert outcome.reason == "updates"


def test_a_record_that_cannot_be_written_is_no_reason_to_stop(corpus):
    def no_room(_event):
        raise DiskError("record.jsonl cannot be written: No space left on device")

    outcome, events = run(recipe(corpus), corpus / "run", no_room)
    assert outcome.reason == "updates"
    assert notes(events).count("learning goes on without it") == 1


def test_memory_that_does_not_suffice_names_the_batch(corpus, monkeypatch):
    def batch_loss(*_arguments, **_options):
        raise RuntimeError(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"
        )

    monkeypatch.setattr(step, "batch_loss", batch_loss)
    with pytest.raises(
        OutOfMemoryError, match=r"a batch of \d+ pieces .*lower training\.batch \(100\)"
    ):
        run(recipe(corpus), corpus / "run")


@pytest.fixture
def folder(corpus):
    write_recipe(
        corpus,
        model__dropout=0.2,
        training__updates=96,
        training__accumulate=2,
        validation__every=8,
    )
    return corpus


def command(folder, name, *settings):
    words = [word for setting in settings for word in ("--set", setting)]
    return [sys.executable, "-m", "regard", "train", "told.toml", "--run", name, *words]


def start(folder, name, *settings, **options):
    return subprocess.Popen(
        command(folder, name, *settings), cwd=folder, stderr=subprocess.PIPE, **options
    )


def finish(folder, name, *settings):
    done = subprocess.run(
        command(folder, name, *settings), cwd=folder, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.timeout(500)
def test_killed_at_25_random_moments_it_ends_with_the_same_bytes(folder):
    begun = time.monotonic()
    finish(folder, "straight")
    whole = time.monotonic() - begun
    chance = random.Random(1)
    kills, runs = 0, 0
    while kills < 25:
        name = f"run{runs}"
        process = start(folder, name, stdout=subprocess.DEVNULL)
        try:
            process.wait(chance.uniform(0.3, 1.2) * whole)
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.stderr.close()
        if process.wait() == 0:
            compare(folder, name)
            runs += 1
    finish(folder, f"run{runs}")
    compare(folder, f"run{runs}")


def compare(folder, name):
    for part in ("checkpoints/step-00000096", "average"):
        assert files(folder / name / part) == files(folder / "straight" / part)


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def has_happened(folder, event) -> bool:
    record = folder / "run" / "record.jsonl"
    return record.exists() and f'"event": "{event}"' in record.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)])
def test_asked_to_end_it_saves_soon(folder, number, code):
    process = start(folder, "run", "training.updates=100_000", "validation.every=50_000")
    until(lambda: has_happened(folder, "update"))
    process.send_signal(getattr(signal, number))
    begun = time.monotonic()
    _, told = process.communicate(timeout=30)
    assert time.monotonic() - begun < 5
    assert process.returncode == code
    saved = int(re.search(rb"saved at update (\d+); the same command goes on", told)[1])
    assert [load(path).state["step"] for path in checkpoints(folder / "run")] == [saved]
    assert b"Traceback" not in told


@pytest.mark.slow
def test_a_log_that_finds_no_room_is_no_reason_to_stop(folder):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(folder, "run"), cwd=folder, check=False, stderr=full, stdout=subprocess.PIPE
        )
    assert done.returncode == 0
    assert b"try: regard translate run" in done.stdout


def write_long_lines(folder):
    lines = [" ".join(["red green blue cat"] * 9)] * 20_000
    (folder / "train.tsv").write_text("".join(f"{line}\t{line}\n" for line in lines))


@pytest.mark.slow
def test_a_second_signal_ends_at_once(folder):
    """In the midst of a batch that takes long; the first is only heard."""
    write_long_lines(folder)
    process = start(
        folder, "run", "training.batch=100_000", "model.d_model=256", "model.d_ff=2048",
        "data.longest=200",
    )  # fmt: skip
    until(lambda: has_happened(folder, "start"))
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    begun = time.monotonic()
    process.communicate(timeout=30)
    assert time.monotonic() - begun < 2
    assert process.returncode == -signal.SIGTERM


def has_something(path) -> bool:
    return path.exists() and bool(path.read_text())


@pytest.mark.slow
def test_signals_while_pieces_are_learnt_end_at_once(folder):
    lines = [f"{a} {b} {c}\t{c} {b} {a}" for a in WORDS for b in WORDS for c in WORDS]
    (folder / "train.tsv").write_text("\n".join(lines * 20) + "\n")
    for number in (signal.SIGINT, signal.SIGTERM):
        process = start(folder, "run", "pieces.size=2000")
        until(lambda: has_something(folder / "run" / "lock"))
        time.sleep(0.5)
        process.send_signal(number)
        begun = time.monotonic()
        process.communicate(timeout=30)
        assert time.monotonic() - begun < 5
        assert process.returncode in (-number, 128 + number)  # a shell says 130 and 143 to both
        assert not (folder / "run" / "checkpoints").exists()


WORDS = ["".join(random.Random(i).choices("abcdefghijklmnop", k=7)) for i in range(28)]


@pytest.mark.slow
def test_a_batch_that_does_not_fit_ends_with_advice(folder):
    def little_memory():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    write_long_lines(folder)
    process = start(
        folder, "run", "training.batch=400_000", "model.d_ff=2048", "data.longest=200",
        preexec_fn=little_memory,
    )  # fmt: skip
    _, told = process.communicate(timeout=120)
    assert process.returncode == 6
    assert re.search(rb"regard: update 1: a batch of [\d,]+ pieces .* lower training.batch", told)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.3, 0.8])
def test_killed_while_its_text_is_stored_it_ends_with_the_same_bytes(folder, moment):
    lines = [f"{a} {b} {c}\t{c} {b} {a}" for a in WORDS for b in WORDS for c in WORDS]
    (folder / "train.tsv").write_text("\n".join(lines[:4000]) + "\n")
    short = "training.updates=2", "validation.every=2", "training.average=0"
    process = start(folder, "straight", *short)
    until(lambda: has_something(folder / "straight" / "lock"))
    claimed = time.monotonic()
    until((folder / "straight" / "store").exists)
    building = time.monotonic() - claimed
    assert process.wait(120) == 0
    process.stderr.close()
    left = start(folder, "run", *short)
    until(lambda: has_something(folder / "run" / "lock"))
    time.sleep(moment * building)
    left.kill()
    left.wait()
    left.stderr.close()
    finish(folder, "run", *short)
    assert not list((folder / "run").glob(".store.*"))
    for part in ("checkpoints/step-00000002", "store"):
        assert files(folder / "run" / part) == files(folder / "straight" / part)
