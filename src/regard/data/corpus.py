"""what a recipe says about data -> sentence pairs to learn from and to be judged by."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from regard.data import phrasebook
from regard.data.pairs import Pair, read_pairs


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
class DataOptions:
    """Where sentence pairs come from: files, or the phrasebook.

    Attributes:
        folder: Where the files lie.
        train: The source file and the target file, or one file of tab-separated pairs.
        valid: The same for the pairs that progress is judged by.
        phrasebook: The embedded corpus instead of files.
        longest: The most pieces that a side may have, EOS counted; longer pairs are left out.
        ratio: How many times longer than the other a side may be; more uneven pairs are left out.
    """

    folder: str = "."
    train: tuple[str, ...] = ()
    valid: tuple[str, ...] = ()
    phrasebook: PhrasebookOptions | None = None
    longest: int = 256
    ratio: float = 9.0

    def __post_init__(self):
        if self.phrasebook and (self.train or self.valid):
            raise ValueError("either phrasebook or train and valid, not both")
        if not self.phrasebook:
            for name in ("train", "valid"):
                if len(getattr(self, name)) not in (1, 2):
                    raise ValueError(
                        f"{name} must name a source and a target file, or one file of"
                        f" tab-separated pairs; it names {len(getattr(self, name))}"
                    )
        if self.longest < 2:
            raise ValueError(f"longest {self.longest} must be at least 2: a piece and EOS")
        if self.ratio < 1:
            raise ValueError(f"ratio {self.ratio} must be at least 1")


def training_pairs(options: DataOptions) -> Iterator[Pair]:
    """The pairs to learn from, in the order of the corpus."""
    if options.phrasebook:
        for example in options.phrasebook.examples():
            yield Pair(example.source, example.target)
    else:
        yield from read_pairs([Path(options.folder, name) for name in options.train])


def validation_pairs(options: DataOptions) -> list[Pair]:
    """The pairs that progress is judged by."""
    if options.phrasebook:
        held_out = options.phrasebook.held_out()["dev"]
        return [Pair(example.source, example.target) for example in held_out]
    return list(read_pairs([Path(options.folder, name) for name in options.valid]))
