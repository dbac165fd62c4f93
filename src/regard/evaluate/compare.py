"""several systems, references -> is the difference more than chance?

Two tests, both sacreBLEU's: paired bootstrap resampling (Koehn 2004), which draws sentences again
and again, and approximate randomisation (Riezler and Maxwell 2005), which swaps the two systems'
translations of half of the sentences. The first system is what the others are held against.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest, Result

MOST = 20_000
"""Sentences; the bootstrap holds a thousand samples of them in memory at once."""


class Comparison(NamedTuple):
    """One system beside the first, by one metric.

    Attributes:
        mean: Mean over a thousand samples of the sentences.
        interval: Half of the width of the 95 % interval around it.
        bootstrap: How likely a difference so large is by chance; None for the first system.
        randomisation: The same by the other test, of ten thousand trials.
    """

    mean: float
    interval: float
    bootstrap: float | None
    randomisation: float | None


def compare(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str],
    chosen: Mapping[str, Metric],
    *,
    samples: int = 1_000,
    trials: int = 10_000,
) -> dict[str, list[Comparison]]:
    """For each metric, one comparison a system, in their order.

    The seed is sacreBLEU's, 12345 unless SACREBLEU_SEED says otherwise.

    Raises:
        ValueError: there are fewer than two systems, or more than `MOST` sentences.
    """
    if len(systems) < 2:
        raise ValueError(f"{len(systems)} systems; a comparison needs two")
    if len(references) > MOST:
        raise ValueError(f"{len(references)} sentences; a comparison takes at most {MOST}")
    return {
        name: [
            Comparison(
                float(drawn.mean or 0.0), float(drawn.ci or 0.0), drawn.p_value, swapped.p_value
            )
            for drawn, swapped in zip(
                _test(systems, references, metric, "bs", samples),
                _test(systems, references, metric, "ar", trials),
                strict=True,
            )
        ]
        for name, metric in chosen.items()
    }


def _test(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str],
    metric: Metric,
    kind: str,
    count: int,
) -> list[Result]:
    test = PairedTest(list(systems.items()), {"it": metric}, [references], kind, count)
    _, results = test()
    return [found for row in results.values() for found in row if isinstance(found, Result)]
