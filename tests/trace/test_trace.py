"""Views, measures and rollout against loops that can be read; arrays of others; what is refused."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from some_trace import SOURCE, TARGET_IN, some_trace

from regard.text.pieces import EOS, Pieces
from regard.trace import Side, Trace, compare


@pytest.fixture
def trace():
    return some_trace()


def test_words_sum_over_key_pieces_and_average_over_query_pieces(trace):
    words = trace.words()
    assert words.source.pieces == ("the", "elephant", "sleeps", "</s>")
    assert words.target_out.pieces == ("der", "Elefant", "schläft", "</s>")
    for before, after in zip(trace.attentions, words.attentions, strict=True):
        queries, keys = trace.sides(before.kind)
        heads = len(before.weights)
        expected = np.zeros((heads, len(queries.words), len(keys.words)))
        for head, query, key in np.ndindex(before.weights.shape):
            share = before.weights[head, query, key] / queries.word_of.count(queries.word_of[query])
            expected[head, queries.word_of[query], keys.word_of[key]] += share
        np.testing.assert_allclose(after.weights, expected, atol=1e-6)
        np.testing.assert_allclose(after.weights.sum(-1), 1, atol=1e-5)
    assert words.whole is trace
    assert words.words().whole is trace


def test_a_word_of_the_decoder_is_forbidden_only_if_all_its_pieces_are(trace):
    allowed = trace.words().layers("decoder")[0].allowed
    assert np.array_equal(allowed, np.tri(4, dtype=bool))


def test_hidden_signs_leave_the_rest_as_it_was_or_renormalised_and_say_which(trace):
    kept = trace.words().weights("cross", layer=0, head=1)
    hidden = trace.words(signs="hide")
    again = trace.words(signs="renormalise")
    assert hidden.source.pieces == ("the", "elephant", "sleeps")
    assert hidden.target_in.pieces == ("der", "Elefant", "schläft")
    found = hidden.weights("cross", layer=0, head=1)
    np.testing.assert_array_equal(found, kept[:3, :3])
    np.testing.assert_allclose(
        again.weights("cross", layer=0, head=1),
        kept[:3, :3] / kept[:3, :3].sum(1)[:, None],
        atol=1e-6,
    )
    assert hidden.view == "words, signs hidden, rows sum to what is left"
    assert again.view == "words, signs hidden, rows sum to 1 again"


def test_the_strongest_come_first_and_equals_all_come():
    weights = [[[0.25, 0.5, 0.25], [0.4, 0.2, 0.4]]]
    trace = Trace.from_arrays(source=["a", "b", "c"], target_in=["x", "y"], cross=[weights])
    found = trace.strongest()
    assert [[link.key_text for link in links] for links in found] == [["b"], ["a", "c"]]
    assert found[0][0].weight == 0.5
    assert [len(links) for links in trace.strongest(top=2)] == [3, 2]


def rollout_by_hand(layers, side, residual):
    found = [[float(i == j) for j in range(side)] for i in range(side)]
    for weights in layers:
        heads = len(weights)
        found = [
            [
                residual * found[i][j]
                + (1 - residual)
                * sum(
                    sum(float(weights[h][i][k]) for h in range(heads)) / heads * found[k][j]
                    for k in range(side)
                )
                for j in range(side)
            ]
            for i in range(side)
        ]
    return found


def test_rollout(trace):
    layers = [attended.weights for attended in trace.layers("encoder")]
    expected = rollout_by_hand(layers, len(trace.source), 0.3)
    np.testing.assert_allclose(trace.rollout(residual=0.3), expected, atol=1e-9)
    np.testing.assert_allclose(trace.rollout("decoder").sum(1), 1)
    assert np.array_equal(trace.rollout("decoder", residual=1.0), np.eye(6))
    # what is not from the source is from the target: half, then half of that, for each layer
    np.testing.assert_allclose(trace.rollout("cross").sum(1), 0.75)
    with pytest.raises(ValueError, match=r"residual 2\.0 must be"):
        trace.rollout(residual=2.0)


def test_what_a_head_does(trace):
    for head in trace.heads():
        (attended,) = [a for a in trace.layers(head.kind) if a.layer == head.layer]
        rows = attended.weights[head.head].astype(float)
        keys = trace.sides(head.kind)[1]
        count = len(rows)
        entropy = sum(-w * math.log(w) for row in rows for w in row if w > 0) / count
        signs = sum(row[k] for row in rows for k in range(len(keys)) if keys.special[k]) / count
        distance = sum(w * abs(q - k) for q, row in enumerate(rows) for k, w in enumerate(row))
        assert head.measures.entropy == pytest.approx(entropy)
        assert head.measures.signs == pytest.approx(signs)
        assert head.measures.distance == pytest.approx(distance / count)
        if head.kind == "cross":
            assert head.measures.own is None
        else:
            own = sum(rows[q][q] for q in range(count)) / count
            before = sum(rows[q][q - 1] for q in range(1, count)) / (count - 1)
            assert head.measures.own == pytest.approx(own)
            assert head.measures.previous == pytest.approx(before)


def test_heads_are_called_after_what_they_do():
    before = np.eye(4, k=-1) + np.eye(4)[:1].T @ np.eye(4)[:1]
    sign = np.tile(np.eye(4)[3], (4, 1))
    even = np.full((4, 4), 0.25)
    heads = np.stack(
        [even, before, np.eye(4), sign, np.eye(4, k=1) + np.eye(4)[3:].T @ np.eye(4)[3:]]
    )
    trace = Trace.from_arrays(source=["a", "b", "c", "</s>"], encoder=[heads])
    labels = {head.head: head.measures.label for head in trace.heads()}
    assert labels == {0: "spread", 1: "previous", 2: "own", 3: "signs", 4: "next"}
    sharpness = {head.head: head.measures.sharpness for head in trace.heads()}
    assert sharpness[0] == pytest.approx(0)
    assert sharpness[2] == pytest.approx(1)


def good():
    return np.full((2, 3, 3), 1 / 3)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (good()[0], "weights of shape [3, 3], where [heads queries keys] is needed"),
        (good() * np.nan, "the weight of head 0, query 0, key 0 is nan, not a finite number"),
        (good() - 0.5, "weights below 0; are these scores?"),
        (good() * 2, "the weights of head 0, query 0 sum to 2.0000, not to 1"),
        (np.full((2, 4, 4), 0.25), "weights of shape [2, 4, 4] for 3 queries and 3 keys"),
        (np.stack([good(), good()]), "weights of shape [2, 2, 3, 3]"),
    ],
)
def test_wrong_arrays_are_refused_loudly(weights, says):
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        Trace.from_arrays(source=["a", "b", "c"], encoder=[good(), weights])
    assert f"encoder, layer 2: {says}" in str(refused.value)


def test_a_decoder_that_never_looks_ahead_was_not_allowed_to():
    causal = np.tril(np.ones((1, 3, 3)))
    causal /= causal.sum(-1, keepdims=True)
    blind = Trace.from_arrays(source=["a"], target_in=["x", "y", "z"], decoder=[causal])
    assert np.array_equal(blind.attentions[0].allowed, np.tri(3, dtype=bool))
    seeing = Trace.from_arrays(source=["a"], target_in=["x", "y", "z"], decoder=[good()])
    assert seeing.attentions[0].allowed.all()


def test_arrays_need_no_torch():
    code = """
