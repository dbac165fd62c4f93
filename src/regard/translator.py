"""text -> text: the one place that joins pieces, model and search."""

import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float, Int

from regard.checkpoint import Checkpoint, digest, load, resolve, take
from regard.data.batch import Batch, Sentences
from regard.data.budget import STEP, alike
from regard.data.examples import Examples, Ragged
from regard.errors import CheckpointError, NotFiniteError, RecipeError, RequestError
from regard.models.build import build
from regard.models.config import config_of
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
from regard.text.fit import fit
from regard.text.normalise import normalise
from regard.text.pieces import BOS, EOS, Pieces
from regard.text.warnings import Warning, warnings
from regard.trace import About, Kind, Side, Trace
from regard.trace.capture import Steps, attentions, silenced
from regard.workers import side_by_side

PIECES = 2048
"""How many source pieces are translated at once, padding counted."""


@dataclass(frozen=True)
class Translation:
    """One translated text.

    Attributes:
        text: The translation; the source itself where it is blank.
        score: What the search ranked it by: log-probability over length penalty; 0 if not asked;
            the sum of the parts'.
        ended: Whether the search came to an end within the limit; if not, `text` is not to be
            trusted.
        parts: In how many parts it was translated; more than one where the text is longer than
            what the model has learnt from.
        pieces: The ids that `text` was joined from.
        warnings: What to look at twice.
        others: The next best, if more than one was asked for; none if there are parts.
    """

    text: str
    score: float = 0.0
    ended: bool = True
    parts: int = 1
    pieces: tuple[int, ...] = ()
    warnings: tuple[Warning, ...] = ()
    others: tuple["Translation", ...] = ()


ENGINES = ("regard", "ctranslate2")
"""What can search a model: we, or somebody else."""


@runtime_checkable
class Engine(Protocol):
    """Somebody else's way from ids to hypotheses."""

    longest: int

    def check(self, options: SearchOptions) -> None:
        """Raise a RecipeError if there is a rule that it lacks."""
        ...

    def find(self, rows: Sequence[Sequence[int]], options: SearchOptions) -> list[list[Hypothesis]]:
        """The best hypotheses for each row of ids, which ends in EOS."""
        ...


