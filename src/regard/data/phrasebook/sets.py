"""A seed -> sentence pairs to learn from, and sentence pairs to be tested on.

What keeps the sets apart is in the sentences themselves, not in a list of what was drawn: a
checksum of the English sentence puts one in eight on the side of `dev` or `random`, `longer` has
more words than any other, and only `unseen` has pairs of words that are withheld (`words.py`). So
no training sentence of any seed is in `dev` or `random` of any seed.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random
from zlib import crc32

from regard.data.phrasebook.realise import Example, realise
from regard.data.phrasebook.speak import Speaker

LONGEST = 80
_PATIENCE = 500


def examples(*, seed: int, shortest: int = 2, longest: int = 16) -> Iterator[Example]:
    """Training pairs without end, no two alike, as many of each length as there can be.

    Args:
        seed: what chance starts from; the same seed gives the same pairs in the same order.
        shortest: English words in the shortest sentence, at least 2.
        longest: English words in the longest sentence, at most 80.

    Raises:
        ValueError: for lengths that cannot be; and, later on, when there is no new sentence left.
    """
    _check(shortest, longest)
    return _drawn("training", seed, shortest, longest)


def held_out(
    *, seed: int, size: int = 500, shortest: int = 2, longest: int = 16
) -> dict[str, list[Example]]:
    """Four sets of pairs that training with the same lengths, and any seed, never meets.

    `dev` and `random` are drawn like training; `longer` has sentences of up to half as many words
    again as `longest`; in `unseen` every word is known, but words stand together that did not.

    Raises:
        ValueError: for lengths that cannot be, or if there are not so many sentences.
    """
    _check(shortest, longest)
    if size < 1:
        raise ValueError(f"size must be at least 1, got {size}")
    most = max(longest + 1, longest * 3 // 2)
    lengths = {
        "dev": (shortest, longest),
        "random": (shortest, longest),
        "longer": (longest + 1, most),
        "unseen": (shortest, longest),
    }
    return {name: list(islice(_drawn(name, seed, *of), size)) for name, of in lengths.items()}


def _check(shortest: int, longest: int) -> None:
    if not 2 <= shortest <= longest <= LONGEST:
        raise ValueError(
            f"lengths must have 2 <= shortest <= longest <= {LONGEST}, "
            f"got shortest {shortest} and longest {longest}"
        )


def _drawn(name: str, seed: int, shortest: int, longest: int) -> Iterator[Example]:
    """Draw sentences of all lengths alike; let through what belongs to the set and is new.

    A length that had nothing to give for long is left out from then on.
    """
    random = Random(f"{name} {seed}")
    speaker = Speaker(random, daring=name == "unseen")
    seen: set[int] = set()
    sizes = list(range(shortest, longest + 1))
    in_vain = dict.fromkeys(sizes, 0)
    while sizes:
        size = sizes[int(random.random() * len(sizes))]
        example = realise(speaker.sentence(size))
        mark = crc32(example.source.encode())
        if mark not in seen and _belongs(mark, speaker.dared, name):
            seen.add(mark)
            in_vain[size] = 0
            yield example
            continue
        in_vain[size] += 1
        if in_vain[size] == _PATIENCE:
            sizes.remove(size)
    raise ValueError(
        f"found only {len(seen)} sentences of {shortest} to {longest} words for {name}; "
        "ask for fewer, or allow longer ones"
    )


def _belongs(mark: int, dared: bool, name: str) -> bool:
    """Whether a sentence with this checksum belongs to the set."""
    if name == "unseen":
        return dared
    if name == "longer":
        return True
    held = ("dev", "random")[mark // 8 % 2] if mark % 8 == 0 else "training"
    return held == name
