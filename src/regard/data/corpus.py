"""what a recipe says about data -> sentence pairs to learn from and to be judged by."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from regard.data import phrasebook
from regard.data.checks import Filter
from regard.data.pairs import Pair, grouped, read_pairs
from regard.data.shapes import Reading
from regard.errors import CorpusError

MOST_WEIGHT = 1000
"""How often an epoch can have a pair."""


@dataclass(frozen=True, kw_only=True)
class PhrasebookOptions:
    """The embedded corpus as training data.

    Attributes:
        pairs: How many sentence pairs to learn from.
        seed: What they, and the held-out ones, follow from.
        shortest: The fewest words that an English sentence has.
        longest: The most.
    """

    pairs: int
    seed: int = 1
    shortest: int = 2
    longest: int = 16

    def __post_init__(self):
        if self.pairs < 1:
            raise ValueError(f"pairs {self.pairs} must be at least 1")
        phrasebook.examples(seed=self.seed, shortest=self.shortest, longest=self.longest)

    def examples(self) -> Iterator[phrasebook.Example]:
        """Those to learn from."""
        chosen = phrasebook.examples(seed=self.seed, shortest=self.shortest, longest=self.longest)
        return islice(chosen, self.pairs)

    def held_out(self) -> dict[str, list[phrasebook.Example]]:
        """Those to be judged by: dev, random, longer, unseen."""
        return phrasebook.held_out(seed=self.seed, shortest=self.shortest, longest=self.longest)


@dataclass(frozen=True, kw_only=True)
class MoreOptions(Reading):
    """Text that is mixed in: an older corpus beside a domain's, say; and how its files are read.

    Attributes:
        folder: Where the files lie.
        train: Files with both sides, and others two by two, source and target.
        weight: How often an epoch has each pair: 2.0 twice, 0.5 every other one.
    """

    folder: str = "."
    train: tuple[str, ...]
    weight: float = 1.0

    def __post_init__(self):
        super().__post_init__()
        _check_files("train", self.train)
        _check_weight(self.weight)


@dataclass(frozen=True, kw_only=True)
class DataOptions(Reading):
    """Where sentence pairs come from: files, and how they are read; or the phrasebook.

    Attributes:
        folder: Where the files lie.
        train: Files with both sides, and others two by two, source and target.
        valid: The same for the pairs that progress is judged by.
        test: The same for pairs that nothing may be learnt from: `regard prepare` looks whether
            the text to learn from has them.
        weight: How often an epoch has each pair: 2.0 twice, 0.5 every other one.
        more: Other files to learn from, each with its own weight.
        phrasebook: The embedded corpus instead of files.
        longest: The most pieces that a side may have, EOS counted; longer pairs are left out.
        ratio: How many times longer than the other a side may be; more uneven pairs are left out.
        filters: What else is left out, by the names of `regard prepare`'s report: "duplicate" ...
    """

    folder: str = "."
    train: tuple[str, ...] = ()
    valid: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    weight: float = 1.0
    more: tuple[MoreOptions, ...] = ()
    phrasebook: PhrasebookOptions | None = None
    longest: int = 256
    ratio: float = 9.0
    filters: tuple[Filter, ...] = ()

    def __post_init__(self):
        super().__post_init__()
        if self.phrasebook and (self.train or self.valid or self.test):
            raise ValueError("either phrasebook or train and valid, not both")
        if not self.phrasebook:
            _check_files("train", self.train)
        for name in ("valid", "test"):
            if files := getattr(self, name):
                _check_files(name, files)
        _check_weight(self.weight)
        if self.longest < 2:
            raise ValueError(f"longest {self.longest} must be at least 2: a piece and EOS")
        if self.ratio < 1:
            raise ValueError(f"ratio {self.ratio} must be at least 1")


def _check_files(name: str, files: tuple[str, ...]) -> None:
    if not files:
        raise ValueError(
            f"{name} must name a source and a target file, or a file with both sides; it names none"
        )
    try:
        grouped([Path(file) for file in files])
    except CorpusError as error:
        raise ValueError(f"{name}: {error}") from None


def _check_weight(weight: float) -> None:
    if not 0 < weight <= MOST_WEIGHT:
        raise ValueError(f"weight {weight} must be above 0 and at most {MOST_WEIGHT}")


Tell = Callable[[str], None]
"""Is told in one line what was odd in a file."""


@dataclass(frozen=True)
class Corpus:
    """Pairs that can be read again and again.

    Attributes:
        name: What messages call it.
        weight: How often an epoch has each of its pairs.
        read: Gives the pairs, one by one, from the first.
        identify: Gives what is the same only where the files have the same bytes.
        files: Where the pairs are read from, if they are.
    """

    name: str
    weight: float
    read: Callable[[Tell], Iterator[Pair]]
    identify: Callable[[], str]
    files: Sequence[Path] = ()


def training_text(options: DataOptions) -> list[Corpus]:
    """The corpora to learn from, in the order of the recipe."""
    if options.phrasebook:
        first = _phrasebook(options.phrasebook, options.weight)
    else:
        first = _files("training", options)
    more = [_files(f"mixed-in ({n})", other) for n, other in enumerate(options.more, start=1)]
    return [first, *more]


def _phrasebook(options: PhrasebookOptions, weight: float) -> Corpus:
    def read(_tell: Tell) -> Iterator[Pair]:
        return (Pair(example.source, example.target) for example in options.examples())

    def identify() -> str:
        grammar = sorted(Path(phrasebook.__file__).parent.glob("*.py"))
        return hashlib.sha256(b"".join(path.read_bytes() for path in grammar)).hexdigest()

    return Corpus("training", weight, read, identify)


def _files(name: str, options: DataOptions | MoreOptions) -> Corpus:
    paths = [Path(options.folder, file) for file in options.train]

    def read(tell: Tell) -> Iterator[Pair]:
        return read_pairs(paths, options, tell)

    def identify() -> str:
        with ThreadPoolExecutor() as pool:  # hashing goes on outside Python's lock
            return " ".join(pool.map(_hash_of_bytes, paths))

    return Corpus(name, options.weight, read, identify, paths)


def _hash_of_bytes(path: Path) -> str:
    try:
        if path.exists() and not path.is_dir() and not path.is_file():
            raise CorpusError(
                f"{path} is a pipe or a device, which can be read only once; give a file"
            )
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}; check the path") from None
    except ValueError as error:
        raise CorpusError(f"{str(path)!r} cannot be a path: {error}") from None


def held_out_text(options: DataOptions, tell: Tell) -> dict[Literal["dev", "test"], list[Pair]]:
    """The pairs that nothing is learnt from: for progress to be judged by, and for the last test.

    Raises:
        CorpusError: what cannot be read.
    """
    if options.phrasebook:
        examples = options.phrasebook.held_out()["dev"]
        return {"dev": [Pair(example.source, example.target) for example in examples]}
    named: dict[Literal["dev", "test"], tuple[str, ...]]
    named = {"dev": options.valid, "test": options.test}
    return {
        name: list(read_pairs([Path(options.folder, file) for file in files], options, tell))
        for name, files in named.items()
        if files
    }
