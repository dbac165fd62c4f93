"""a file's name <-> its bytes: decompressed where the name says so, all of them, or an error."""

import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast, runtime_checkable

from regard.errors import CorpusError, DiskError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK = 1 << 16
HARMLESS = 10 << 20
"""Bytes that a file may inflate to, however small it is."""
LARGEST_RATIO = 200
"""How many times larger than itself a file may become beyond that; text becomes 3 to 30 times."""
XZ_MEMORY = 1 << 28
_CHECKED = {int(zstd.CompressionParameter.checksum_flag): 1}


@runtime_checkable
class _Inflater(Protocol):
    """What decompresses one member of a file, as `lzma` and `zstd` have it."""

    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gunzip:
    """The same for gzip."""

    def __init__(self):
        self._inflater = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inflater.eof

    @property
    def unused_data(self) -> bytes:
        return self._inflater.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        found = self._inflater.decompress(self._inflater.unconsumed_tail + data, max_length)
        self.needs_input = not self._inflater.unconsumed_tail and len(found) < max_length
        return found


_INFLATERS = {
    ".gz": _Gunzip,
    ".xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY),
    ".zst": zstd.ZstdDecompressor,
}


def bare_name(path: Path) -> Path:
    """A file's name without the ending that says how it is compressed."""
    return path.with_suffix("") if path.suffix.lower() in _INFLATERS else path


def open_bytes(path: Path) -> io.BufferedIOBase:
    """A file's bytes; those inside it where its name ends in .gz, .xz or .zst.

    Reading them raises a CorpusError where a compressed file is damaged, breaks off, holds
    something else after its last member, or inflates beyond reason.

    Raises:
        CorpusError: the file cannot be opened.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}; check the path") from None
    except ValueError as error:
        raise CorpusError(f"{str(path)!r} cannot be a path: {error}") from None
    ending = path.suffix.lower()
    if ending not in _INFLATERS:
        return file
    return io.BufferedReader(_Inflated(file, str(path), ending), BLOCK)


@contextmanager
def compressed(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """Where to write what shall be in a file, given where its bytes go.

    Raises:
        DiskError: a name that says a compression which is read only.
    """
    match path.suffix.lower():
        case ".gz":
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as inside:
                yield cast("BinaryIO", inside)
        case ".zst":
            with zstd.ZstdFile(file, "wb", options=_CHECKED) as inside:
                yield cast("BinaryIO", inside)
        case ".xz":
            raise DiskError(f"{path}: .xz is read but not written; name it .gz or .zst")
        case _:
            yield file


class _Inflated(io.RawIOBase):
    """The bytes in a compressed file, member after member."""

    def __init__(self, file: io.BufferedIOBase, name: str, ending: str):
        self._file = file
        self._name = name
        self._new = _INFLATERS[ending]
        self._kind = ending[1:]
        self._inflater: _Inflater | None = self._new()
        self._waiting = b""
        self._read = self._inflated = 0

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any, /) -> int:
        found = b""
        while not found and self._inflater:
            found = self._some(self._inflater, len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def _some(self, inflater: _Inflater, most: int) -> bytes:
        if inflater.eof:
            self._waiting = inflater.unused_data
            self._inflater = self._new() if self._another() else None
            return b""
        if inflater.needs_input and not self._waiting and not self._refill():
            raise CorpusError(
                f"{self._name} breaks off after {self._read:,} bytes: the end of its {self._kind}"
                " data is missing; get the file anew"
            )
        waiting, self._waiting = self._waiting, b""
        try:
            found = inflater.decompress(waiting, most)
        except (zlib.error, lzma.LZMAError, zstd.ZstdError) as error:
            raise CorpusError(
                f"{self._name} is not whole {self._kind} data: {error}, within its first"
                f" {self._read:,} bytes; get the file anew, or give it the name that it should have"
            ) from None
        self._inflated += len(found)
        if self._inflated > max(HARMLESS, LARGEST_RATIO * self._read):
            raise CorpusError(
                f"{self._name} inflates to more than {LARGEST_RATIO} times its size, which text"
                " does not; if it is meant, decompress it and give the plain file"
            )
        return found

    def _another(self) -> bool:
        """Whether a member follows; zeros after the last are padding."""
        while not self._waiting.lstrip(b"\0"):
            if not self._refill():
                return False
        self._waiting = self._waiting.lstrip(b"\0")
        return True

    def _refill(self) -> bool:
        try:
            self._waiting = self._file.read(BLOCK)
        except OSError as error:
            raise CorpusError(f"{self._name} cannot be read: {error.strerror}") from None
        self._read += len(self._waiting)
        return bool(self._waiting)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet; when it returns, the disk has it."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Wait until the disk has the names in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
