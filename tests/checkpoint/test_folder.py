"""model, pieces, recipe <-> folder: whole, or refused by name."""

import errno
import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

import regard
from regard.checkpoint import (
    Checkpoint,
    checkpoints,
    load,
    newest,
    parameters,
    remove,
    resolve,
    save,
    step_folder,
    take,
)
from regard.errors import CheckpointError, DiskError
from regard.text.pieces import Pieces

SOURCE = Pieces.learn(["the cat sleeps", "a dog runs"], size=290)
TARGET = Pieces.learn(["die Katze schläft", "ein Hund läuft"], size=290)
FILES = [
    "manifest.json", "model.safetensors", "recipe.json", "source.model", "state.json",
    "target.model", "training.safetensors",
]  # fmt: skip


def checkpoint(seed: int = 1, *, joint: bool = False, **state) -> Checkpoint:
    chance = torch.Generator().manual_seed(seed)
    return Checkpoint(
        parameters={
            "a.weight": torch.randn(5, 7, generator=chance),
            "b": torch.randn(3, generator=chance, dtype=torch.float64),
            "c": torch.randn(2, 11, generator=chance).bfloat16(),
            "one": torch.tensor(seed / 3),
        },
        source=SOURCE,
        target=SOURCE if joint else TARGET,
        recipe={"model": {"heads": 2, "name": "Größe\u2028"}, "search": {"alpha": 0.1 + 0.2}},
        state={"step": seed, "best": None, **state},
        training={"random/torch": torch.get_rng_state(), "exp_avg/b": torch.zeros(0)},
    )


def same(a: Checkpoint, b: Checkpoint) -> bool:
    def bits(tensors):
        return {name: (t.dtype, t.shape, t.numpy(force=True).tobytes()) if t.dtype !=
                torch.bfloat16 else t.tolist() for name, t in tensors.items()}  # fmt: skip

    return (
        bits(a.parameters) == bits(b.parameters)
        and bits(a.training) == bits(b.training)
        and (a.recipe, a.state) == (b.recipe, b.state)
        and (a.source.model, a.target.model) == (b.source.model, b.target.model)
        and (a.source is a.target) == (b.source is b.target)
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(tmp_path / "run" / "step", checkpoint())
    return tmp_path / "run" / "step"


@pytest.mark.parametrize("joint", [False, True])
def test_what_was_saved_is_loaded_bit_for_bit(tmp_path, joint):
    saved = checkpoint(joint=joint)
    save(tmp_path / "deep" / "in" / "run", saved)
    assert same(load(tmp_path / "deep" / "in" / "run"), saved)
    joint_files = [n for n in FILES if n not in ("source.model", "target.model")] + ["pieces.model"]
    assert names(tmp_path / "deep" / "in" / "run") == sorted(joint_files if joint else FILES)
    assert names(tmp_path / "deep" / "in") == ["run"]


def test_without_training_there_is_no_file_of_it(tmp_path):
    save(tmp_path / "step", replace(checkpoint(), training={}))
    assert names(tmp_path / "step") == [name for name in FILES if name != "training.safetensors"]
    assert load(tmp_path / "step").training == {}


def test_a_shared_parameter_is_written_once():
    model = nn.ModuleDict({"a": nn.Linear(3, 5, bias=False), "b": nn.Linear(3, 5)})
    model["b"].weight = model["a"].weight
    found = parameters(model)
    assert sorted(found) == ["a.weight", "b.bias"]
    with torch.no_grad():
        model["b"].bias.zero_()
        model["a"].weight.zero_()
    assert found["a.weight"].abs().sum() > 0  # as they were then
    take(model, found)
    assert torch.equal(model["b"].weight, found["a.weight"])


def test_every_misfit_is_named_at_once():
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 5))
    before = parameters(model)
    given = {"0.weight": torch.zeros(3, 7), "1.weight": torch.zeros(5, 3), "9.odd": torch.zeros(1)}
    with pytest.raises(CheckpointError) as refused:
        take(model, given)
    for misfit in ("0.weight is [3, 7] where the model has [3, 2]", "0.bias is missing",
                   "1.bias is missing", "9.odd has no place"):  # fmt: skip
        assert misfit in str(refused.value)
    assert "1.weight" not in str(refused.value)
    assert all(torch.equal(parameters(model)[name], p) for name, p in before.items())


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


