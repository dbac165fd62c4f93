"""What a page reads, decoded again by other code than the page's own, is the trace."""

import base64
import json

import numpy as np
import pytest
from some_trace import some_trace

from regard.trace import Trace, pack, packed


def floats(text, kind="<f4"):
    return np.frombuffer(base64.b64decode(text), kind)


@pytest.mark.parametrize("bits", [8, 16])
def test_codes_hold_weights_and_scores(bits, monkeypatch):
    trace = some_trace()
    if bits == 8:
        monkeypatch.setattr(pack, "LARGE", 10)
    data = json.loads(json.dumps(packed(trace), allow_nan=False))
    worst = 0.0
    for entry, attended in zip(data["attentions"], trace.attentions, strict=True):
        assert entry["bits"] == bits
        weights = pack.decoded(entry)
        worst = max(worst, np.abs(weights - attended.weights).max())
        np.testing.assert_allclose(weights.sum(-1), 1)
        assert not weights[:, ~attended.allowed].any()
        offset = floats(entry["offset"]).reshape(entry["shape"][:2])[..., None]
        there = (slice(None), attended.allowed)
        scores = (np.log(np.maximum(weights, 1e-30)) + offset)[there]
        np.testing.assert_allclose(scores, attended.scores[there], atol={8: 0.2, 16: 2e-3}[bits])
    assert data["error"] == pytest.approx(worst)
    assert data["error"] < {8: 0.01, 16: 1e-4}[bits]


def test_lengths_of_values_and_of_their_mixtures(monkeypatch):
    trace = some_trace()
    entry = packed(trace)["attentions"][4]
    attended = trace.attentions[4]
    for head, key in np.ndindex(attended.values.shape[:2]):
        length = sum(float(x) ** 2 for x in attended.values[head, key]) ** 0.5
        assert floats(entry["norms"]).reshape(3, 5)[head, key] == pytest.approx(length, rel=1e-5)
    mixed = np.einsum("hqk,hkd->hqd", attended.weights, attended.values)
    np.testing.assert_allclose(
        floats(entry["mixed"]).reshape(3, 6), np.sqrt((mixed**2).sum(-1)), rtol=1e-5
    )
    values = floats(entry["values"], "<f2").reshape(attended.values.shape)
    np.testing.assert_allclose(values, attended.values, rtol=1e-3)
    monkeypatch.setattr(pack, "VALUES", 10)
    assert packed(trace)["attentions"][4]["values"] is None


def test_weights_alone_are_enough_and_nought_is_not_forbidden():
    weights = np.array([[[1.0, 0.0], [0.5, 0.5]]])
    trace = Trace.from_arrays(source=["a", "b"], encoder=[weights])
    (entry,) = packed(trace)["attentions"]
    assert entry["offset"] is entry["norms"] is None
    np.testing.assert_allclose(pack.decoded(entry), weights, atol=1e-4)
    codes = np.frombuffer(base64.b64decode(entry["codes"]), "<u2")
    assert (codes != 65535).all()
