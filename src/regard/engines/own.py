"""ids -> hypotheses, and the chances of given ones, by the model itself."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import torch
from jaxtyping import Float, Int

from regard.data.batch import Batch, Sentences
from regard.data.budget import STEP, alike
from regard.data.examples import Examples, Ragged
from regard.models.encoder_decoder import EncoderDecoder
from regard.search import (
    Ensemble,
    Hypothesis,
    Observer,
    SampleOptions,
    SearchOptions,
    beam_search,
    rules_of,
    sample,
)
from regard.workers import side_by_side

PIECES = 2048
"""How many source pieces are translated at once, padding counted."""


class Own:
    """Our engine: the one that samples, goes on from a beginning, and can be watched."""

    def __init__(self, model: EncoderDecoder | Ensemble):
        """Of a model, which learns no more."""
        self.model = cast("EncoderDecoder", model.eval())
        self.longest = model.longest

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.model.parameters()).device

    def check(self, options: SearchOptions) -> None:
        """Every rule is there."""

    def find(
        self,
        rows: Sequence[Sequence[int]],
        options: SearchOptions,
        *,
        begin: Sequence[Sequence[int]] = (),
        sampling: SampleOptions | None = None,
        generator: torch.Generator | None = None,
        observer: Observer | None = None,
    ) -> Iterator[tuple[int, list[Hypothesis]]]:
        """As `Translator.find`: a row's number and what was found for it; long rows first.

        On a CPU, in float32, that is bit for bit the same whatever a row's neighbours are, and
        however many.
        """
        seeds: list[int] = []
        if sampling:  # a search draws nothing: a training goes on with the numbers that it had
            seeds = torch.randint(2**62, (len(rows),), generator=generator).tolist()

        @torch.inference_mode()
        def search(group: Int[np.ndarray, " group"]) -> list[list[Hypothesis]]:
            chosen = group.tolist()
            given = [rows[i] for i in chosen]
            source = Sentences.of(given, step=STEP, longest=self.longest).to(self.device)
            state = self.model.start(self.model.encode(source))
            most = [min(options.most(len(row)), self.longest) for row in given]
            limits = torch.tensor(most, device=self.device)
            rules = rules_of(options, [begin[i] for i in chosen] if begin else ())
            asked = self.model, state, limits, options
            if sampling is None:
                return beam_search(*asked, rules=rules, observer=observer)
            generators = [torch.Generator().manual_seed(seeds[i]) for i in chosen]
            return sample(*asked, sampling, generators, rules=rules, observer=observer)

        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        batches = alike(lengths, lengths, pieces=PIECES)[::-1]  # long ones first
        together = observer is None and self.device.type == "cpu"
        found = side_by_side(search, batches) if together else map(search, batches)
        for group, several in zip(batches, found, strict=True):
            yield from zip(group.tolist(), several, strict=True)

    @torch.inference_mode()
    def log_probs(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> list[Float[np.ndarray, " pieces"]]:
        """As `Translator.log_probs`; rows end in EOS."""
        examples = Examples(Ragged.of(sources), Ragged.of(targets))
        lengths = examples.source.lengths, examples.target.lengths
        if max(int(side.max(initial=0)) for side in lengths) > self.longest:
            raise ValueError(f"a sentence is longer than {self.longest - 1} pieces")
        found: list[Any] = [None] * len(examples)
        for rows in alike(*lengths, pieces=PIECES):
            batch = Batch.of(examples, rows, step=STEP, longest=self.longest).to(self.device)
            log_probs = self.model.log_probs(batch).cpu().numpy()
            for i, values in zip(rows.tolist(), log_probs, strict=True):
                found[i] = values[: lengths[1][i]]
        return found
