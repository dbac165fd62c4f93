"""what a recipe says about data -> sentence pairs to learn from and to be judged by."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from regard.data import phrasebook
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
        weight: How often an epoch has each pair: 2.0 twice, 0.5 every other one.
        more: Other files to learn from, each with its own weight.
        phrasebook: The embedded corpus instead of files.
        longest: The most pieces that a side may have, EOS counted; longer pairs are left out.
        ratio: How many times longer than the other a side may be; more uneven pairs are left out.
    """

    folder: str = "."
    train: tuple[str, ...] = ()
    valid: tuple[str, ...] = ()
    weight: float = 1.0
    more: tuple[MoreOptions, ...] = ()
    phrasebook: PhrasebookOptions | None = None
    longest: int = 256
    ratio: float = 9.0

    def __post_init__(self):
        super().__post_init__()
        if self.phrasebook and (self.train or self.valid):
            raise ValueError("either phrasebook or train and valid, not both")
        if not self.phrasebook:
            _check_files("train", self.train)
            _check_files("valid", self.valid)
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


def training_text(
    options: DataOptions, tell: Callable[[str], None] = lambda _: None
) -> list[tuple[list[Pair], float]]:
    """The corpora to learn from, in the order of the recipe, each with its weight.

    `tell` is told what was odd in a file.
    """
    if options.phrasebook:
        examples = options.phrasebook.examples()
        pairs = [Pair(example.source, example.target) for example in examples]
    else:
        pairs = _read(options, options.train, tell)
    more = [(_read(other, other.train, tell), other.weight) for other in options.more]
    return [(pairs, options.weight), *more]


def validation_pairs(
    options: DataOptions, tell: Callable[[str], None] = lambda _: None
) -> list[Pair]:
    """The pairs that progress is judged by; `tell` is told what was odd in a file."""
    if options.phrasebook:
        held_out = options.phrasebook.held_out()["dev"]
        return [Pair(example.source, example.target) for example in held_out]
    return _read(options, options.valid, tell)


def fingerprint(pairs: Iterable[Pair]) -> str:
    """What is the same for the same pairs in the same order, and for no others."""
    found = hashlib.sha256()
    count = 0
    for count, pair in enumerate(pairs, start=1):  # noqa: B007
        found.update(f"{pair.source}\n{pair.target}\n".encode())
    return f"{count:,} pairs, sha256 {found.hexdigest()[:16]}"


def _read(
    options: DataOptions | MoreOptions, files: tuple[str, ...], tell: Callable[[str], None]
) -> list[Pair]:
    return list(read_pairs([Path(options.folder, name) for name in files], options, tell))
