"""What the Transformer does not see, and what its hypotheses share; more in `test_families.py`."""

import pytest
import torch

from regard.data.batch import Batch, Sentences
from regard.models.build import build
from regard.models.config import TransformerConfig


def small(**changes):
    options = {"d_model": 10, "d_ff": 14, "heads": 2, "encoder_layers": 2, "decoder_layers": 2}
    config = TransformerConfig(**(options | changes))
    generator = torch.Generator().manual_seed(3)
    return build(config, source_rows=19, target_rows=19, generator=generator).double().eval()


SOURCE = [[5, 6, 7, 8, 9, 1], [10, 11, 1], [12, 1]]
TARGET = [[2, 5, 6, 7, 8], [2, 9, 10], [2, 11, 12, 13, 14]]


def batch():
    target = Sentences.of(TARGET)
    return Batch(Sentences.of(SOURCE), target, target)


def test_hypotheses_of_a_sentence_share_its_memory():
    model = small()
    given = batch()
    state = model.start(model.encode(given.source))
    _, state = model.step(torch.tensor([2, 2, 2]), state)
    state = state.reorder(torch.tensor([0, 0, 1, 1, 2, 2]))
    pieces = torch.tensor([5, 6, 7, 8, 9, 10])
    logits, state = model.step(pieces, state)
    _, state = model.step(torch.tensor([3] * 6), state.reorder(torch.tensor([1, 0, 2, 3, 4, 4])))
    last, _ = model.step(torch.tensor([11, 12]), state.only(torch.tensor([2])))
    for row, piece in enumerate(pieces.tolist()):
        target = Sentences.of([[2, piece]])
        alone = model(Batch(Sentences.of([SOURCE[row // 2]]), target, target))[0, -1]
        torch.testing.assert_close(logits[row], alone, atol=1e-12, rtol=0)
    for row, piece in enumerate([11, 12]):
        target = Sentences.of([[2, 9, 3, piece]])
        alone = model(Batch(Sentences.of([SOURCE[2]]), target, target))[0, -1]
        torch.testing.assert_close(last[row], alone, atol=1e-12, rtol=0)


def influence(model, row, place):
    """Which source and target positions the logits at a place of a row depend on, by gradient."""
    given = batch()
    found = {}

    def watch(name):
        def hook(_module, _inputs, output):
            output.retain_grad()
            found[name] = output
            return output

        return hook

    source = model.source_embedding.register_forward_hook(watch("source"))
    target = model.target_embedding.register_forward_hook(watch("target"))
    model(given)[row, place].sum().backward()
    source.remove()
    target.remove()
    return {name: (tensor.grad != 0).any(-1) for name, tensor in found.items()}


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_no_position_sees_a_later_one_nor_padding_nor_another_sentence(norm):
    model = small(norm=norm, tie="none")
    reached = influence(model, row=1, place=1)
    assert reached["target"].tolist() == [
        [False] * 5,
        [True, True, False, False, False],
        [False] * 5,
    ]
    assert reached["source"].tolist() == [
        [False] * 6,
        [True, True, True, False, False, False],
        [False] * 6,
    ]


def test_a_later_piece_changes_nothing_before_it():
    model = small()
    given = batch()
    before = model(given)
    ids = given.target_in.ids.clone()
    ids[:, 3:] = 15
    changed = Sentences(ids, given.target_in.real)
    after = model(Batch(given.source, changed, changed))
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.equal(before[:, 3:], after[:, 3:])


def test_a_model_follows_from_its_generator():
    first, second = small(), small()
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(a, b)
