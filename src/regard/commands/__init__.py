"""argv -> one call of what lies below; errors -> one line and an exit code."""

import os
import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from regard.commands import average, demo, evaluate, phrasebook, train, translate
from regard.errors import RegardError

INTERRUPTED = 130

app = typer.Typer(
    name="regard",
    help="Learns to turn one sequence into another with attention, and shows what it did.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (demo, phrasebook, train, translate, evaluate, average):
    name = command.__name__.rpartition(".")[2]
    app.command(name)(getattr(command, name))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code that `errors.py` and the README list."""
    try:
        code = app(list(arguments) or ["--help"], prog_name="regard", standalone_mode=False)
    except RegardError as error:
        return _say(str(error), error.exit_code)
    except TyperException as error:
        return _say(f"{error.format_message()} (regard --help tells more)", 2)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _say("out of memory; try a smaller batch (--set training.batch=...)", 6)
    except Exception as error:
        if os.environ.get("REGARD_TRACEBACK"):
            raise
        return _say(
            f"unexpected {type(error).__name__}: {error}; this is a fault of regard:"
            " REGARD_TRACEBACK=1 shows where",
            1,
        )
    return code if isinstance(code, int) else 0


def _say(message: str, code: int) -> int:
    sys.stderr.write(f"regard: {' '.join(message.split())}\n")
    return code
