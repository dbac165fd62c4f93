"""Search against enumeration: all strings of a tiny vocabulary, scored one by one."""

import itertools
from dataclasses import dataclass

import pytest
import torch

from regard.search import SearchOptions, beam_search, greedy_search, length_penalty
from regard.text.pieces import EOS

VOCABULARY = 5


@dataclass(frozen=True)
class Past:
    """A state that is the hypothesis itself, so that a mistake in selecting rows shows."""

    sentence: torch.Tensor  # rows
    pieces: torch.Tensor  # rows length

    def reorder(self, rows):
        assert torch.equal(
            self.sentence[rows],
            self.sentence.repeat_interleave(len(rows) // len(self.sentence))
            if len(rows) != len(self.sentence)
            else self.sentence,
        )
        return Past(self.sentence[rows], self.pieces[rows])

    def only(self, sentences):
        each = self.sentence.unique_consecutive(return_counts=True)[1][0]
        rows = (sentences[:, None] * each + torch.arange(each)).flatten()
        return Past(self.sentence[rows], self.pieces[rows])


class RandomModel:
    """Any distribution after any past, the same whenever it is asked."""

    def __init__(self, seed, sharpness=1.5):
        self.seed, self.sharpness = seed, sharpness

    def start(self, sentences):
        return Past(torch.arange(sentences), torch.empty(sentences, 0, dtype=torch.long))

    def logits(self, sentence, pieces):
        text = f"{self.seed} {sentence} {pieces}"
        seed = sum(ord(c) * 31**i for i, c in enumerate(text)) % (2**63)
        generator = torch.Generator().manual_seed(seed)
        return self.sharpness * torch.randn(VOCABULARY, dtype=torch.float64, generator=generator)

    def step(self, pieces, state):
        state = Past(state.sentence, torch.cat((state.pieces, pieces[:, None]), dim=1))
        rows = zip(state.sentence.tolist(), state.pieces.tolist(), strict=True)
        return torch.stack([self.logits(*row) for row in rows]), state

    def log_prob(self, sentence, pieces):
        """Of pieces that follow BOS, by forced scoring."""
        past, total = [2], 0.0
        for piece in pieces:
            total += float(self.logits(sentence, past).log_softmax(0)[piece])
            past.append(piece)
        return total


def divisor(length, alpha, penalty):
    return {"gnmt": ((5 + length) / 6) ** alpha, "length": length**alpha, "none": 1}[penalty]


def best_of_all(model, sentence, limit, alpha, penalty):
    """The best of all strings that end within the limit."""
    others = [piece for piece in range(VOCABULARY) if piece != EOS]
    found = [
        (model.log_prob(sentence, [*string, EOS]) / divisor(length + 1, alpha, penalty), string)
        for length in range(limit)
        for string in itertools.product(others, repeat=length)
    ]
    return max(found)


@pytest.mark.parametrize("penalty", ["gnmt", "length", "none"])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_finds_what_enumeration_finds(seed, alpha, penalty):
    model = RandomModel(seed)
    limits = torch.tensor([4, 2, 3])
    options = SearchOptions(beam=VOCABULARY**4, alpha=alpha, penalty=penalty)
    found = beam_search(model, model.start(3), limits, options)
    for sentence, hypothesis in enumerate(found):
        score, pieces = best_of_all(model, sentence, int(limits[sentence]), alpha, penalty)
        assert hypothesis.pieces == pieces
        assert hypothesis.score == pytest.approx(score, abs=1e-9)
        assert hypothesis.ended


@pytest.mark.parametrize("beam", [1, 2, 4])
@pytest.mark.parametrize("seed", range(6))
def test_scores_are_those_of_forced_scoring(seed, beam):
    model = RandomModel(seed)
    limits = torch.tensor([5, 7, 3, 1])
    options = SearchOptions(beam=beam, alpha=0.6)
    for sentence, found in enumerate(beam_search(model, model.start(4), limits, options)):
        pieces = [*found.pieces, EOS] if found.ended else list(found.pieces)
        assert len(pieces) <= limits[sentence]
        log_prob = model.log_prob(sentence, pieces)
        assert found.log_prob == pytest.approx(log_prob, abs=1e-9)
        assert found.score == pytest.approx(log_prob / length_penalty(len(pieces), 0.6), abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_greedy_takes_the_likeliest_piece_each_time(seed):
    model = RandomModel(seed)
    limits = torch.tensor([5, 2, 8])
    for sentence, found in enumerate(greedy_search(model, model.start(3), limits)):
        pieces: list[int] = []
        while len(pieces) < limits[sentence] and EOS not in pieces:
            pieces.append(int(model.logits(sentence, [2, *pieces]).argmax()))
        assert list(found.pieces) == [piece for piece in pieces if piece != EOS]
        assert found.ended == (EOS in pieces)
        assert found.log_prob == pytest.approx(model.log_prob(sentence, pieces), abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_a_beam_of_one_without_penalty_is_greedy(seed):
    model = RandomModel(seed)
    limits = torch.tensor([5, 2, 8])
    options = SearchOptions(beam=1, alpha=0.0)
    beams = beam_search(model, model.start(3), limits, options)
    for one, other in zip(beams, greedy_search(model, model.start(3), limits), strict=True):
        assert one.pieces == other.pieces
        assert one.ended == other.ended


def test_a_sentence_is_found_alike_whatever_its_neighbours():
    model = RandomModel(7)
    limits = torch.tensor([6, 3, 8, 1, 5])
    options = SearchOptions(beam=3)
    together = beam_search(model, model.start(5), limits, options)
    for sentence in range(5):
        alone = Past(torch.tensor([sentence]), torch.empty(1, 0, dtype=torch.long))
        found = beam_search(model, alone, limits[[sentence]], options)
        assert found == [together[sentence]]


class NeverEnds(RandomModel):
    def logits(self, sentence, pieces):
        logits = super().logits(sentence, pieces)
        logits[EOS] = -1e4
        return logits


@pytest.mark.parametrize("beam", [1, 3])
def test_what_meets_the_limit_is_returned_and_marked(beam):
    model = NeverEnds(1)
    limits = torch.tensor([3, 5])
    options = SearchOptions(beam=beam)
    for found in (
        beam_search(model, model.start(2), limits, options),
        greedy_search(model, model.start(2), limits),
    ):
        assert [len(hypothesis.pieces) for hypothesis in found] == [3, 5]
        assert not any(hypothesis.ended for hypothesis in found)


def test_an_observer_sees_every_step():
    model = RandomModel(3)
    steps = []
    limits = torch.tensor([4, 4])
    options = SearchOptions(beam=2)
    (first, _) = beam_search(model, model.start(2), limits, options, observer=steps.append)
    assert all(step.pieces.shape[1] == 4 for step in steps)
    assert steps[0].sentences.tolist() == [0, 1]
    end = steps[len(first.pieces)]
    row = end.sentences.tolist().index(0)
    ended = [
        float(log_prob)
        for piece, log_prob in zip(end.pieces[row], end.log_probs[row], strict=True)
        if piece == EOS
    ]
    assert first.log_prob in ended


@pytest.mark.parametrize(
    ("length", "penalty"), [(1, 1.0), (10, 1.7329), (20, 2.3544), (50, 3.7786), (100, 5.5696)]
)
def test_the_length_penalty_of_wu_et_al(length, penalty):
    assert length_penalty(length, 0.6) == pytest.approx(penalty, abs=5e-5)
    assert length_penalty(length, 0.0) == 1.0


@pytest.mark.parametrize(
    "wrong", [{"beam": 0}, {"alpha": -0.1}, {"extra": -1}, {"penalty": "x"}, {"longest": 0}]
)
def test_impossible_options_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SearchOptions(**wrong)
