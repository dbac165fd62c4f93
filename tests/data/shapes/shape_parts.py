"""What the tests of every shape do with the parts of a file."""

import io

from regard.data.shapes import Entry, Part, Reading, Shape
from regard.text.codes import plain
from regard.text.noticed import Noticed


def parts_of(shape: Shape, content: bytes, reading: Reading | None = None) -> list[Part]:
    """The parts of a file of that content."""
    return list(shape(io.BytesIO(content), "t", reading or Reading(), Noticed("t")))


def raw(parts: list[Part]) -> bytes:
    """The file that parts are of."""
    return b"".join(part if isinstance(part, bytes) else part.raw for part in parts)


def filled(parts: list[Part], around: str = "<>") -> bytes:
    """The file with every text that has no translation "translated": in brackets."""
    found = []
    for part in parts:
        if (
            isinstance(part, Entry)
            and plain(part.source).strip()
            and not plain(part.target).strip()
        ):
            found.append(part.filled([around[0], *part.source, around[1]]))
        else:
            found.append(part if isinstance(part, bytes) else part.raw)
    return b"".join(found)
