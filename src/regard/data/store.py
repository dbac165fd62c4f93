"""corpora -> ids on a disk, mapped into memory: whatever their size, they take little of it.

==========================  ==============================================================
source.ids, target.ids      the ids of all examples, one after the other
source.ends, target.ends    where each example ends among them, a 0 before the first
numbers                     which pair each example was, counted from 1 through all corpora
reasons                     for each pair 0, or why it was left out: `checks.FINDINGS`
pieces.model                sentencepiece; or source.model and target.model where they differ
store.json                  what all this was made of, its sizes and the account; written last
==========================  ==============================================================

It is written beside its place, flushed to the disk and renamed, so that a folder under its final
name is whole; what a process left when it was killed is thrown away by the next.
"""

import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from regard.data.corpus import Corpus
from regard.data.encode import Encoded, Encoder, Report, must_have_some
from regard.data.examples import Examples, Ragged
from regard.data.pairs import Pair
from regard.data.survey import Print, Survey, spoken_of
from regard.errors import CheckpointError, CorpusError, DiskError
from regard.text.files import sync, write_new
from regard.text.pieces import Pieces

MANIFEST = "store.json"
CHUNK_PAIRS, CHUNK_CHARACTERS = 8192, 4_000_000
"""How much text is split at once; more than enough to keep the threads busy."""


@dataclass(frozen=True)
class Store:
    """Corpora as ids.

    Attributes:
        source: The source side's pieces.
        target: The target side's; the same object where the vocabulary is joint.
        examples: All of them, mapped into memory.
        prints: A fingerprint of each corpus.
        reports: What became of its pairs.
        reasons: For each pair of all corpora 0, or why it was left out.
        about: What else the builder wanted to be kept.
    """

    source: Pieces
    target: Pieces
    examples: Examples
    prints: dict[str, str]
    reports: dict[str, Report]
    reasons: np.ndarray
    about: dict[str, Any]

    @classmethod
    def open(cls, folder: Path, origin: dict[str, Any]) -> "Store | None":
        """The store in a folder; None if there is none, or it is not whole, or of other origin.

        Args:
            folder: Where it was built.
            origin: Whatever it follows from, as JSON.
        """
        try:
            told = json.loads((folder / MANIFEST).read_bytes())
            sizes = {name: (folder / name).stat().st_size for name in told["sizes"]}
            if (told["origin"], told["sizes"]) != (json.loads(json.dumps(origin)), sizes):
                return None
            source, target = _pieces(folder)
            return cls(
                source=source,
                target=target,
                examples=Examples(
                    source=_rows(folder, "source", told["ids"]),
                    target=_rows(folder, "target", told["ids"]),
                    numbers=_mapped(folder / "numbers", "<i8"),
                ),
                prints=told["prints"],
                reports=TypeAdapter(dict[str, Report]).validate_python(told["reports"]),
                reasons=_mapped(folder / "reasons", "u1"),
                about=told["about"],
            )
        except (OSError, ValueError, KeyError, TypeError, CheckpointError):
            return None


def build(
    folder: Path,
    origin: dict[str, Any],
    corpora: Sequence[Corpus],
    survey: Survey,
    encoder: Encoder,
    tell: Callable[[str], None],
    about: Mapping[str, Any] | None = None,
) -> None:
    """Split all corpora into pieces and put them where `Store.open` finds them.

    Raises:
        CorpusError: a corpus cannot be read, or was changed meanwhile.
        DiskError: the store cannot be written.
    """
    beside = folder.with_name(f".{folder.name}.tmp-{os.getpid()}")
    try:
        for left in folder.parent.glob(f".{folder.name}.tmp-*"):
            shutil.rmtree(left)  # by a process that was killed
        if folder.exists():
            (folder / MANIFEST).unlink(missing_ok=True)
            shutil.rmtree(folder)
        beside.mkdir(parents=True)
        reports = _write(beside, corpora, survey, encoder, tell)
        _write_pieces(beside, encoder)
        sizes = {path.name: path.stat().st_size for path in beside.iterdir()}
        write_new(beside / MANIFEST, json.dumps({
            "origin": origin,
            "ids": _kind(encoder),
            "sizes": sizes,
            "about": dict(about or {}),
            "prints": survey.prints,
            "reports": {name: asdict(report) for name, report in reports.items()},
        }, indent=2).encode())  # fmt: skip
        beside.rename(folder)
        sync(folder.parent)
    except OSError as error:
        place = error.filename or folder
        raise DiskError(f"{place} cannot be written: {error.strerror}; make room") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write(
    folder: Path,
    corpora: Sequence[Corpus],
    survey: Survey,
    encoder: Encoder,
    tell: Callable[[str], None],
) -> dict[str, Report]:
    """Everything that grows with the text."""
    reports: dict[str, Report] = {}
    with ExitStack() as files:
        writer = _Writer(folder, _kind(encoder), files)
        for corpus, repeated in zip(corpora, survey.repeated, strict=True):
            own, report = Print(), Report()
            pairs = spoken_of(
                own.of(corpus.read(_not_again)), corpus.name, "split into pieces", tell
            )
            for encoded in _encoded(_chunks(pairs), repeated, encoder):
                writer.add(encoded)
                report += encoded.report
            if str(own) != survey.prints[corpus.name]:
                raise CorpusError(
                    f"the {corpus.name} text was changed while it was read; try again"
                )
            must_have_some(corpus.name, report)
            reports[corpus.name] = report
        writer.finish()
    return reports