import sys, numpy as np, regard
trace = regard.Trace.from_arrays(source=["a", "b"], encoder=[np.full((1, 2, 2), 0.5)])
trace.words(); trace.heads(); trace.rollout(); trace.to_json()
trace.to_text("encoder"); trace.to_svg(kind="encoder")
print("torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_which_attention_is_asked_for_must_be_there(trace):
    with pytest.raises(ValueError, match="layer 2 of cross is asked for, there are 2"):
        trace.weights("cross", layer=2)
    with pytest.raises(ValueError, match="head 3 is asked for, layer -1 has 3"):
        trace.strongest(head=3)


def test_two_are_compared_where_they_stand_on_the_same_pieces(trace):
    other = some_trace(seed=2)
    found = compare(trace, other)
    assert found.same_pieces
    np.testing.assert_allclose(
        found.difference("cross", layer=0, head=1),
        other.attentions[4].weights[1] - trace.attentions[4].weights[1],
    )
    elsewhere = some_trace(texts=(SOURCE[1:], TARGET_IN, TARGET_IN))
    assert not compare(trace, elsewhere).same_pieces
    with pytest.raises(ValueError, match="different pieces"):
        compare(trace, elsewhere).difference()
    with pytest.raises(ValueError, match="take the same view of both"):
        compare(trace, other.words())


def test_json_holds_the_numbers(trace, tmp_path):
    trace.to_json(tmp_path / "trace.json")
    read = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert read["source"]["word_of"] == [0, 1, 1, 2, 3]
    for entry, attended in zip(read["attentions"], trace.attentions, strict=True):
        np.testing.assert_array_equal(np.array(entry["weights"], np.float32), attended.weights)
        np.testing.assert_array_equal(np.array(entry["scores"], np.float32), attended.scores)


def test_pieces_of_a_vocabulary_make_words():
    texts = ["the old cat", "the old dog", "das Gr\u00f6\u00dfte"]
    pieces = Pieces.learn(texts * 20, size=290)
    ids = [*pieces.split("the cat \u0e44\u0e17\u0e22 d\u0308 \U0001f431"), EOS]
    side = Side.of(pieces, ids)
    assert side.words == ("the", "cat", "\u0e44\u0e17\u0e22", "d\u0308", "\U0001f431", "</s>")
    assert side.special == (False,) * (len(ids) - 1) + (True,)
    assert len(side) == len(ids)
    assert side.as_words().pieces == side.words
