"""ids -> hypotheses, by CTranslate2.

Its beam search drops and keeps the same hypotheses as ours, but stops when as many have ended as
the beam is wide; what it has found by then is ranked here, by our own score.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from regard.data.budget import groups
from regard.engines.export import Exported
from regard.engines.specification import the_engine
from regard.errors import RecipeError
from regard.search import Hypothesis, SearchOptions
from regard.text.pieces import EOS, Pieces

BATCH = 256
"""How many pieces are translated at once by one worker, padding counted."""


class CTranslate2:
    """An exported model, and the workers that run it: as many as there are processors.

    Two workers of one thread each are half as fast again as one of two threads.
    """

    def __init__(
        self, exported: Exported, source: Pieces, target: Pieces, *, approximate: bool = False
    ):
        """Begin its workers.

        Args:
            exported: The model.
            source: The pieces of what it reads.
            target: The pieces of what it writes.
            approximate: Whether rules of search that CTranslate2 lacks are replaced by its nearest.

        Raises:
            RecipeError: this machine cannot run it.
        """
        self.longest = exported.positions
        self.approximate = approximate
        self._source = [source.piece(i) for i in range(len(source))]
        self._target = {target.piece(i): i for i in range(len(target))}
        engine = the_engine()
        try:
            self._engine = engine.Translator(
                "exported",
                files={name: exported.files[name] for name in exported.files if _is_theirs(name)},
                compute_type=exported.stored_as,
                inter_threads=len(os.sched_getaffinity(0)),
                intra_threads=1,
                max_queued_batches=-1,
            )
        except (ValueError, RuntimeError) as error:
            raise RecipeError(
                f"CTranslate2 cannot run what is stored as {exported.stored_as} here:"
                f" {str(error).rstrip('.')}; export it as float32 or int8"
            ) from None

    def find(
        self, rows: Sequence[Sequence[int]], options: SearchOptions
    ) -> Iterator[tuple[int, list[Hypothesis]]]:
        """Each row's number and its best hypotheses, long rows first, while others are searched.

        Raises:
            RecipeError: a rule of search that CTranslate2 lacks, unless it may be approximated.
        """
        self.check(options)
        alpha = _alpha(options)
        words = [[self._source[i] for i in row[:-1]] for row in rows]
        asked: list[tuple[list[int], list[Any]]] = []
        for batch in _batches(rows):
            limit = max(options.most(len(rows[i])) for i in batch)
            answers = self._engine.translate_batch(
                [words[i] for i in batch],
                beam_size=options.beam,
                num_hypotheses=options.beam if _is_gnmt(options) else options.best,
                length_penalty=alpha,
                min_decoding_length=0,  # or the first piece would have the chances of EOS as well
                max_input_length=0,
                max_decoding_length=min(limit, self.longest),
                return_scores=True,
                return_end_token=True,
                asynchronous=True,
            )
            asked.append((batch, answers))
        for batch, answers in asked:
            for i, answer in zip(batch, answers, strict=True):
                yield i, self._ranked(answer.result(), alpha, options)[: options.best]

    def check(self, options: SearchOptions) -> None:
        """Raise a RecipeError if `options` have a rule that CTranslate2 lacks."""
        if options.shortest or options.no_repeat or options.stop == "first":
            raise RecipeError(  # its scores are then no log-probabilities of the model's
                "only our own engine has shortest, no_repeat and stop 'first'; leave them out"
            )
        missing = []
        if _is_gnmt(options):
            missing.append("the length penalty of GNMT (it has --penalty length, or none)")
        if options.longest is None:
            missing.append("a limit that grows with the source (it has --longest)")
        if missing and not self.approximate:
            raise RecipeError(
                f"CTranslate2 lacks {' and '.join(missing)}; choose what it has, or --approximate"
            )

    def _ranked(self, result: Any, alpha: float, options: SearchOptions) -> list[Hypothesis]:
        found = []
        for words, score in zip(result.hypotheses, result.scores, strict=True):
            log_prob = score * len(words) ** alpha
            ids = tuple(map(self._target.__getitem__, words))
            ended = bool(ids) and ids[-1] == EOS
            found.append(
                Hypothesis(
                    ids[:-1] if ended else ids,
                    log_prob,
                    options.penalised(log_prob, len(ids)),
                    ended,
                )
            )
        return sorted(found, key=lambda one: (not one.ended, -one.score))


def _is_gnmt(options: SearchOptions) -> bool:
    return options.beam > 1 and options.penalty == "gnmt" and options.alpha > 0


def _alpha(options: SearchOptions) -> float:
    """The exponent of CTranslate2's penalty; with one above 0 it waits for a whole beam to end."""
    return 0.0 if options.beam == 1 or options.penalty == "none" else options.alpha


def _batches(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows of similar length together, the longest first, so that no worker ends long after all."""
    lengths = np.array([len(row) for row in rows])
    pieces = max(BATCH, int(lengths.max()))
    found = groups(lengths, lengths, pieces=pieces, order=np.arange(len(rows)))
    return [batch.tolist() for batch in reversed(found)]


def _is_theirs(name: str) -> bool:
    return name in ("model.bin", "config.json") or name.endswith("_vocabulary.json")
