"""bytes -> standard output, or a file that appears only when it is complete."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from regard.errors import DiskError
from regard.text.files import compressed


@contextmanager
def output(path: Path | None) -> Iterator[BinaryIO]:
    """Where to write; a file gets its name when everything is in it.

    Raises:
        DiskError: it cannot be written.
    """
    if path is None:
        if sys.stdout is None:
            raise DiskError("standard output is closed; say where to write")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        if path.is_dir():
            raise DiskError(f"{path} is a folder; give the name of a file")
        with _in_place(path) if path.exists() and not path.is_file() else _beside(path) as file:
            yield file
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None


def _in_place(path: Path) -> BinaryIO:
    """A device or a named pipe is written to, not replaced."""
    return path.open("wb")


@contextmanager
def _beside(path: Path) -> Iterator[BinaryIO]:
    named, path = path, path.resolve()  # what a link leads to is replaced, not the link
    beside = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    try:
        with beside.open("wb") as file:
            with compressed(file, named) as inside:
                yield inside
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_json(path: Path | None, figures: Any) -> None:
    """Write figures where `--json` says, if it says so."""
    import json

    if path:
        with output(path) as file:
            text = json.dumps(figures, indent=2, ensure_ascii=False) + "\n"
            file.write(text.encode(errors="backslashreplace"))  # names of files can be any bytes