DAMAGE = {
    "truncated": lambda content: content[:-3],
    "emptied": lambda content: content[:0],
    "longer": lambda content: content + b"\0",
    "first bit": lambda content: flipped(content, 0),
    "middle bit": lambda content: flipped(content, len(content) // 2),
    "last bit": lambda content: flipped(content, len(content) - 1),
    "deleted": None,
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_refused_by_name(folder, name, damage):
    file = folder / name
    if change := DAMAGE[damage]:
        file.write_bytes(change(file.read_bytes()))
    else:
        file.unlink()
    # a sum or a name that changed in the manifest looks like another file's damage
    named = folder if (name, damage) == ("manifest.json", "middle bit") else file
    with pytest.raises(CheckpointError, match=re.escape(str(named))):
        load(folder)


def test_no_bit_of_a_manifest_can_change_unseen(folder):
    manifest = folder / "manifest.json"
    whole = manifest.read_bytes()
    for place in range(0, len(whole), 5):
        changed = bytes([whole[place] ^ (1 << place % 8)])
        manifest.write_bytes(whole[:place] + changed + whole[place + 1 :])
        with pytest.raises(CheckpointError):
            load(folder)


@pytest.mark.parametrize(
    "content", ["[]", "5", '"x"', "null", '{"recipe.json": 5}', '{"../step": {}}', "{}", "[" * 9999]
)
def test_a_manifest_that_is_none_is_refused(folder, content):
    (folder / "manifest.json").write_text(content)
    with pytest.raises(CheckpointError):
        load(folder)


def test_a_manifest_leads_to_no_file_outside_its_folder(folder):
    secret = folder.parent / "recipe.json"
    secret.write_text("{}")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["../recipe.json"] = manifest.pop("recipe.json")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    secret.unlink()
    with pytest.raises(CheckpointError, match=r"has no recipe\.json"):
        load(folder)


class Failing:
    """A system call that fails the n-th time it is made."""

    def __init__(self, real, nth: int):
        self.real, self.nth, self.made = real, nth, 0

    def __call__(self, *arguments):
        self.made += 1
        if self.made == self.nth:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return self.real(*arguments)


@pytest.mark.parametrize(
    ("call", "nth"),
    [("mkdir", 2), *(("fsync", n) for n in range(1, 10)), ("replace", 1), ("replace", 2)],
)
def test_when_a_call_fails_the_older_checkpoint_stays_whole(folder, monkeypatch, call, nth):
    with monkeypatch.context() as patch:
        patch.setattr(os, call, Failing(getattr(os, call), nth))
        with pytest.raises(
            DiskError, match=r"step cannot be written: Input/output error; it needs"
        ):
            save(folder, checkpoint(seed=2))
    assert names(folder.parent) == ["step"]
    assert same(load(folder), checkpoint(seed=1))
    save(folder, checkpoint(seed=2))
    assert same(load(folder), checkpoint(seed=2))
    assert names(folder.parent) == ["step"]


def test_saving_makes_no_more_calls_than_were_failed_above(folder, monkeypatch):
    counted = {call: Failing(getattr(os, call), 0) for call in ("fsync", "replace")}
    for call, counter in counted.items():
        monkeypatch.setattr(os, call, counter)
    save(folder, checkpoint(seed=2))
    assert {call: counter.made for call, counter in counted.items()} == {"fsync": 9, "replace": 2}


@pytest.fixture
def small_files_only():
    """The system itself refuses to write more than 8 MB to a file: more than any log of a test."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_000_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_write_that_the_system_refuses_leaves_the_older_checkpoint(folder, request):
    large = replace(checkpoint(seed=2), parameters={"large": torch.zeros(3_000_000)})
    request.getfixturevalue("small_files_only")
    with pytest.raises(DiskError, match=r"File too large; it needs [\d,]+ bytes, [\d,]+ are free"):
        save(folder, large)
    assert names(folder.parent) == ["step"]
    assert same(load(folder), checkpoint(seed=1))


def test_a_place_that_cannot_hold_a_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DiskError, match="file/step cannot be written: File exists"):
        save(tmp_path / "file" / "step", checkpoint())


def test_ctrl_c_while_saving_leaves_nothing_half_done(folder, monkeypatch):
    def pressed(_descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", pressed)
    with pytest.raises(KeyboardInterrupt):
        save(folder, checkpoint(seed=2))
    assert names(folder.parent) == ["step"]
    assert same(load(folder), checkpoint(seed=1))


def test_what_a_killed_process_left_is_no_hindrance(folder):
    for left in (f".step.tmp-{os.getpid()}", f".step.tmp-{os.getpid()}.old", ".step.tmp-1"):
        (folder.parent / left).mkdir()
        (folder.parent / left / "model.safetensors").write_text("half")
    save(folder, checkpoint(seed=2))
    assert names(folder.parent) == ["step"]
    assert same(load(folder), checkpoint(seed=2))


@pytest.mark.timeout(60)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_killed_at_any_moment_every_checkpoint_is_whole(tmp_path):
    for attempt in range(12):
        first = 1000 * (attempt + 1)
        child = os.fork()
        if not child:
            try:
                for step in range(first, first + 1000):
                    save(step_folder(tmp_path, step), checkpoint(seed=step))
                    remove(checkpoints(tmp_path)[:-2])
            finally:
                os._exit(1)  # whatever happens, never back into pytest
        while not step_folder(tmp_path, first).exists():
            assert os.waitpid(child, os.WNOHANG) == (0, 0), "the child ended by itself"
            time.sleep(0.001)
        time.sleep(attempt * 0.0037)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for path in checkpoints(tmp_path):
            assert same(load(path), checkpoint(seed=int(path.name[5:]))), path
        found, passed_over = newest(tmp_path)
        assert found
        assert found.state["step"] >= first
        assert passed_over == []
        assert not list(tmp_path.glob("checkpoints/.*"))


@pytest.mark.skipif(sys.platform == "win32", reason="modes as in POSIX")
@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077])
def test_others_may_read_what_the_umask_lets_them(tmp_path, umask):
    before = os.umask(umask)
    try:
        save(tmp_path / "step", checkpoint())
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "step").stat().st_mode) == 0o777 & ~umask
    for file in (tmp_path / "step").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~umask


def run_with(run: Path, steps: list[int], *, best: int | None = None) -> Path:
    for step in steps:
        best_so_far = {"step": best} if best is not None and best <= step else None
        save(step_folder(run, step), checkpoint(seed=step, best=best_so_far))
    return run


def test_the_newest_is_the_one_with_the_most_updates(tmp_path):
    run = run_with(tmp_path, [20, 100_000_000, 3])
    os.utime(step_folder(run, 3), (2**31, 2**31))
    for stranger in ("step-00000400.bak", "step-", "notes", "step-00000500"):
        (run / "checkpoints" / stranger).mkdir()  # the last without a manifest: half deleted
    assert [int(path.name[5:]) for path in checkpoints(run)] == [3, 20, 100_000_000]
    found, passed_over = newest(run)
    assert (found.state["step"], passed_over) == (100_000_000, [])
    assert newest(run / "nowhere") == (None, [])


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.unlink(),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes()[:-2]),
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
        lambda file: file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:]),
    ],
)
def test_a_newer_checkpoint_that_is_not_whole_is_passed_over_and_named(tmp_path, damage):
    names_of_files = [path.name for path in run_with(tmp_path, [1]).rglob("*") if path.is_file()]
    assert sorted(names_of_files) == FILES
    for name in names_of_files:
        run = run_with(tmp_path / name, [3, 4])
        damage(step_folder(run, 4) / name)
        found, (reason,) = newest(run)
        assert same(found, checkpoint(seed=3))
        assert f"step-00000004/{name} " in reason.replace("is incomplete: it has no ", "")


def test_where_no_checkpoint_is_whole_none_is_made_up(tmp_path):
    run = run_with(tmp_path, [3, 4])
    for step in (3, 4):
        (step_folder(run, step) / "state.json").write_text("{}")
    with pytest.raises(CheckpointError, match=r"no checkpoint of .* can be used \(.*04/.*03/"):
        newest(run)


def test_a_checkpoint_moved_aside_when_its_process_was_killed_comes_back(tmp_path):
    run = run_with(tmp_path, [3])
    (run / "checkpoints" / ".step-00000003.tmp-77").mkdir()
    step_folder(run, 3).rename(run / "checkpoints" / ".step-00000003.tmp-77.old")
    found, passed_over = newest(run)
    assert same(found, checkpoint(seed=3))
    assert passed_over == []
    assert names(run / "checkpoints") == ["step-00000003"]


CALLS = ("mkdir", "open", "write", "fsync", "replace", "rename", "unlink", "rmdir")


def killed_at(number: int, patch, work) -> bool:
    """Do some work in a child that kills itself at its n-th call; whether it came to that."""
    child = os.fork()
    if not child:
        made = 0

        def counting(real):
            def call(*arguments, **options):
                nonlocal made
                made += 1
                if made == number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*arguments, **options)

            return call

        try:
            for name in CALLS:
                patch.setattr(os, name, counting(getattr(os, name)))
            patch.setattr(Path, "open", counting(Path.open))
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("again", [False, True])
def test_killed_at_each_call_of_a_save_a_whole_checkpoint_is_left(tmp_path, monkeypatch, again):
    """A new step, after which the oldest is deleted; and the same step once more."""
    number = 0
    killed = True
    while killed:
        number += 1
        run = run_with(tmp_path / str(number), [1, 2])
        step = 2 if again else 3

        def work(run=run, step=step):
            save(step_folder(run, step), checkpoint(seed=9))
            remove(checkpoints(run)[:-2])

        with monkeypatch.context() as patch:
            killed = killed_at(number, patch, work)
        found, passed_over = newest(run)
        assert any(same(found, checkpoint(seed=seed)) for seed in (2, 9)), number
        assert passed_over == []
        save(step_folder(run, 4), checkpoint(seed=4))  # and nothing is in the way of the next
        assert same(newest(run)[0], checkpoint(seed=4))
    assert number > 20


PROGRAM = """
import sys
from pathlib import Path
import torch
from regard.checkpoint import Checkpoint, load, save
folder = Path(sys.argv[1])
save(folder, load(folder))
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
@pytest.mark.parametrize(
    ("call", "number"), [*(("fsync", n) for n in range(1, 10)), ("rename", 1), ("rename", 2)]
)
def test_killed_by_the_system_at_each_call_a_whole_checkpoint_is_left(tmp_path, call, number):
    """The same from outside: the kernel's own calls, in a process that knows nothing of it."""
    run = run_with(tmp_path, [5])
    command = ["strace", "-qq", "-o", tmp_path / "log", "-f", "-e", f"trace={call}"]
    command += ["-e", f"inject={call}:signal=KILL:when={number}"]
    command += [sys.executable, "-c", PROGRAM, step_folder(run, 5)]
    done = subprocess.run(command, check=False, capture_output=True, timeout=60)
    if b"ptrace" in done.stderr:
        pytest.skip("strace is not allowed here")
    assert done.returncode in (-9, 137), done.stderr
    found, passed_over = newest(run)
    assert same(found, checkpoint(seed=5))
    assert passed_over == []


def test_translating_takes_the_average_then_the_best_then_the_newest(tmp_path):
    run = run_with(tmp_path, [1, 2, 3], best=2)
    assert resolve(run) == step_folder(run, 2)
    save(run / "average", checkpoint(seed=9))
    assert resolve(run) == run / "average"
    assert resolve(step_folder(run, 1)) == step_folder(run, 1)
    remove([run / "average"])
    assert resolve(run) == step_folder(run, 2)
    remove([step_folder(run, 2)])
    assert resolve(run) == step_folder(run, 3)
    assert names(run / "checkpoints") == ["step-00000001", "step-00000003"]


def test_a_run_left_before_its_first_validation_has_its_newest(tmp_path):
    run = run_with(tmp_path, [1, 2])
    assert load(step_folder(run, 2)).state["best"] is None
    assert resolve(run) == step_folder(run, 2)


def test_a_run_without_a_checkpoint_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match="nowhere does not exist; give the folder"):
        resolve(tmp_path / "nowhere")
    for path in (tmp_path, tmp_path / "file"):
        with pytest.raises(CheckpointError, match=f"{path} holds no checkpoint; give the folder"):
            resolve(path)


def test_what_cannot_be_deleted_is_named(tmp_path):
    with pytest.raises(DiskError, match="nothing cannot be deleted: No such file"):
        remove([tmp_path / "nothing"])


def test_there_is_no_pickle_in_the_package():
    package = Path(regard.__file__).parent
    forbidden = re.compile(
        r"torch\.(load|save)\b|\b(pickle|cPickle|dill|joblib|shelve|marshal)\b(?! in it)"
        r"|allow_pickle|weights_only|(?<!\.)\b(eval|exec)\("
    )
    sources = sorted(package.rglob("*.py"))
    assert len(sources) > 40
    found = [
        f"{source.relative_to(package)}:{number}: {line.strip()}"
        for source in sources
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), start=1)
        if forbidden.search(line)
    ]
    assert [line for line in found if "safetensors.torch." not in line] == []
