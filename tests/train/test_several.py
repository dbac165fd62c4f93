"""Two processes that learn as one, on this machine."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from small_training import write_recipe

from regard.checkpoint import checkpoints, load

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def folder(corpus):
    write(corpus)
    return corpus


def write(folder, *, dropout=0.0, updates=12):
    write_recipe(
        folder,
        model__dropout=dropout,
        training__updates=updates,
        training__accumulate=4,
        validation__every=6,
    )


def start(folder, name, *, processes, settings=(), program=("-m", "regard")):
    words = [word for setting in settings for word in ("--set", setting)]
    words = words if name == "runs/told" else ["--run", name, *words]
    begin = [sys.executable]
    if processes > 1:  # what torchrun is; it would take our --run for its own without the --
        begin += ["-m", "torch.distributed.run", "--nproc-per-node", str(processes)]
        if words:
            program = ("-m", "--", program[1]) if program[0] == "-m" else ("--", *program)
    return subprocess.Popen(
        [*begin, *program, "train", "told.toml", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def learn(folder, name, *, processes, settings=()):
    process = start(folder, name, processes=processes, settings=settings)
    told, _ = process.communicate(timeout=200)
    assert process.returncode == 0, told
    return told.decode()


def losses(folder, name):
    lines = (folder / name / "record.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    return [event["loss"] for event in events if event["event"] == "update"]


def test_two_learn_what_one_learns_of_the_same_batches(folder):
    told = learn(folder, "runs/told", processes=2)
    assert "by 2 processes" in told
    assert told.count("try: regard translate runs/told") == 1
    learn(folder, "one", processes=1)
    assert losses(folder, "runs/told") == pytest.approx(losses(folder, "one"), rel=1e-5)
    one, two = (load(checkpoints(folder / name)[-1]) for name in ("one", "runs/told"))
    assert one.state["seen"] == two.state["seen"]
    assert one.state["best"]["bleu"] == two.state["best"]["bleu"]


GRADIENTS = """
import numpy as np
import torch
from regard.data.batch import Batch
from regard.data.examples import Examples, Ragged
from regard.models.build import build
from regard.models.config import TransformerConfig
from regard.train.several import several
from regard.train.step import Learner, update

class Watch(torch.optim.SGD):
    def step(self):
        self.seen = [p.grad.clone() for p in self.param_groups[0]["params"]]

def gradients(learner_of, batches):
    config = TransformerConfig(d_model=10, d_ff=14, heads=2, encoder_layers=1, decoder_layers=1,
                               dropout=0.0)
    generator = torch.Generator().manual_seed(3)
    model = build(config, source_rows=19, target_rows=19, generator=generator).double()
    watch = Watch(model.parameters(), lr=0.0)
    result = update(learner_of(model, label_smoothing=0.1), batches, watch, rate=0.0)
    return result, watch.seen

random = np.random.default_rng(1)
lengths = (2, 3, 5, 7, 11, 1, 4, 6)
rows = [[*random.integers(4, 19, size=length).tolist(), 1] for length in lengths]
examples = Examples(Ragged.of(rows), Ragged.of(rows[::-1]))
cuts = [[0], [1, 2, 3], [4, 5], [6, 7]]
batches = [Batch.of(examples, np.array(cut)) for cut in cuts]
expected, alone = gradients(Learner, [Batch.of(examples, np.arange(8))])
with several(torch.device("cpu")) as group:
    assert group.size == 2
    found, together = gradients(group.learner, group.share(batches))
for a, b in zip(together, alone, strict=True):
    torch.testing.assert_close(a, b, atol=1e-12, rtol=0)
assert abs(found.loss - expected.loss) < 1e-12
assert found.pieces == expected.pieces
print("alike", flush=True)
"""


def test_two_processes_make_the_gradients_of_one_big_batch(folder):
    """Two batches each, of unequal numbers of pieces, in float64."""
    (folder / "gradients.py").write_text(GRADIENTS)
    process = start(folder, "run", processes=2, program=("gradients.py",))
    told, _ = process.communicate(timeout=100)
    assert process.returncode == 0, told.decode()
    assert told.count(b"alike") == 2


def test_two_go_on_exactly(folder):
    write(folder, dropout=0.2)
    learn(folder, "straight", processes=2)
    for seconds in (6, 8):
        process = start(folder, "left", processes=2)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    learn(folder, "left", processes=2)
    for part in ("checkpoints/step-00000012", "average"):
        for path in (folder / "straight" / part).iterdir():
            assert path.read_bytes() == (folder / "left" / part / path.name).read_bytes()


FAILS = """
import os
import sys
from regard.commands import run
from regard.errors import DiskError
from regard.train import loop
real = loop.update
calls = iter(range(1000))
def update(*arguments, **options):
    if os.environ["RANK"] == "{rank}" and next(calls) == 3:
        raise DiskError("the disk of process {rank} is on fire")
    return real(*arguments, **options)
loop.update = update
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize("rank", [0, 1])
def test_when_one_fails_all_end_and_the_first_cause_is_said(folder, rank):
    (folder / "fails.py").write_text(FAILS.format(rank=rank))
    begun = time.monotonic()
    process = start(folder, "run", processes=2, program=("fails.py",))
    told, _ = process.communicate(timeout=100)
    assert process.returncode != 0
    assert f"regard: the disk of process {rank} is on fire" in told.decode()
    assert time.monotonic() - begun < 60  # the start of torch, and 30 seconds at most


def test_asked_to_end_they_save_together(folder):
    write(folder, updates=100_000)
    settings = ["validation.every=50_000"]
    process = start(folder, "run", processes=2, settings=settings)
    record = folder / "run" / "record.jsonl"
    while not (record.exists() and '"update"' in record.read_text()):
        assert process.poll() is None
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert b"the same command goes on from there" in told
    (saved,) = checkpoints(folder / "run")
    assert load(saved).state["about"]["processes"] == 2


def test_batches_that_cannot_be_shared_are_refused(folder):
    process = start(folder, "run", processes=2, settings=["training.accumulate=3"])
    told, _ = process.communicate(timeout=100)
    assert process.returncode != 0
    assert b"training.accumulate 3 cannot be shared evenly by 2 processes" in told