class Translator:
    """A trained model with its pieces and its way of searching."""

    def __init__(
        self,
        model: EncoderDecoder | Ensemble,
        source: Pieces,
        target: Pieces,
        *,
        search: SearchOptions | None = None,
        longest: int = sys.maxsize,
        engine: Engine | None = None,
        about: About | None = None,
    ):
        """From its parts.

        Args:
            model: What was trained.
            source: The pieces of what it reads.
            target: The pieces of what it writes.
            search: How to search.
            longest: The most pieces, EOS counted, that a text had which it learnt from.
            engine: What searches it; we ourselves if None.
            about: Where it comes from, for those who look at its traces.
        """
        self.model = cast("EncoderDecoder", model.eval())
        self.source = source
        self.target = target
        self.search = search or SearchOptions()
        self.longest = min(longest, (engine or model).longest)
        self.about = about or About(family=type(model).__name__)
        self.engine = engine

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        device: str | torch.device = "cpu",
        engine: str = "regard",
        approximate: bool = False,
    ) -> "Translator":
        """From a run (its average if there is one, else its best checkpoint) or a checkpoint.

        Args:
            path: The run.
            device: Where the model is to be.
            engine: What searches: "regard", or "ctranslate2" with what `regard export` made.
            approximate: Whether another engine takes its nearest for a rule that it lacks.

        Raises:
            CheckpointError: there is none, it is damaged, or it is another version's; or what was
                exported is not of this checkpoint.
            RecipeError: the engine is unknown, or not here.
        """
        if engine not in ENGINES:
            raise RecipeError(f"engine '{engine}' must be one of {', '.join(ENGINES)}")
        folder = resolve(Path(path))
        try:
            translator = cls.of(load(folder), device=device)
        except (TypeError, KeyError, ValueError) as error:
            raise CheckpointError(f"{folder} holds a recipe that cannot be read: {error}") from None
        checkpoint = f"{folder.name} {digest(folder)[:16]}"
        translator.about = replace(translator.about, model=Path(path).name, checkpoint=checkpoint)
        if engine == "regard":
            return translator
        return translator._by_ctranslate2(Path(path), folder, approximate=approximate)

    def _by_ctranslate2(self, run: Path, folder: Path, *, approximate: bool) -> "Translator":
        from regard.engines import export
        from regard.engines.ctranslate2 import CTranslate2

        exported = export.load(run / export.FOLDER)
        if exported.digest != digest(folder):
            raise CheckpointError(
                f"{run / export.FOLDER} was not made from {folder}; make it again:"
                f" regard export {run} --to ctranslate2"
            )
        return self.through(
            CTranslate2(exported, self.source, self.target, approximate=approximate)
        )

    def through(self, engine: Engine) -> "Translator":
        """The same, searched by an engine."""
        return Translator(
            self.model,
            self.source,
            self.target,
            search=self.search,
            longest=self.longest,
            engine=engine,
            about=self.about,
        )

    @classmethod
    def together(cls, translators: Sequence["Translator"]) -> "Translator":
        """Several as one, an ensemble: models of any family; all else is the first one's.

        Raises:
            CheckpointError: one of them has other pieces than the first.
        """
        first = translators[0]
        for number, each in enumerate(translators[1:], start=2):
            if (each.source.model, each.target.model) != (first.source.model, first.target.model):
                raise CheckpointError(
                    f"model {number} of the ensemble has other pieces than the first; learn all"
                    " with one vocabulary, for example --from one run"
                )
        return cls(
            Ensemble([each.model for each in translators]),
            first.source,
            first.target,
            search=first.search,
            longest=min(each.longest for each in translators),
        )

    @classmethod
    def of(cls, checkpoint: Checkpoint, *, device: str | torch.device = "cpu") -> "Translator":
        """From what a checkpoint holds."""
        model = build(
            config_of(checkpoint.recipe["model"]),
            source_rows=len(checkpoint.source),
            target_rows=len(checkpoint.target),
        )
        take(model, checkpoint.parameters)
        return cls(
            model.to(device),
            checkpoint.source,
            checkpoint.target,
            search=SearchOptions(**checkpoint.recipe["search"]),
            longest=checkpoint.recipe["data"]["longest"],
        )

    def with_search(self, **changes: int | float | str | None) -> "Translator":
        """The same with other search options; None leaves one as it is.

        Raises:
            RecipeError: an option that cannot be, or that the engine lacks.
        """
        given = {name: value for name, value in changes.items() if value is not None}
        try:
            search = replace(self.search, **given)
        except ValueError as error:
            raise RecipeError(str(error)) from None
        if self.engine:
            self.engine.check(search)
        changed = copy(self)
        changed.search = search
        return changed

    def translate(
        self,
        texts: Sequence[str],
        *,
        begin: Sequence[str] = (),
        sampling: SampleOptions | None = None,
        generator: torch.Generator | None = None,
        observer: Observer | None = None,
    ) -> list[Translation]:
        """Translate texts, one by one in effect: in their order, as many as were given.

        Args:
            texts: What to translate. Blank ones come back as they are; those longer than what the
                model has learnt from are translated in parts.
            begin: What each translation begins with; nothing if it is not given.
            sampling: Draws translations in place of searching the best.
            generator: What they are drawn by.
            observer: Is shown every step of the search.
        """
        parts = [self._parts(text) for text in texts]
        flat = [part for several in parts for part in several]
        ids = [self.source.split(part) for part in flat]
        asked = [i for i, row in enumerate(ids) if 0 < len(row) < self.longest]
        begins = dict(zip(accumulate(map(len, parts), initial=0), begin, strict=False))
        hypotheses = self.find(
            [ids[i] for i in asked],
            begin=[self.target.split(begins.get(i, "")) for i in asked],
            sampling=sampling,
            generator=generator,
            observer=observer,
        )
        said = [Translation(part, ended=not row) for part, row in zip(flat, ids, strict=True)]
        for i, several in zip(asked, hypotheses, strict=True):
            best, *others = (self._said(hypothesis) for hypothesis in several)
            said[i] = replace(best, others=tuple(others))
        found = iter(said)
        return [
            self._judged(text, _joined(several, [next(found) for _ in several]))
            for text, several in zip(texts, parts, strict=True)
        ]

    def _parts(self, text: str) -> list[str]:
        room = self.longest - 1  # one for EOS
        if len(self.source.split(text)) <= room:
            return [text]
        return fit(normalise(text), lambda part: len(self.source.split(part)), room=room)

    def _said(self, hypothesis: Hypothesis) -> Translation:
        text = normalise(self.target.join(hypothesis.pieces))  # one line, whatever was found
        return Translation(text, hypothesis.score, ended=hypothesis.ended, pieces=hypothesis.pieces)

    def _judged(self, source: str, translation: Translation) -> Translation:
        lengths = len(self.source.split(source)), len(translation.pieces)
        found = warnings(normalise(source), translation.text, lengths=lengths)
        return replace(translation, warnings=found) if translation.pieces else translation

    def find(
        self,
        sources: Sequence[Sequence[int]],
        *,
        begin: Sequence[Sequence[int]] = (),
        sampling: SampleOptions | None = None,
        generator: torch.Generator | None = None,
        observer: Observer | None = None,
    ) -> list[list[Hypothesis]]:
        """Hypotheses of each source, best first, as many as `search` asks for.

        On a CPU, in float32, they and their scores are bit for bit the same whatever a source's
        neighbours are, and however many.

        Args:
            sources: Ids of each source's pieces, without EOS; none is empty.
            begin: Ids that each source's hypotheses begin with.
            sampling: Draws hypotheses in place of searching the best.
            generator: What they are drawn by.
            observer: Is shown every step of the search.
        """
        if self.engine:
            self.engine.check(self.search)
            if sampling or any(begin) or observer:
                raise RecipeError("only our own engine samples, begins as told and can be watched")
            return self.engine.find([[*row, EOS] for row in sources], self.search)
        return self._search(
            sources, begin=begin, sampling=sampling, generator=generator, observer=observer
        )

    def _search(
        self,
        sources: Sequence[Sequence[int]],
        *,
        begin: Sequence[Sequence[int]] = (),
        sampling: SampleOptions | None = None,
        generator: torch.Generator | None = None,
        observer: Observer | None = None,
    ) -> list[list[Hypothesis]]:
        seeds: list[int] = []
        if sampling:  # a search draws nothing: a training goes on with the numbers that it had
            seeds = torch.randint(2**62, (len(sources),), generator=generator).tolist()

        @torch.inference_mode()
        def search(group: Int[np.ndarray, " group"]) -> list[list[Hypothesis]]:
            chosen = group.tolist()
            given = [[*sources[i], EOS] for i in chosen]
            source = Sentences.of(given, step=STEP, longest=self.model.longest).to(self.device)
            state = self.model.start(self.model.encode(source))
            most = [min(self.search.most(len(row)), self.model.longest) for row in given]
            limits = torch.tensor(most, device=self.device)
            rules = rules_of(self.search, [begin[i] for i in chosen] if begin else ())
            asked = self.model, state, limits, self.search
            if sampling is None:
                return beam_search(*asked, rules=rules, observer=observer)
            generators = [torch.Generator().manual_seed(seeds[i]) for i in chosen]
            return sample(*asked, sampling, generators, rules=rules, observer=observer)

        lengths = np.array([len(row) + 1 for row in sources], dtype=np.int64)
        batches = alike(lengths, lengths, pieces=PIECES)[::-1]  # long ones first
        together = observer is None and self.device.type == "cpu"
        found = side_by_side(search, batches) if together else map(search, batches)
        results: list[Any] = [None] * len(sources)
        for group, several in zip(batches, found, strict=True):
            for i, hypotheses in zip(group.tolist(), several, strict=True):
                results[i] = hypotheses
        return results

    def trace(
        self,
        text: str,
        *,
        target: str | None = None,
        values: bool = False,
        without: Sequence[tuple[Kind, int, int]] = (),
    ) -> Trace:
        """What every attention did with a text and its translation.

        Args:
            text: The source.
            target: A translation to be looked at; the one that the search finds if None.
            values: Whether to keep what the attentions mixed.
            without: Heads (kind, layer, head) whose answer is taken for nought.

        Raises:
            RequestError: the text or the target is blank, or longer than what the model has
                learnt from; or there is no such head.
            NotFiniteError: the model says what is not a number.
        """
        if isinstance(self.model, Ensemble):
            raise RecipeError("a trace shows one model, and this is an ensemble; load one run")
        ids = self._ids("the text to look at", self.source, text)
        steps = Steps(self.target, beam=self.search.beam)
        with silenced(self.model, without):
            if target is None:
                ((found, *_),) = self._search([ids[:-1]], observer=steps)
                said = [*found.pieces, EOS] if found.ended else list(found.pieces)
            else:
                said = self._ids("the target", self.target, target)
            attended, log_probs = attentions(self.model, ids, said, values=values)
        if not np.isfinite(log_probs).all():
            raise NotFiniteError("the model's numbers are not finite; take another checkpoint")
        return Trace(
            text=normalise(text),
            translation=normalise(self.target.join(said)),
            source=Side.of(self.source, ids),
            target_in=Side.of(self.target, [BOS, *said[:-1]]),
            target_out=Side.of(self.target, said),
            attentions=tuple(attended),
            forced=target is not None,
            log_prob=float(log_probs.sum()),
            steps=tuple(steps.steps),
            about=self.about,
        )

    def _ids(self, what: str, pieces: Pieces, text: str) -> list[int]:
        ids = [*pieces.split(text), EOS]
        if len(ids) == 1:
            raise RequestError(f"{what} is blank; give a sentence")
        if len(ids) > self.longest:
            raise RequestError(
                f"{what} has {len(ids)} pieces, the model has learnt from at most {self.longest};"
                " give one sentence"
            )
        return ids

    @torch.inference_mode()
    def log_probs(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> list[Float[np.ndarray, " pieces"]]:
        """Log-probability in nats of each piece of given targets, then of EOS: forced decoding.

        It is what the search would have given them, whatever a target's neighbours are.

        Args:
            sources: Ids of each source's pieces, without EOS.
            targets: Ids of each target's pieces, without BOS and EOS.

        Raises:
            ValueError: a side is longer than the model has positions.
        """
        examples = Examples(
            Ragged.of([[*row, EOS] for row in sources]), Ragged.of([[*row, EOS] for row in targets])
        )
        lengths = examples.source.lengths, examples.target.lengths
        if max(int(side.max(initial=0)) for side in lengths) > self.model.longest:
            raise ValueError(f"a sentence is longer than {self.model.longest - 1} pieces")
        found: list[Any] = [None] * len(examples)
        for rows in alike(*lengths, pieces=PIECES):
            batch = Batch.of(examples, rows, step=STEP, longest=self.model.longest).to(self.device)
            log_probs = self.model.log_probs(batch).cpu().numpy()
            for i, values in zip(rows.tolist(), log_probs, strict=True):
                found[i] = values[: lengths[1][i]]
        return found

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.model.parameters()).device


def _joined(parts: list[str], found: list[Translation]) -> Translation:
    if len(found) == 1:
        return found[0]
    texts = [each.text + " " * part.endswith(" ") for part, each in zip(parts, found, strict=True)]
    return Translation(
        normalise("".join(texts)),
        sum(each.score for each in found),
        ended=all(each.ended for each in found),
        parts=len(found),
        pieces=tuple(piece for each in found for piece in each.pieces),
    )
