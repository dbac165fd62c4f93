"""argv -> exit code: one line on standard error, never a traceback."""

import os
import subprocess
import sys
from importlib import import_module

import pytest

from regard.commands import run


@pytest.fixture
def said(capsys):
    """Run the command line in this process; the exit code and the lines on standard error."""

    def start(*arguments: object) -> tuple[int, list[str]]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return code, capsys.readouterr().err.splitlines()

    return start


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_without_a_command_it_says_what_it_can_do(capsys, arguments):
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    for command in ("demo", "phrasebook", "train", "translate", "evaluate", "average"):
        assert f"\n  {command} " in out
    assert err == ""


@pytest.mark.parametrize("command", ["demo", "phrasebook", "train", "translate", "evaluate"])
def test_every_command_has_its_help(capsys, command):
    assert run([command, "--help"]) == 0
    assert f"Usage: regard {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["transalte"], "No such command 'transalte'."),
        (["--bogus"], "No such option: --bogus"),
        (["translate", "--bogus"], "No such option: --bogus"),
        (["translate"], "Missing argument"),
        (["translate", "run", "more"], "unexpected extra argument"),
        (["translate", "run", "--beam", "x"], "Invalid value for '--beam'"),
        (["translate", "run", "--input"], "--input"),
        (["train"], "Missing argument"),
        (["evaluate", "x"], "Missing option '--reference'"),
        (["average", "run", "--last", "0"], "Invalid value for '--last'"),
        (["phrasebook", "--out", "x", "--pairs", "0"], "Invalid value for '--pairs'"),
        (["phrasebook", "--out", "x", "--seed", "-1"], "Invalid value for '--seed'"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(said, arguments, message):
    code, lines = said(*arguments)
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith("regard: ")
    assert message in lines[0]
    assert "regard --help tells more" in lines[0]


NO_TORCH = """
import sys
from importlib import import_module
from regard.commands import run
code = run(sys.argv[1:])
sys.exit(code or 9 * ("torch" in sys.modules))
"""


@pytest.mark.parametrize("arguments", ["--help", "translate --help", "nosuch", "evaluate a -x"])
def test_what_needs_no_model_does_not_wait_for_torch(arguments):
    found = subprocess.run(
        [sys.executable, "-c", NO_TORCH, *arguments.split()], check=False, capture_output=True
    )
    assert found.returncode == (0 if "--help" in arguments else 2)


@pytest.mark.parametrize(
    "code",
    [
        "import regard",
        "from regard import Pieces, bleu, RegardError",
        "import regard.text.lines, regard.text.normalise, regard.text.pieces, regard.text.windows",
        "import regard.evaluate, regard.errors, regard.commands",
    ],
)
def test_text_and_metrics_need_no_torch(code):
    check = f"{code}\nimport sys\nsys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


def test_the_program_and_the_module_are_one(program):
    assert program("--help").stdout == subprocess.run(
        [sys.executable, "-c", "from regard.__main__ import main; main()", "--help"],
        check=True, capture_output=True,
    ).stdout  # fmt: skip


@pytest.fixture
def text(tmp_path):
    (tmp_path / "text").write_text("a b c d e\n" * 3)
    return tmp_path / "text"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_behind_standard_output_is_said(text):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        found = subprocess.run(
            [sys.executable, "-m", "regard", "evaluate", text, "--reference", text],
            check=False, stdout=full, stderr=subprocess.PIPE,
        )  # fmt: skip
    assert found.returncode == 5
    assert found.stderr.count(b"\n") == 1
    assert b"standard output cannot be read or written: No space left" in found.stderr


@pytest.mark.parametrize("closed", ["| true", ">&-", "2>&-", "2>&1 | true", "<&-"])
def test_a_reader_that_has_left_is_no_error(text, closed):
    shell = f'"{sys.executable}" -m regard evaluate "{text}" --reference "{text}" {closed}'
    found = subprocess.run(
        ["bash", "-c", shell + '; exit "${PIPESTATUS[0]}"'], check=False, stderr=subprocess.PIPE
    )
    assert (found.returncode, found.stderr) == (0, b"")


def test_an_error_that_nobody_hears_still_has_its_code(text):
    for closed in ("2>&-", "2>&1 | true"):
        shell = f'"{sys.executable}" -m regard evaluate "{text}" --reference nosuch {closed}'
        found = subprocess.run(["bash", "-c", shell + '; exit "${PIPESTATUS[0]}"'], check=False)
        assert found.returncode == 2


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
def test_a_name_that_the_terminal_cannot_show_is_no_error(text, tmp_path, encoding):
    odd = text.rename(tmp_path / "caf\udce9")  # the byte 0xe9
    found = subprocess.run(
        [sys.executable, "-m", "regard", "evaluate", odd, "--reference", odd, "--json", "out"],
        check=True, capture_output=True, cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert b"100.00" in found.stdout
    assert rb"caf\udce9" in (tmp_path / "out").read_bytes()


def test_a_fault_is_one_line_and_says_how_to_see_more(said, monkeypatch, tmp_path, text):
    def faulty(*_arguments, **_options):
        raise AttributeError("a fault")

    monkeypatch.delenv("REGARD_TRACEBACK", raising=False)
    monkeypatch.setattr(import_module("regard.evaluate.metrics"), "scores", faulty)
    code, lines = said("evaluate", text, "--reference", text)
    assert code == 1
    assert lines == [
        "regard: unexpected AttributeError: a fault; this is a fault of regard:"
        " REGARD_TRACEBACK=1 shows where"
    ]
    monkeypatch.setenv("REGARD_TRACEBACK", "1")
    with pytest.raises(AttributeError):
        run(["evaluate", str(text), "--reference", str(text)])
