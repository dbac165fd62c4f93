"""options -> the shape of a model, checked: one record a family."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import Discriminator, Tag
from torch import Tensor

Count = TypeVar("Count", int, Tensor)
"""A number of pieces, or one for each sentence."""

Tie = Literal["all", "target", "none"]
"""Which of source embedding, target embedding and output are one matrix: "all" of them (Vaswani et
al. 2017, 3.4), "target" (the latter two) or "none"."""

ScoreName = Literal["dot", "scaled_dot", "general", "reduced_rank", "additive"]


class _Config:
    """What all shapes have: checks, and room for any sentence unless they say otherwise."""

    @property
    def room(self) -> int | None:
        """How many positions a sentence may have; None if any number."""
        return None

    def _check_words(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            if get_origin(kind) is Literal and getattr(self, name) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise ValueError(f"{name} '{getattr(self, name)}' must be one of {known}")

    def _check_counts(self, *names: str) -> None:
        for name in names:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} must be at least 1")

    def _check_chances(self, *names: str) -> None:
        for name in names:
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} is not a chance: 0 <= p < 1")


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(_Config):
    """A Transformer's shape; the defaults are the paper's base model (Table 3).

    Attributes:
        family: "transformer".
        d_model: Width of every vector between layers.
        d_ff: Width inside the feed-forward networks.
        heads: Attentions side by side.
        d_k: Width of a head's queries and keys; d_model / heads if 0.
        d_v: Width of a head's values; d_model / heads if 0.
        encoder_layers: N of the encoder.
        decoder_layers: N of the decoder.
        encoder_window: How far a position of the source may look to either side (section 4,
            "restricted"); everywhere if it is not given.
        dropout: P_drop of section 5.4.
        attention_dropout: The same on attention weights; named in section 6.3, not in 5.4.
        activation_dropout: The same after the ReLU; not in the paper.
        norm: "post" as in the paper, "pre" as in tensor2tensor's later versions.
        positions: "sinusoids" as printed, "halves" as in tensor2tensor, or "learned".
        longest: How many positions are learned, if they are.
        tie: "all", "target" or "none".
    """

    family: Literal["transformer"] = "transformer"
    d_model: int = 512
    d_ff: int = 2048
    heads: int = 8
    d_k: int = 0
    d_v: int = 0
    encoder_layers: int = 6
    decoder_layers: int = 6
    encoder_window: int | None = None
    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    norm: Literal["post", "pre"] = "post"
    positions: Literal["sinusoids", "halves", "learned"] = "sinusoids"
    longest: int = 512
    tie: Tie = "all"

    def __post_init__(self):
        self._check_words()
        self._check_counts(
            "d_model", "d_ff", "heads", "encoder_layers", "decoder_layers", "longest"
        )
        self._check_chances("dropout", "attention_dropout", "activation_dropout")
        if self.d_k < 0 or self.d_v < 0:
            raise ValueError(f"d_k {self.d_k} and d_v {self.d_v} must not be negative")
        if self.encoder_window is not None and self.encoder_window < 0:
            raise ValueError(f"encoder_window {self.encoder_window} must not be negative")
        if self.d_model % self.heads and not (self.d_k and self.d_v):
            raise ValueError(
                f"d_model {self.d_model} cannot be shared by {self.heads} heads; give d_k and d_v"
            )

    @classmethod
    def base(cls) -> "TransformerConfig":
        """The paper's base model (Table 3)."""
        return cls()

    @classmethod
    def big(cls) -> "TransformerConfig":
        """The paper's big model (Table 3)."""
        return cls(d_model=1024, d_ff=4096, heads=16, dropout=0.3)

    @classmethod
    def tiny(cls) -> "TransformerConfig":
        """A model for small corpora and two cores (Wu et al. 2021 use it on Multi30k)."""
        return cls(d_model=128, d_ff=256, heads=4, encoder_layers=4, decoder_layers=4, dropout=0.3)

    @property
    def room(self) -> int | None:
        """How many positions a sentence may have; None if any number."""
        return self.longest if self.positions == "learned" else None


@dataclass(frozen=True, kw_only=True)
class RecurrentConfig(_Config):
    """The shape of a recurrent encoder-decoder.

    Attributes:
        family: "recurrent".
        cell: "rnn", "gru" or "lstm".
        d_model: Width of embeddings and of a state.
        layers: Of the encoder, and of the decoder.
        bidirectional: Whether the encoder reads both ways; its states are then twice as wide.
        attention: "none" (Sutskever et al. 2014: the last state must hold it all), "bahdanau"
            (2015: the state before scores, maxout before the output), "luong" (2015: the state
            after scores, then tanh(W_c [c; h])) or "cs224n" (the lecture: [a; s] goes into the
            output as it is).
        score: How well a state of the decoder matches one of the encoder.
        d_score: Width inside an additive score, d_model if 0; or the rank of a reduced one.
        input_feeding: Whether the step before hands what it found to the next ("luong", "cs224n").
        dropout: On embeddings, between layers and before the output.
        tie: "all", "target" or "none".
    """

    family: Literal["recurrent"]
    cell: Literal["rnn", "gru", "lstm"] = "gru"
    d_model: int = 256
    layers: int = 1
    bidirectional: bool = True
    attention: Literal["none", "bahdanau", "luong", "cs224n"] = "bahdanau"
    score: ScoreName = "additive"
    d_score: int = 0
    input_feeding: bool = False
    dropout: float = 0.1
    tie: Tie = "all"

    def __post_init__(self):
        self._check_words()
        self._check_counts("d_model", "layers")
        self._check_chances("dropout")
        self._check_score()
        if self.input_feeding and self.attention not in ("luong", "cs224n"):
            raise ValueError(f"input_feeding goes with luong or cs224n, not '{self.attention}'")
        if self.attention == "cs224n" and self.tie != "none":
            raise ValueError("attention 'cs224n' has a wider output than embedding; set tie 'none'")

    def _check_score(self) -> None:
        if self.d_score < 0:
            raise ValueError(f"d_score {self.d_score} must not be negative")
        if self.attention == "none" and (self.score != "additive" or self.d_score):
            raise ValueError(
                f"score '{self.score}' and d_score {self.d_score} say nothing where attention is"
                " 'none'; leave them out"
            )
        if self.d_score and self.score not in ("reduced_rank", "additive"):
            raise ValueError(
                f"d_score {self.d_score} goes with reduced_rank or additive, not '{self.score}'"
            )
        if self.score == "reduced_rank" and not self.d_score:
            raise ValueError("score 'reduced_rank' needs d_score, its rank, got 0")
        if self.bidirectional and "dot" in self.score:
            raise ValueError(
                f"score '{self.score}' needs states of one width, but a bidirectional encoder's are"
                " twice the decoder's; take general, reduced_rank or additive"
            )


