"""TOML -> a recipe: all that a training is told, read strictly."""

import difflib
import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError

from regard.data.corpus import DataOptions
from regard.errors import RecipeError
from regard.evaluate.bleu import TOKENIZERS
from regard.models.config import FAMILIES, ModelOptions, TransformerConfig, family_of
from regard.search import SearchOptions
from regard.text.pieces import PiecesOptions

_SEEDS = 2**63


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """How to learn; the defaults are the paper's for one machine as big as theirs (section 5).

    Attributes:
        updates: How many to make.
        batch: The most source and the most target pieces in a batch, padding counted.
        accumulate: How many batches make one update.
        warmup: Updates while the learning rate rises.
        factor: What the paper's learning rate is multiplied by.
        cooldown: Updates at the end while the rate falls to zero; the paper has none.
        label_smoothing: Probability that is taken off the right piece.
        clip: Longest gradient, longer ones are shortened; 0 for none.
        seed: What initial values, order and dropout follow from.
        average: How many of the last checkpoints to average at the end; 0 for none.
        keep: How many of the last checkpoints to keep, beside the best.
        patience: Stop after so many validations without a better one; 0 for never.
        nonfinite: Stop after so many updates in a row whose loss or gradient was not finite; their
            steps are not taken.
        precision: "float32"; "bfloat16" for the matrix products; "auto" for whichever of these is
            faster here, measured once when a run begins; "tf32" on a GPU that has it.
        compile: Whether the Transformer's layers are compiled by torch.compile: the first updates
            take minutes, the others less.
    """

    updates: int = 100_000
    batch: int = 25_000
    accumulate: int = 1
    warmup: int = 4000
    factor: float = 1.0
    cooldown: int = 0
    label_smoothing: float = 0.1
    clip: float = 0.0
    seed: int = 1
    average: int = 5
    keep: int = 5
    patience: int = 0
    nonfinite: int = 5
    precision: Literal["float32", "tf32", "bfloat16", "auto"] = "float32"
    compile: bool = False

    def __post_init__(self):
        for name in ("updates", "batch", "accumulate", "warmup", "keep", "nonfinite"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} must be at least 1")
        for name in ("factor", "cooldown", "clip", "average", "patience", "seed"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} {getattr(self, name)} must not be negative")
        if self.seed >= _SEEDS:
            raise ValueError(f"seed {self.seed} must be less than {_SEEDS}")
        if not 0 <= self.label_smoothing < 1:
            raise ValueError(f"label_smoothing {self.label_smoothing} must be in [0, 1)")
        if self.average > self.keep:
            raise ValueError(f"average {self.average} needs keep to be as many, not {self.keep}")


@dataclass(frozen=True, kw_only=True)
class ValidationOptions:
    """How progress is judged.

    Attributes:
        every: Updates between validations; each is followed by a checkpoint.
        beam: Beam of the validation's search; 1 is greedy.
        tokenize: sacreBLEU's tokenizer; "none" for text that is tokenised already.
        lowercase: Whether BLEU ignores case.
    """

    every: int = 1000
    beam: int = 1
    tokenize: str = "13a"
    lowercase: bool = False

    def __post_init__(self):
        for name in ("every", "beam"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} must be at least 1")
        if self.tokenize not in TOKENIZERS:
            raise ValueError(f"tokenize '{self.tokenize}' must be one of {', '.join(TOKENIZERS)}")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All that a training is told, a section for each room."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    data: DataOptions
    pieces: PiecesOptions = field(default_factory=PiecesOptions)
    model: ModelOptions = field(default_factory=TransformerConfig)
    training: TrainingOptions = field(default_factory=TrainingOptions)
    validation: ValidationOptions = field(default_factory=ValidationOptions)
    search: SearchOptions = field(default_factory=SearchOptions)

    def __post_init__(self):
        if self.training.batch < self.data.longest:
            raise ValueError(
                f"training.batch {self.training.batch} must hold a pair of data.longest"
                f" {self.data.longest} pieces"
            )
        needed = self.data.longest + self.search.extra
        if self.model.room is not None and self.model.room < needed:
            raise ValueError(
                f"model.longest {self.model.room} must be at least {needed}, data.longest and"
                " search.extra, where positions are learned"
            )
        if self.model.tie == "all" and not self.pieces.joint:
            raise ValueError("model.tie = 'all' needs pieces.joint = true; or tie = 'target'")

    def as_json(self) -> dict[str, Any]:
        """Every option, spelt out."""
        return asdict(self)


