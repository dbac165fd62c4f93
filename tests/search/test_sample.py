"""Sampling against the shares that the model gives."""

from collections import Counter

import pytest
import torch
from random_model import RandomModel

from regard.search import SampleOptions, SearchOptions, length_penalty, rules_of, sample
from regard.text.pieces import EOS

PLAIN = SampleOptions()
MANY = 4000


def draw(model, count, sampling=PLAIN, limits=(4,), **changes):
    options = SearchOptions(beam=count, best=count, **changes)
    generators = [torch.Generator().manual_seed(i) for i in range(len(limits))]
    return sample(
        model, model.start(len(limits)), torch.tensor(limits), options, sampling, generators,
        rules=rules_of(options),
    )  # fmt: skip


def first_pieces(hypotheses):
    """How often each piece came first."""
    counts = Counter(found.pieces[0] if found.pieces else EOS for found in hypotheses)
    return torch.tensor([counts[piece] / len(hypotheses) for piece in range(5)])


@pytest.mark.parametrize(
    ("sampling", "shares"),
    [
        (PLAIN, lambda p: p),
        (SampleOptions(temperature=0.5), lambda p: p**2 / (p**2).sum()),
        (SampleOptions(top_k=1), lambda p: (p == p.max()).double()),
        (SampleOptions(top_k=2), lambda p: p * (p >= p.topk(2).values[-1])),
        (SampleOptions(top_p=0.001), lambda p: (p == p.max()).double()),
        (SampleOptions(top_p=0.6), lambda p: p * (p >= smallest_of_nucleus(p, 0.6))),
        (SampleOptions(temperature=2.0, top_k=3), lambda p: p.sqrt() * (p >= p.topk(3).values[-1])),
    ],
)
def test_a_piece_is_drawn_as_often_as_its_share(sampling, shares):
    model = RandomModel(5)
    (found,) = draw(model, MANY, sampling)
    wanted = shares(model.logits(0, [2]).softmax(0))
    wanted = wanted / wanted.sum()
    torch.testing.assert_close(first_pieces(found).double(), wanted, atol=0.03, rtol=0)
    assert set((wanted == 0).nonzero().flatten().tolist()) <= set(
        (first_pieces(found) == 0).nonzero().flatten().tolist()
    )


def smallest_of_nucleus(p, mass):
    total = 0.0
    for share in sorted(p.tolist(), reverse=True):
        total += share
        if total >= mass:
            return share
    return 0.0


def test_scores_are_those_of_forced_scoring_whatever_was_drawn_from():
    model = RandomModel(1)
    sampling = SampleOptions(temperature=1.7, top_k=4)
    for sentence, several in enumerate(draw(model, 6, sampling, limits=(5, 2, 7))):
        assert len(several) == 6
        assert several == sorted(several, key=lambda found: -found.score)
        for found in several:
            pieces = [*found.pieces, *[EOS] * found.ended]
            assert found.ended or len(pieces) == (5, 2, 7)[sentence]
            log_prob = model.log_prob(sentence, pieces)
            assert found.log_prob == pytest.approx(log_prob, abs=1e-5)
            penalty = length_penalty(len(pieces), 0.6)
            assert found.score == pytest.approx(log_prob / penalty, abs=1e-5)


def test_neighbours_do_not_matter_and_generators_do():
    model = RandomModel(2)
    together = draw(model, 3, limits=(6, 6, 6))
    assert draw(model, 3, limits=(6,)) == together[:1]
    assert draw(model, 3, limits=(6, 6, 6)) == together
    assert len({found.pieces for several in together for found in several}) > 3


def test_rules_hold_for_what_is_drawn_too():
    (found,) = draw(RandomModel(3), 50, limits=(7,), shortest=4, no_repeat=1)
    for hypothesis in found:
        assert len(hypothesis.pieces) + hypothesis.ended >= 4 or not hypothesis.ended
        assert len(set(hypothesis.pieces)) == len(hypothesis.pieces) or not hypothesis.ended


@pytest.mark.parametrize(
    "wrong", [{"temperature": 0.0}, {"top_k": -1}, {"top_p": 0.0}, {"top_p": 1.1}]
)
def test_impossible_options_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SampleOptions(**wrong)