def _not_again(_words: str) -> None:
    """What is odd in a file was told when it was surveyed."""


def _chunks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    chunk: list[Pair] = []
    characters = 0
    for pair in pairs:
        chunk.append(pair)
        characters += len(pair.source) + len(pair.target)
        if len(chunk) == CHUNK_PAIRS or characters >= CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _encoded(
    chunks: Iterable[list[Pair]], repeated: np.ndarray, encoder: Encoder
) -> Iterator[Encoded]:
    """Each chunk as ids, in order; several threads are at work, a few chunks ahead."""
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    start = 0
    working: deque[Future[Encoded]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for chunk in chunks:
            stop = start + len(chunk)
            working.append(pool.submit(encoder, chunk, repeated[start:stop]))
            start = stop
            if len(working) > threads:
                yield working.popleft().result()
        while working:
            yield working.popleft().result()


class _Writer:
    """Appends chunks of examples to the files of a store."""

    def __init__(self, folder: Path, kind: str, files: ExitStack):
        names = ("source.ids", "source.ends", "target.ids", "target.ends", "numbers", "reasons")
        self._files = {name: files.enter_context((folder / name).open("wb")) for name in names}
        self._kinds = {"ids": kind, "ends": "<i8", "numbers": "<i8", "reasons": "u1"}
        self._ends = {"source": 0, "target": 0}
        self._pairs = 0
        for side in self._ends:
            self._append(f"{side}.ends", np.zeros(1))

    def add(self, encoded: Encoded) -> None:
        examples = encoded.examples
        for side, rows in (("source", examples.source), ("target", examples.target)):
            self._append(f"{side}.ids", rows.values)
            self._append(f"{side}.ends", rows.offsets[1:] + self._ends[side])
            self._ends[side] += len(rows.values)
        self._append("numbers", examples.numbers + self._pairs)
        self._append("reasons", encoded.reasons)
        self._pairs += len(encoded.reasons)

    def finish(self) -> None:
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())

    def _append(self, name: str, values: np.ndarray) -> None:
        self._files[name].write(values.astype(self._kinds[name.split(".")[-1]]).tobytes())


def _kind(encoder: Encoder) -> str:
    """The numbers that hold an id."""
    return "<u2" if max(map(len, (encoder.source, encoder.target))) <= 2**16 else "<i4"


def _rows(folder: Path, side: str, kind: str) -> Ragged:
    return Ragged(_mapped(folder / f"{side}.ids", kind), _mapped(folder / f"{side}.ends", "<i8"))


def _mapped(path: Path, kind: str) -> np.ndarray:
    return np.memmap(path, dtype=kind, mode="r").view(np.ndarray)


def _write_pieces(folder: Path, encoder: Encoder) -> None:
    if encoder.source is encoder.target:
        write_new(folder / "pieces.model", encoder.source.model)
    else:
        write_new(folder / "source.model", encoder.source.model)
        write_new(folder / "target.model", encoder.target.model)


def _pieces(folder: Path) -> tuple[Pieces, Pieces]:
    if (folder / "pieces.model").exists():
        both = Pieces((folder / "pieces.model").read_bytes())
        return both, both
    return (
        Pieces((folder / "source.model").read_bytes()),
        Pieces((folder / "target.model").read_bytes()),
    )