def read_recipe(path: Path, changes: Sequence[str] = ()) -> Recipe:
    """Read a recipe, with `changes` of the form "section.key=value" made to it.

    A recipe that says `extends = "other.toml"` is the other one, beside it, with changes; a model
    of another family replaces the other's.

    Raises:
        RecipeError: no such file, no TOML, or a key or value that is not known.
    """
    content = _read(path)
    for change in changes:
        _change(content, change)
    return recipe_of(content, name=str(path))


def _read(path: Path, extended_by: Sequence[Path] = ()) -> dict[str, Any]:
    if path in extended_by:
        raise RecipeError(f"recipe {path} extends itself")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RecipeError(f"recipe {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RecipeError(f"recipe {path} is not TOML: {error}") from None
    if "extends" not in content:
        return content
    named = path.parent / str(content.pop("extends"))
    other = _read(Path(os.path.normpath(named)), [*extended_by, path])
    for section, options in content.items():
        old = other.get(section, {})
        both = isinstance(options, dict) and isinstance(old, dict)
        if both and options.get("family", family_of(old)) != family_of(old):
            old = {}  # another family has other options
        other[section] = old | options if both else options
    return other


def recipe_of(content: dict[str, Any], *, name: str) -> Recipe:
    """A recipe from its sections; `name` is for messages.

    Raises:
        RecipeError: every key or value that cannot be, the nearest known key beside it.
    """
    try:
        return TypeAdapter(Recipe).validate_json(json.dumps(content, default=str))
    except ValidationError as error:
        raise RecipeError(f"recipe {name}: " + "; ".join(map(_explain, error.errors()))) from None


def _change(content: dict[str, Any], change: str) -> None:
    key, equals, value = change.partition("=")
    *sections, last = key.strip().split(".")
    if not equals or not sections or not all((*sections, last)):
        raise RecipeError(f"--set {change}: write section.key=value, as in training.updates=500")
    for section in sections:
        content = content.setdefault(section, {})
        if not isinstance(content, dict):
            raise RecipeError(f"--set {change}: {section} is no section")
    try:
        content[last] = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        content[last] = value.strip()  # a word without quotes


def _explain(error: Any) -> str:
    if error["type"] == "union_tag_invalid":
        return f"model.family '{error['ctx']['tag']}' is not one of {', '.join(FAMILIES)}"
    section, *rest = map(str, error["loc"]) if error["loc"] else ("",)
    family = "transformer"
    if section == "model" and rest and rest[0] in FAMILIES:
        family, *rest = rest  # which family it is, is no part of the key
    place = ".".join((section, *rest))
    if error["type"] == "unexpected_keyword_argument":
        known = [key for key in _known_keys(Recipe) if not key.startswith("model.")]
        known += [f"model.{option.name}" for option in fields(FAMILIES[family])]
        nearest = max(known, key=partial(_likeness, place))
        return f"unknown key {place}; did you mean {nearest}?"
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "value_error":
        return f"{place}: {message}" if place else message
    if error["type"] == "missing":
        return f"{place} is missing"
    return f"{place} is {json.dumps(error['input'])}; {message[0].lower()}{message[1:]}"


def _known_keys(kind: Any, section: str = "") -> Iterator[str]:
    for option in fields(kind):
        yield section + option.name
        for part in _parts(option.type):
            if is_dataclass(part):
                yield from _known_keys(part, f"{section}{option.name}.")


def _parts(kind: Any) -> Iterator[Any]:
    """A type, and the types that it is made of."""
    yield kind
    for part in get_args(kind):
        yield from _parts(part)


def _likeness(key: str, known: str) -> float:
    """How alike two keys are: by name first, by section where names are much the same."""
    pairs = zip(key.rpartition("."), known.rpartition("."), strict=True)
    section, _, name = (difflib.SequenceMatcher(None, a, b).ratio() for a, b in pairs)
    return name + section / 3