@dataclass(frozen=True, kw_only=True)
class ConvS2SConfig(_Config):
    """The shape of a convolutional encoder-decoder after Gehring et al. (2017).

    Attributes:
        family: "convs2s".
        d_model: Width of embeddings, and of what the decoder's attention compares.
        d_hidden: Width of what the convolutions see and make.
        kernel: How many places a convolution sees; odd.
        encoder_layers: Blocks of the encoder.
        decoder_layers: Blocks of the decoder; each has its attention.
        dropout: On embeddings, before convolutions and before the output.
        longest: How many positions are learned.
        tie: "all", "target" or "none".
    """

    family: Literal["convs2s"]
    d_model: int = 256
    d_hidden: int = 256
    kernel: int = 3
    encoder_layers: int = 4
    decoder_layers: int = 4
    dropout: float = 0.1
    longest: int = 1024
    tie: Tie = "all"

    def __post_init__(self):
        self._check_words()
        self._check_counts(
            "d_model", "d_hidden", "kernel", "encoder_layers", "decoder_layers", "longest"
        )
        self._check_chances("dropout")
        _check_odd(self.kernel)

    @property
    def room(self) -> int | None:
        """How many positions a sentence may have."""
        return self.longest


@dataclass(frozen=True, kw_only=True)
class ByteNetConfig(_Config):
    """The shape of a ByteNet (Kalchbrenner et al. 2016).

    Attributes:
        family: "bytenet".
        d_model: Width of embeddings and between blocks; a block works at half of it.
        kernel: How many places a convolution sees; odd.
        dilations: How far apart they are, block by block of a set.
        encoder_sets: Sets of such blocks in the encoder.
        decoder_sets: Sets of such blocks in the decoder.
        stretch: The paper's a: the encoder unfolds to a |s| + b columns.
        extra: The paper's b.
        dropout: On embeddings and on what a block adds; the paper has none.
        tie: "all", "target" or "none".
    """

    family: Literal["bytenet"]
    d_model: int = 256
    kernel: int = 3
    dilations: tuple[int, ...] = (1, 2, 4, 8, 16)
    encoder_sets: int = 1
    decoder_sets: int = 1
    stretch: float = 1.2
    extra: int = 0
    dropout: float = 0.1
    tie: Tie = "all"

    def __post_init__(self):
        self._check_words()
        self._check_counts("d_model", "kernel", "encoder_sets", "decoder_sets")
        self._check_chances("dropout")
        _check_odd(self.kernel)
        if self.d_model % 2:
            raise ValueError(f"d_model {self.d_model} must be even: a block works at half of it")
        if not self.dilations or min(self.dilations) < 1:
            raise ValueError(f"dilations {list(self.dilations)} must each be at least 1")
        if self.stretch < 1 or self.extra < 0:
            raise ValueError(
                f"stretch {self.stretch} must be at least 1 and extra {self.extra} not negative"
            )

    def columns(self, length: Count) -> Count:
        """The least whole number that is not below a |s| + b, a being what was written.

        As numbers with a point, 1.2 x 25 can be more than 30.
        """
        a = Fraction(str(self.stretch)).limit_denominator(1_000_000)
        return -(-length * a.numerator // a.denominator) + self.extra


ModelConfig = TransformerConfig | RecurrentConfig | ConvS2SConfig | ByteNetConfig
"""Any of them."""

FAMILIES: dict[str, type[ModelConfig]] = {
    "transformer": TransformerConfig,
    "recurrent": RecurrentConfig,
    "convs2s": ConvS2SConfig,
    "bytenet": ByteNetConfig,
}


def family_of(options: Any) -> str:
    """The family that options, or a config, are of: a Transformer if they name none."""
    if isinstance(options, dict):
        return str(options.get("family", "transformer"))
    return str(getattr(options, "family", "transformer"))


ModelOptions = Annotated[
    Annotated[TransformerConfig, Tag("transformer")]
    | Annotated[RecurrentConfig, Tag("recurrent")]
    | Annotated[ConvS2SConfig, Tag("convs2s")]
    | Annotated[ByteNetConfig, Tag("bytenet")],
    Discriminator(family_of),
]
"""A recipe's options of whichever family it names; a Transformer's if it names none."""


def config_of(options: dict[str, Any]) -> ModelConfig:
    """A config from a checkpoint's options.

    Raises:
        KeyError: there is no such family.
        TypeError: it has no such option.
        ValueError: an option cannot be.
    """
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
    }
    return FAMILIES[family_of(options)](**given)


def _check_odd(kernel: int) -> None:
    if kernel % 2 == 0:
        raise ValueError(f"kernel {kernel} must be odd")
