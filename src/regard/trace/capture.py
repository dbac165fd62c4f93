"""model, pieces -> Trace: a hook catches each attention's arguments, its weights are asked after.

The only file of this folder that needs torch. The model computes what it always computes; nothing
of it is changed or stored on it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from regard.attention import Attention, MultiHead, Rule
from regard.attention.allowed import as_allowed
from regard.data.batch import Batch, Sentences
from regard.errors import RequestError
from regard.models.encoder_decoder import EncoderDecoder
from regard.search import Step
from regard.text.pieces import BOS, EOS, Pieces
from regard.trace.record import KINDS, Attended, Candidate, Kind


@dataclass(frozen=True, eq=False)
class Call:
    """What an `Attention` was asked, and what it answered."""

    query: Tensor
    key: Tensor
    value: Tensor
    allowed: Rule | None
    context: Tensor


class Watch:
    """While it is entered, every call of every `Attention` of a model is kept, by its name."""

    def __init__(self, model: nn.Module):
        self.modules = {
            name: module for name, module in model.named_modules() if isinstance(module, Attention)
        }
        self.calls: dict[str, list[Call]] = {name: [] for name in self.modules}
        self._hooks: list[Any] = []

    def __enter__(self) -> "Watch":
        for name, module in self.modules.items():
            self._hooks.append(module.register_forward_hook(self._keeper(name), with_kwargs=True))
        return self

    def __exit__(self, *_: object) -> None:
        for hook in self._hooks:
            hook.remove()

    def _keeper(self, name: str) -> Any:
        def keep(_: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any], found: Any) -> None:
            query, key, value = inputs
            self.calls[name].append(Call(query, key, value, named.get("allowed"), found))

        return keep


@torch.inference_mode()
def attentions(
    model: EncoderDecoder, source: Sequence[int], target: Sequence[int], *, values: bool = False
) -> tuple[list[Attended], np.ndarray]:
    """What every attention does when the target is given (forced decoding).

    Args:
        model: Any family.
        source: Ids, EOS counted.
        target: Ids, EOS counted if the target ends.
        values: Whether to keep what is mixed as well.

    Returns:
        Each attention, encoder before decoder, and the log-probability of each target piece.
    """
    device = next(model.parameters()).device
    target_in = [BOS, *target[:-1]]
    batch = Batch(*(Sentences.of([ids]) for ids in (source, target_in, target))).to(device)
    with Watch(model) as watch:
        logits = model(batch)
    log_probs = logits[0].log_softmax(-1).gather(1, batch.target_out.ids[0][:, None])[:, 0]
    found: dict[Kind, list[Attended]] = {kind: [] for kind in KINDS}
    for name, calls in watch.calls.items():
        kind = _kind(name)
        layer = len(found[kind])
        found[kind].append(_attended(watch.modules[name], calls, kind, layer, values=values))
    return [attended for kind in KINDS for attended in found[kind]], log_probs.cpu().numpy()


def _kind(name: str) -> Kind:
    """By where it stands: a decoder's own attention is a MultiHead named `attention`."""
    if name.startswith("encoder."):
        return "encoder"
    return "decoder" if name.endswith(".attention.attention") else "cross"


def _attended(
    module: Attention, calls: list[Call], kind: Kind, layer: int, *, values: bool
) -> Attended:
    """One record of all calls: a recurrent decoder asks once for each of its steps."""
    parts = [_part(module, call) for call in calls]
    scores, weights, allowed = (
        np.concatenate(arrays, axis=-2) for arrays in zip(*parts, strict=True)
    )
    return Attended(
        kind=kind,
        layer=layer,
        weights=weights,
        allowed=allowed[0],
        scores=scores,
        values=_heads(calls[0].value) if values else None,
    )


def _part(module: Attention, call: Call) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    scores = module.score(call.query, call.key)
    weights = module.weights(call.query, call.key, allowed=call.allowed)
    allowed = torch.ones_like(scores, dtype=torch.bool)
    if call.allowed is not None:
        table = as_allowed(call.allowed).dense(scores.shape, device=scores.device)
        allowed = table.expand(scores.shape)
    return _heads(scores), _heads(weights), _heads(allowed)


def _heads(x: Tensor) -> np.ndarray:
    """Without the axis of one sentence, and with one of heads."""
    x = x[0] if x.ndim == 4 else x
    return (x if x.dtype == torch.bool else x.float()).cpu().numpy()


@contextmanager
def silenced(model: nn.Module, heads: Sequence[tuple[Kind, int, int]]) -> Iterator[None]:
    """While it lasts, what these heads (kind, layer, head) bring is nought.

    Raises:
        RequestError: there is no such head, or the model has none that can be silenced.
    """
    of_kind: dict[Kind, list[MultiHead]] = {kind: [] for kind in KINDS}
    for name, module in model.named_modules():
        if isinstance(module, MultiHead):
            of_kind[_kind(f"{name}.attention")].append(module)
    hooks = []
    try:
        for kind, layer, head in heads:
            layers = of_kind.get(kind, [])
            if not (0 <= layer < len(layers) and 0 <= head < layers[layer].heads):
                raise RequestError(f"there is no head {head} in layer {layer} of {kind}")
            silence = _silence(head, layers[layer].d_v)
            hooks.append(layers[layer].out_of_heads.register_forward_pre_hook(silence))
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _silence(head: int, d_v: int) -> Any:
    def silence(_: nn.Module, inputs: tuple[Tensor, ...]) -> tuple[Tensor]:
        x = inputs[0].clone()
        x[..., head * d_v : (head + 1) * d_v] = 0
        return (x,)

    return silence


class Steps:
    """An observer that remembers what each step of the search for one sentence weighed."""

    def __init__(self, pieces: Pieces, *, beam: int):
        self.steps: list[tuple[Candidate, ...]] = []
        self._pieces = pieces
        self._beam = beam
        self._going: list[list[int]] = [[]]

    def __call__(self, step: Step) -> None:
        """Keep one step, and which of its candidates go on."""
        rows = zip(
            step.parents[0].tolist(),
            step.pieces[0].tolist(),
            step.log_probs[0].tolist(),
            strict=True,
        )
        going, candidates = [], []
        for rank, (parent, piece, log_prob) in enumerate(rows):
            if log_prob < -1e29:  # filled up; nothing was weighed
                continue
            ids = [*self._going[parent], piece]
            if piece == EOS:
                fate = "ended" if rank < self._beam else "rejected"
            else:
                fate = "goes on" if len(going) < self._beam else "rejected"
            if fate == "goes on":
                going.append(ids)
            text = self._pieces.join(ids)
            candidates.append(Candidate(parent, self._pieces.piece(piece), text, log_prob, fate))
        self._going = going
        self.steps.append(tuple(candidates))
