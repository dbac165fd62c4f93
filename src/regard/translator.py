"""text -> text: the one place that joins pieces, model and search."""

import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float

from regard.checkpoint import Checkpoint, digest, load, resolve, take
from regard.engines.engine import Engine
from regard.engines.own import Own
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
)
from regard.text.fit import fit
from regard.text.normalise import normalise
from regard.text.pieces import BOS, EOS, Pieces
from regard.text.warnings import warnings
from regard.trace import About, Kind, Side, Trace
from regard.trace.capture import Steps, attentions, silenced
from regard.translation import Translation, joined

ENGINES = ("regard", "ctranslate2")
"""What can search a model: we, or somebody else."""


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
        self.own = Own(model)
        self.model = self.own.model
        self.source = source
        self.target = target
        self.search = search or SearchOptions()
        self.engine: Engine = engine or self.own
        self.longest = min(longest, self.engine.longest)
        self.about = about or About(family=type(model).__name__)

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
        parts, ids = self._parts(texts)
        flat = [part for several in parts for part in several]
        said = [Translation(part, ended=not row) for part, row in zip(flat, ids, strict=True)]
        asked = [i for i, row in enumerate(ids) if 0 < len(row) < self.longest]
        rows = [[*ids[i], EOS] for i in asked]
        if self.engine is self.own:
            begins = dict(zip(accumulate(map(len, parts), initial=0), begin, strict=False))
            found = self.own.find(
                rows,
                self.search,
                begin=[self.target.split(begins.get(i, "")) for i in asked],
                sampling=sampling,
                generator=generator,
                observer=observer,
            )
        elif sampling or any(begin) or observer:
            raise RecipeError("only our own engine samples, begins as told and can be watched")
        else:
            found = self.engine.find(rows, self.search)
        for number, hypotheses in found:
            i = asked[number]
            best, *others = hypotheses
            said[i] = self._said(best, flat[i], length=len(ids[i]), others=others)
        each = iter(said)
        return [joined(several, [next(each) for _ in several]) for several in parts]

    def _parts(self, texts: Sequence[str]) -> tuple[list[list[str]], list[list[int]]]:
        """Each text's parts, and each part's ids; a text that is short enough is one part."""
        parts: list[list[str]] = []
        ids: list[list[int]] = []
        room = self.longest - 1  # one for EOS
        plain = [normalise(text) for text in texts]
        for text, whole, row in zip(texts, plain, self.source.split_normalised(plain), strict=True):
            if len(row) <= room:
                parts.append([text])
                ids.append(row)
            else:
                parts.append(fit(whole, lambda part: len(self.source.split(part)), room=room))
                ids += map(self.source.split, parts[-1])
        return parts, ids

    def _said(
        self,
        hypothesis: Hypothesis,
        source: str,
        *,
        length: int,
        others: Sequence[Hypothesis] = (),
    ) -> Translation:
        text = normalise(self.target.join(hypothesis.pieces))  # one line, whatever was found
        lengths = length, len(hypothesis.pieces)
        odd = warnings(normalise(source), text, lengths=lengths) if hypothesis.pieces else ()
        return Translation(
            text,
            hypothesis.score,
            ended=hypothesis.ended,
            pieces=hypothesis.pieces,
            warnings=odd,
            others=tuple(self._said(other, source, length=length) for other in others),
        )

    def find(self, sources: Sequence[Sequence[int]]) -> list[list[Hypothesis]]:
        """Hypotheses of each source, best first, as many as `search` asks for.

        With our own engine, on a CPU, in float32, they and their scores are bit for bit the same
        whatever a source's neighbours are, and however many.

        Args:
            sources: Ids of each source's pieces, without EOS; none is empty.
        """
        found = dict(self.engine.find([[*row, EOS] for row in sources], self.search))
        return [found[i] for i in range(len(sources))]

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
                ((_, (found, *_)),) = self.own.find([ids], self.search, observer=steps)
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
        return self.own.log_probs(*([[*row, EOS] for row in side] for side in (sources, targets)))

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return self.own.device
