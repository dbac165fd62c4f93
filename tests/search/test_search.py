"""Search against enumeration: all strings of a tiny vocabulary, scored one by one."""

import itertools
from dataclasses import replace

import pytest
import torch
from random_model import Past, RandomModel

from regard.search import SearchOptions, beam_search, length_penalty, rules_of
from regard.search.beam import top
from regard.text.pieces import EOS


def ranked(model, sentence, limit, options, lawful=lambda string: True):
    """All strings that end within the limit, best first: score, pieces."""
    others = [piece for piece in range(model.vocabulary) if piece != EOS]
    found = [
        (
            model.log_prob(sentence, [*string, EOS])
            / length_penalty(length + 1, options.alpha, options.penalty),
            string,
        )
        for length in range(limit)
        for string in itertools.product(others, repeat=length)
        if lawful(string)
    ]
    return sorted(found, reverse=True)


def wide(vocabulary, limit):
    """A beam in which every string has a place."""
    return vocabulary * (vocabulary - 1) ** (limit - 1)


PENALTIES = [("none", 0.6), ("gnmt", 0.6), ("gnmt", 2.0), ("length", 1.0), ("length", 0.3)]


@pytest.mark.parametrize(("penalty", "alpha"), PENALTIES)
@pytest.mark.parametrize(("vocabulary", "limit"), [(3, 5), (4, 4), (5, 4), (5, 5)])
@pytest.mark.parametrize("seed", range(2))
def test_a_wide_beam_finds_what_enumeration_finds(seed, vocabulary, limit, penalty, alpha):
    model = RandomModel(seed, vocabulary)
    limits = torch.tensor([limit, 2, limit - 1, 1])
    options = SearchOptions(beam=wide(vocabulary, limit), best=7, penalty=penalty, alpha=alpha)
    found = beam_search(model, model.start(4), limits, options)
    for sentence, hypotheses in enumerate(found):
        wanted = ranked(model, sentence, int(limits[sentence]), options)[:7]
        assert [hypothesis.pieces for hypothesis in hypotheses] == [pieces for _, pieces in wanted]
        assert all(hypothesis.ended for hypothesis in hypotheses)
        for hypothesis, (score, _) in zip(hypotheses, wanted, strict=True):
            assert hypothesis.score == pytest.approx(score, abs=1e-9)


def repeats(string, length):
    runs = [string[i : i + length] for i in range(len(string) - length + 1)]
    return len(set(runs)) < len(runs)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("changes", "begin", "lawful"),
    [
        ({"shortest": 3}, (), lambda string: len(string) + 1 >= 3),
        ({"no_repeat": 1}, (), lambda string: not repeats(string, 1)),
        ({"no_repeat": 2}, (), lambda string: not repeats(string, 2)),
        ({}, (3,), lambda string: string[:1] == (3,)),
        ({}, (2, 0), lambda string: string[:2] == (2, 0)),
        (
            {"shortest": 4, "no_repeat": 2},
            (3,),
            lambda string: string[:1] == (3,) and len(string) > 2 and not repeats(string, 2),
        ),
    ],
)
def test_rules_leave_the_best_of_what_is_lawful(seed, changes, begin, lawful):
    model = RandomModel(seed, 4)
    limits = torch.tensor([5, 4])
    options = SearchOptions(beam=wide(4, 5), best=5, **changes)
    rules = rules_of(options, [begin, ()])
    found = beam_search(model, model.start(2), limits, options, rules=rules)
    wanted = ranked(model, 0, 5, options, lawful)[:5]
    assert [hypothesis.pieces for hypothesis in found[0]] == [pieces for _, pieces in wanted]
    for hypothesis, (score, _) in zip(found[0], wanted, strict=True):
        assert hypothesis.score == pytest.approx(score, abs=1e-9)  # as if there were no rule


@pytest.mark.parametrize("seed", range(20))
def test_the_safe_rule_gives_nothing_up_and_the_first_rule_only_later_places(seed):
    model = RandomModel(seed, 5, sharpness=3.0)
    limits = torch.tensor([6, 6, 6])
    steps = {}
    found = {}
    for stop in ("safe", "first"):
        steps[stop] = []
        options = SearchOptions(beam=4, best=4, alpha=1.0, stop=stop)
        found[stop] = beam_search(
            model, model.start(3), limits, options, observer=steps[stop].append
        )
    for safe, first in zip(found["safe"], found["first"], strict=True):
        assert first[0] == safe[0]
        scores = [hypothesis.score for hypothesis in safe]
        assert all(
            a.score <= b for a, b in zip(first, scores, strict=False)
        )  # nothing better was missed
    assert len(steps["first"]) <= len(steps["safe"])


