"""bytes -> standard output, or a file that appears only when it is complete."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from regard.errors import DiskError


@contextmanager
def output(path: Path | None) -> Iterator[BinaryIO]:
    """Where to write; a file gets its name when everything is in it.

    Raises:
        DiskError: it cannot be written.
    """
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    beside = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def write_json(path: Path | None, figures: Any) -> None:
    """Write figures where `--json` says, if it says so."""
    import json

    if path:
        with output(path) as file:
            file.write((json.dumps(figures, indent=2, ensure_ascii=False) + "\n").encode())
