"""argv -> one call of what lies below; errors -> one line and an exit code."""

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import typer
from typer.exceptions import TyperException

from regard.commands import (
    align,
    average,
    demo,
    distil,
    evaluate,
    export,
    look,
    phrasebook,
    prepare,
    score,
    train,
    translate,
)
from regard.errors import RegardError, is_out_of_memory

INTERRUPTED, TERMINATED = 130, 143

app = typer.Typer(
    name="regard",
    help="Learns to turn one sequence into another with attention, and shows what it did.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    demo,
    phrasebook,
    prepare,
    train,
    translate,
    score,
    align,
    evaluate,
    average,
    export,
    distil,
    look,
):
    name = command.__name__.rpartition(".")[2]
    app.command(name)(getattr(command, name))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code that `errors.py` and the README list."""
    threading.excepthook = _of_a_thread
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # whatever the terminal can show
    try:
        with _terminated_by_raising():
            code = app(list(arguments) or ["--help"], prog_name="regard", standalone_mode=False)
    except _Terminated:
        return TERMINATED
    except RegardError as error:
        return _say(str(error), error.exit_code)
    except TyperException as error:
        return _say(f"{error.format_message()} (regard --help tells more)", 2)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", INTERRUPTED)
    except SystemExit:  # typer's answer to a closed pipe, which only means: enough
        _forget_output()
        return 0
    except Exception as error:
        if os.environ.get("REGARD_TRACEBACK"):
            raise
        if is_out_of_memory(error):
            return _say(f"out of memory: {error or 'no more to be had'}; try a smaller batch", 6)
        if isinstance(error, OSError):
            if not error.filename:
                _forget_output()
            what = error.filename or "standard output"
            return _say(f"{what} cannot be read or written: {error.strerror or error}", 5)
        return _say(
            f"unexpected {type(error).__name__}: {error}; this is a fault of regard:"
            " REGARD_TRACEBACK=1 shows where",
            1,
        )
    return code if isinstance(code, int) else 0


class _Terminated(BaseException):
    """What SIGTERM raises, so that nothing half written stays behind."""


@contextmanager
def _terminated_by_raising() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _terminate(_number: int, _frame: object) -> None:
    raise _Terminated


def _of_a_thread(failure: threading.ExceptHookArgs) -> None:
    """A library's thread that fails, as TensorBoard's on a full disk, says so in one line."""
    _say(f"note: a thread of {failure.exc_type.__module__} ended: {failure.exc_value}", 0)


def _say(message: str, code: int) -> int:
    with suppress(OSError):
        if sys.stderr:
            sys.stderr.write(f"regard: {' '.join(message.split())}\n")
            sys.stderr.flush()
    return code


def _forget_output() -> None:
    """What could not be written would be tried again, in vain, when the program ends."""
    with suppress(AttributeError, OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