def test_the_first_rule_does_stop_sooner():
    options = SearchOptions(beam=4, best=4, alpha=1.0)
    sooner = 0
    for seed in range(20):
        model = RandomModel(seed, 5, sharpness=3.0)
        counts = []
        for stop in ("safe", "first"):
            steps = []
            given = replace(options, stop=stop)
            beam_search(model, model.start(1), torch.tensor([6]), given, observer=steps.append)
            counts.append(len(steps))
        sooner += counts[1] < counts[0]
    assert sooner > 3


def test_where_no_lawful_piece_is_left_what_stands_is_returned_and_marked():
    model = RandomModel(3, 4)
    options = SearchOptions(beam=3, best=2, no_repeat=1, shortest=9)
    limits = torch.tensor([12, 12])
    for hypotheses in beam_search(model, model.start(2), limits, options, rules=rules_of(options)):
        assert 1 <= len(hypotheses) <= 2
        for found in hypotheses:
            assert not found.ended
            assert sorted(found.pieces) == [0, 2, 3]  # each of them once, and then there was none


@pytest.mark.parametrize("beam", [1, 2, 4])
@pytest.mark.parametrize("seed", range(6))
def test_scores_are_those_of_forced_scoring(seed, beam):
    model = RandomModel(seed)
    limits = torch.tensor([5, 7, 3, 1])
    options = SearchOptions(beam=beam, alpha=0.6)
    for sentence, (found,) in enumerate(beam_search(model, model.start(4), limits, options)):
        pieces = [*found.pieces, EOS] if found.ended else list(found.pieces)
        assert len(pieces) <= limits[sentence]
        log_prob = model.log_prob(sentence, pieces)
        assert found.log_prob == pytest.approx(log_prob, abs=1e-9)
        assert found.score == pytest.approx(log_prob / length_penalty(len(pieces), 0.6), abs=1e-9)


@pytest.mark.parametrize(("penalty", "alpha"), PENALTIES)
@pytest.mark.parametrize("seed", range(6))
def test_a_beam_of_one_takes_the_likeliest_piece_each_time(seed, penalty, alpha):
    model = RandomModel(seed)
    limits = torch.tensor([5, 2, 8])
    options = SearchOptions(beam=1, penalty=penalty, alpha=alpha)
    for sentence, (found,) in enumerate(beam_search(model, model.start(3), limits, options)):
        pieces: list[int] = []
        while len(pieces) < limits[sentence] and EOS not in pieces:
            pieces.append(int(model.logits(sentence, [2, *pieces]).argmax()))
        assert list(found.pieces) == [piece for piece in pieces if piece != EOS]
        assert found.ended == (EOS in pieces)
        assert found.log_prob == pytest.approx(model.log_prob(sentence, pieces), abs=1e-9)


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
    found = [best for best, *_ in beam_search(model, model.start(2), limits, options)]
    assert [len(hypothesis.pieces) for hypothesis in found] == [3, 5]
    assert not any(hypothesis.ended for hypothesis in found)


def test_an_observer_sees_every_step():
    model = RandomModel(3)
    steps = []
    limits = torch.tensor([4, 4])
    options = SearchOptions(beam=2)
    ((first,), _) = beam_search(model, model.start(2), limits, options, observer=steps.append)
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


@pytest.mark.parametrize("vocabulary", [5, 129, 1000, 1003, 8192])
def test_the_largest_of_a_long_row_are_found_by_their_stretch(vocabulary):
    x = torch.randn(7, vocabulary, generator=torch.Generator().manual_seed(vocabulary))
    x[:, -1] = 9.0
    for count in (1, 2, 5):
        for found, wanted in zip(top(x, count), x.topk(count), strict=True):
            assert torch.equal(found, wanted)


@pytest.mark.parametrize(
    "wrong",
    [
        {"beam": 0}, {"best": 0}, {"best": 5}, {"alpha": -0.1}, {"extra": -1}, {"shortest": -1},
        {"longest": -1}, {"longest": 2, "shortest": 3}, {"no_repeat": -1}, {"penalty": "gmnt"},
        {"stop": "never"},
    ],
)  # fmt: skip
def test_impossible_options_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SearchOptions(**wrong)
