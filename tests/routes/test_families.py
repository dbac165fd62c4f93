"""Every family against itself, another way."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from regard.data.batch import Batch, Sentences
from regard.models.build import build
from regard.models.config import config_of
from regard.models.sizes import multiplications, parameters
from regard.search import Decoder, SearchOptions, State, beam_search
from regard.train.loss import smoothed_cross_entropy

RECURRENT = {"family": "recurrent", "d_model": 10}
CONVS2S = {"family": "convs2s", "d_model": 10, "d_hidden": 14, "encoder_layers": 2}
BYTENET = {"family": "bytenet", "d_model": 10, "dilations": [1, 2]}
TRANSFORMER = {"d_model": 10, "d_ff": 14, "heads": 2, "encoder_layers": 2, "decoder_layers": 2}
FAMILIES = [
    TRANSFORMER,
    {**TRANSFORMER, "norm": "pre"},
    {**TRANSFORMER, "positions": "learned", "longest": 13},
    {**TRANSFORMER, "positions": "halves"},
    {**TRANSFORMER, "tie": "target"},
    {**TRANSFORMER, "tie": "none"},
    {**TRANSFORMER, "d_k": 3, "d_v": 7},
    {**TRANSFORMER, "encoder_window": 1},
    {**RECURRENT, "attention": "none", "cell": "rnn"},
    {**RECURRENT, "attention": "none", "cell": "lstm", "bidirectional": False, "layers": 2},
    {**RECURRENT},
    {**RECURRENT, "cell": "lstm", "layers": 2, "score": "general", "tie": "target"},
    {**RECURRENT, "bidirectional": False, "score": "scaled_dot", "tie": "none"},
    {**RECURRENT, "attention": "luong", "score": "general", "layers": 3},
    {**RECURRENT, "attention": "luong", "bidirectional": False, "score": "dot", "cell": "lstm"},
    {**RECURRENT, "attention": "luong", "score": "reduced_rank", "d_score": 3, "cell": "rnn"},
    {**RECURRENT, "attention": "luong", "input_feeding": True, "d_score": 7},
    {**RECURRENT, "attention": "cs224n", "tie": "none", "score": "general"},
    {**RECURRENT, "attention": "cs224n", "tie": "none", "input_feeding": True, "layers": 2},
    {**CONVS2S, "decoder_layers": 3},
    {**CONVS2S, "decoder_layers": 1, "kernel": 5, "tie": "none"},
    BYTENET,
    {**BYTENET, "encoder_sets": 2, "extra": 2, "stretch": 1.5, "tie": "target"},
    {**BYTENET, "stretch": 1.0},
]
SOURCE = [[5, 6, 7, 8, 9, 1], [10, 11, 1], [12, 1]]
TARGET = [[2, 5, 6, 7, 8], [2, 9, 10], [2, 11, 12, 13, 14, 15, 16, 17]]

every_family = pytest.mark.parametrize(
    "options", FAMILIES, ids=lambda options: "-".join(map(str, options.values()))
)


def small(options, rows=19):
    generator = torch.Generator().manual_seed(3)
    model = build(config_of(options), source_rows=rows, target_rows=rows, generator=generator)
    return model.double().eval()


def batch():
    target = Sentences.of(TARGET)
    return Batch(Sentences.of(SOURCE), target, target)


@every_family
def test_step_by_step_equals_all_at_once(options):
    model = small(options)
    given = batch()
    expected = model(given)
    state = model.start(model.encode(given.source))
    for place in range(given.target_in.ids.shape[1]):
        logits, state = model.step(given.target_in.ids[:, place], state)
        torch.testing.assert_close(logits, expected[:, place], atol=1e-12, rtol=0)


@every_family
def test_a_sentence_alone_equals_the_sentence_in_a_padded_batch(options):
    model = small(options)
    together = model(batch())
    for row, (source, target) in enumerate(zip(SOURCE, TARGET, strict=True)):
        alone = Sentences.of([target])
        logits = model(Batch(Sentences.of([source]), alone, alone))
        torch.testing.assert_close(logits[0], together[row, : len(target)], atol=1e-12, rtol=0)


@every_family
def test_nothing_reaches_what_it_must_not(options):
    """By gradient: no later piece of the target, no padding, no other sentence."""
    model = small({**options, "tie": "none"})
    given = batch()
    found = {}
    for name in ("source", "target"):
        module = getattr(model, f"{name}_embedding")

        def keep(_module, _inputs, output, name=name):
            output.retain_grad()
            found[name] = output

        module.register_forward_hook(keep)
    model(given)[1, 1, :3].sum().backward()
    reached = {name: (tensor.grad != 0).any(-1) for name, tensor in found.items()}
    target = torch.zeros(3, 8, dtype=torch.bool)
    target[1, :2] = True
    assert torch.equal(reached["target"], target)
    assert not reached["source"][[0, 2]].any()
    assert not reached["source"][1, 3:].any()
    assert reached["source"][1, :3].any()


@every_family
def test_a_search_asks_all_families_alike(options):
    model = small(options)
    assert isinstance(model, Decoder)
    with torch.no_grad():
        state = model.start(model.encode(Sentences.of(SOURCE)))
        assert isinstance(state, State)
        limits = torch.tensor([7, 9, 5])
        together = beam_search(model, state, limits, SearchOptions(beam=3))
        for row, source in enumerate(SOURCE):
            alone = model.start(model.encode(Sentences.of([source])))
            (found,) = beam_search(model, alone, limits[row : row + 1], SearchOptions(beam=3))
            assert found[0].pieces == together[row][0].pieces
            assert found[0].score == pytest.approx(together[row][0].score, abs=1e-5)


@every_family
def test_every_parameter_is_counted_and_learns(options):
    model = small(options)
    counted = parameters(config_of(options), source_rows=19, target_rows=19)
    assert counted == sum(p.numel() for p in model.parameters())
    model.train()
    model(batch()).square().sum().backward()
    idle = [name for name, p in model.named_parameters() if p.grad is None]
    assert idle == []


@every_family
def test_multiplications_are_those_that_torch_counts(options):
    config, model = config_of(options), small(options)
    source, target = Sentences.of([[5] * 7]), Sentences.of([[6] * 11])
    with FlopCounterMode(display=False) as counter:
        model(Batch(source, target, target))
    counted = multiplications(config, source=7, target=11, target_rows=19)
    assert 2 * counted == counter.get_total_flops()


@every_family
def test_eight_sentences_can_be_learnt_by_heart(options):
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(7)
    rows = [
        torch.randint(4, 19, (int(n),), generator=generator).tolist()
        for n in torch.randint(2, 6, (16,), generator=generator)
    ]
    source = Sentences.of([[*row, 1] for row in rows[:8]])
    target = Sentences.of([[2, *row] for row in rows[8:]])
    wanted = Sentences.of([[*row, 1] for row in rows[8:]])
    wide = {"d_model": 32, "dropout": 0.0}
    if "d_hidden" in options:
        wide["d_hidden"] = 32
    model = small({**options, **wide}).float()
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    loss = torch.tensor(9.0)
    for _ in range(400):
        logits = model(Batch(source, target, wanted))[wanted.real]
        loss = smoothed_cross_entropy(logits, wanted.ids[wanted.real], 0.0).unsmoothed
        loss = loss / int(wanted.real.sum())
        if loss < 0.01:
            break
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    assert loss < 0.01


def test_a_window_around_each_position_of_the_source():
    options = {"d_model": 10, "d_ff": 14, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    model = small({**options, "encoder_window": 1, "tie": "none"})
    vectors = model.source_embedding.table.weight
    states = model.encode(Sentences.of(SOURCE)).states
    states[0, 0, :3].sum().backward()  # all of them sum to a constant
    seen = (vectors.grad != 0).any(1).nonzero().flatten().tolist()
    assert seen == [5, 6]
    whole = small({**options, "encoder_window": 99}).encode(Sentences.of(SOURCE)).states
    free = small(options).encode(Sentences.of(SOURCE)).states
    real = Sentences.of(SOURCE).real
    torch.testing.assert_close(whole[real], free[real], atol=1e-12, rtol=0)
