"""Whole models against the mathematics of their papers: one sentence, as loops to be read."""

import numpy as np
import pytest
import torch
from numpy import concatenate, exp, sqrt, tanh

from regard.data.batch import Batch, Sentences
from regard.models.build import build
from regard.models.config import config_of

SOURCE, TARGET = [5, 9, 7, 6, 1], [2, 8, 5, 4, 10, 6, 7, 3]
ROOT_HALF = sqrt(0.5)


def built(**options):
    """A model in which no parameter is what it was at first: biases are not zero, gains not one."""
    generator = torch.Generator().manual_seed(5)
    config = config_of({"dropout": 0.0, **options})
    model = build(config, source_rows=11, target_rows=11, generator=generator).double().eval()
    for parameter in model.parameters():
        noise = torch.randn(parameter.shape, dtype=parameter.dtype, generator=generator)
        parameter.data += 0.2 * noise
    return model


def logits(model):
    """What the model itself says, from one more sentence's place in a padded batch."""
    source, target = Sentences.of([[3] * 9, SOURCE]), Sentences.of([[2] * 11, TARGET])
    return model(Batch(source, target, target))[1, : len(TARGET)].detach().numpy()


def close(found, expected):
    np.testing.assert_allclose(found, np.stack(expected), atol=1e-12, rtol=0)


def array(parameter):
    return parameter.detach().numpy()


def linear(module):
    """W x + b of a module's parameters."""
    weight, bias = array(module.weight), 0 if module.bias is None else array(module.bias)
    return lambda x: weight @ x + bias


def vectors(embedding, ids):
    return [array(embedding.table.weight)[i] for i in ids]


def sigmoid(x):
    return 1 / (1 + exp(-x))


def softmax(scores):
    shares = [exp(score - max(scores)) for score in scores]
    return [share / sum(shares) for share in shares]


def mix(shares, values):
    return sum(share * value for share, value in zip(shares, values, strict=True))


# recurrent cells: from x and what was, what is


def rnn(cell, x, was):
    (h,) = was
    return (tanh(linear(cell.into)(x) + linear(cell.recur)(h)),)


def gru(cell, x, was):
    (h,) = was
    given, again = np.split(linear(cell.into)(x), 3), np.split(linear(cell.recur)(h), 3)
    r, z = (sigmoid(a + b) for a, b in zip(given[:2], again[:2], strict=True))
    return (z * h + (1 - z) * tanh(given[2] + r * again[2]),)


def lstm(cell, x, was):
    h, c = was
    i, f, new, o = np.split(linear(cell.into)(x) + linear(cell.recur)(h), 4)
    c = sigmoid(f) * c + sigmoid(i) * tanh(new)
    return sigmoid(o) * tanh(c), c


def read(step, cell, xs, parts=1):
    """What a cell carries after each vector."""
    was, all_of_them = (np.zeros(cell.d_model),) * parts, []
    for x in xs:
        was = step(cell, x, was)
        all_of_them.append(was)
    return all_of_them


def test_bahdanau():
    model = built(family="recurrent", attention="bahdanau", cell="gru", d_model=6, d_score=4)
    xs, ys = (vectors(model.source_embedding, ids) for ids in (SOURCE, TARGET))
    ahead = read(gru, model.encoder.forwards[0], xs)
    back = read(gru, model.encoder.backwards[0], xs[::-1])[::-1]
    h = [concatenate((a, b)) for (a,), (b,) in zip(ahead, back, strict=True)]
    score, (cell,) = model.decoder.look.score, model.decoder.cells.cells
    W_a, U_a, v_a = map(array, (score.into_query, score.into_key, score.vector))

    s = tanh(linear(model.bridge.maps[0])(back[0][0]))  # s_0 from the backward state of word 1
    expected = []
    for y in ys:
        c = mix(softmax([v_a @ tanh(W_a @ s + U_a @ h_j) for h_j in h]), h)
        t = linear(model.decoder.readout)(concatenate((s, y, c)))  # of s_{i-1}, y_{i-1} and c_i
        (s,) = gru(cell, concatenate((y, c)), (s,))
        maxout = np.array([max(t[2 * j], t[2 * j + 1]) for j in range(6)])
        expected.append(array(model.output.weight) @ maxout)
    close(logits(model), expected)


def test_luong_with_input_feeding():
    model = built(
        family="recurrent",
        attention="luong",
        score="general",
        cell="lstm",
        d_model=6,
        input_feeding=True,
    )
    xs, ys = (vectors(model.source_embedding, ids) for ids in (SOURCE, TARGET))
    ahead = read(lstm, model.encoder.forwards[0], xs, parts=2)
    back = read(lstm, model.encoder.backwards[0], xs[::-1], parts=2)[::-1]
    states = [concatenate((a[0], b[0])) for a, b in zip(ahead, back, strict=True)]
    W_a, (cell,) = array(model.decoder.look.score.matrix), model.decoder.cells.cells

    both_ways = (concatenate(pair) for pair in zip(ahead[-1], back[0], strict=True))
    was = tuple(tanh(linear(W)(last)) for W, last in zip(model.bridge.maps, both_ways, strict=True))
    fed = np.zeros(6)
    expected = []
    for y in ys:
        was = lstm(cell, concatenate((y, fed)), was)
        h = was[0]
        c = mix(softmax([h @ W_a @ state for state in states]), states)
        fed = tanh(linear(model.decoder.combine)(concatenate((c, h))))  # h~_t
        expected.append(array(model.output.weight) @ fed)
    close(logits(model), expected)


@pytest.mark.parametrize("feeding", [False, True])
def test_cs224n_in_two_layers(feeding):
    model = built(
        family="recurrent",
        attention="cs224n",
        score="dot",
        cell="rnn",
        d_model=6,
        layers=2,
        bidirectional=False,
        input_feeding=feeding,
        tie="none",
    )
    below = read(rnn, model.encoder.forwards[0], vectors(model.source_embedding, SOURCE))
    above = read(rnn, model.encoder.forwards[1], [h for (h,) in below])
    states = [h for (h,) in above]

    first, second = below[-1], above[-1]  # each layer begins as the encoder's ended
    fed = np.zeros(6 if feeding else 0)
    expected = []
    for y in vectors(model.target_embedding, TARGET):
        first = rnn(model.decoder.cells.cells[0], concatenate((y, fed)), first)
        second = rnn(model.decoder.cells.cells[1], first[0], second)
        (s,) = second
        a = mix(softmax([s @ h for h in states]), states)
        fed = a if feeding else fed
        expected.append(array(model.output.weight) @ concatenate((a, s)))
    close(logits(model), expected)


# convolutions: a sum over the places that one place sees, zeros where there is none


def convolution(module, xs, places):
    """For each place t, the sum of W_i x at t + places[i]."""
    weights = np.split(normed(module.linear), len(places), axis=1)
    bias, found = array(module.linear.bias), []
    for t in range(len(xs)):
        seen = [(W, t + p) for W, p in zip(weights, places, strict=True) if 0 <= t + p < len(xs)]
        found.append(bias + sum(W @ xs[place] for W, place in seen))
    return found


def normed(module):
    """A weight-normalised matrix: each row v has the length g; others as they are."""
    if not hasattr(module, "parametrizations"):
        return array(module.weight)
    g, v = map(array, module.parametrizations.weight.parameters())
    return np.stack([g_i * v_i / sqrt(v_i @ v_i) for g_i, v_i in zip(g, v, strict=True)])


def normed_linear(module):
    return lambda x: normed(module) @ x + array(module.bias)


def glu(x):
    a, b = np.split(x, 2)
    return a * sigmoid(b)


def test_convs2s():
    model = built(
        family="convs2s",
        d_model=6,
        d_hidden=4,
        kernel=3,
        encoder_layers=1,
        decoder_layers=1,
        longest=20,
    )
    (encoder,), (decoder,) = model.encoder, model.decoder

    def embed(embedding, positions, ids):
        places = array(positions.table.weight)
        return [x + places[t] for t, x in enumerate(vectors(embedding, ids))]

    e = embed(model.source_embedding, model.source_positions, SOURCE)
    x = [normed_linear(model.into_encoder)(e_j) for e_j in e]
    gated = [glu(found) for found in convolution(encoder.convolution, x, (-1, 0, 1))]
    x = [(g + x_j) * ROOT_HALF for g, x_j in zip(gated, x, strict=True)]
    z = [normed_linear(model.out_of_encoder)(x_j) for x_j in x]
    values = [(z_j + e_j) * ROOT_HALF for z_j, e_j in zip(z, e, strict=True)]

    g = embed(model.target_embedding, model.target_positions, TARGET)
    x = [normed_linear(model.into_decoder)(g_i) for g_i in g]
    h = [glu(found) for found in convolution(decoder.convolution, x, (-2, -1, 0))]
    m = len(SOURCE)
    expected = []
    for h_i, g_i, x_i in zip(h, g, x, strict=True):
        d = (normed_linear(decoder.ask)(h_i) + g_i) * ROOT_HALF
        c = mix(softmax([d @ z_j for z_j in z]), values) * m * sqrt(1 / m)
        h_i = (h_i + normed_linear(decoder.take)(c)) * ROOT_HALF
        y = normed_linear(model.out_of_decoder)((h_i + x_i) * ROOT_HALF)
        expected.append(array(model.output.weight) @ y)
    close(logits(model), expected)


def layer_norm(module):
    gain, bias = array(module.weight), array(module.bias)
    return lambda x: (x - x.mean()) / sqrt(x.var() + 1e-5) * gain + bias


def relu(x):
    return np.maximum(x, 0)


def byte_block(block, xs, places):
    first, second, third = map(layer_norm, block.norms)
    inside = [relu(second(linear(block.narrow)(relu(first(x))))) for x in xs]
    found = convolution(block.convolution, inside, places)
    return [x + linear(block.widen)(relu(third(f))) for x, f in zip(xs, found, strict=True)]


def test_bytenet():
    model = built(family="bytenet", d_model=6, kernel=3, dilations=[1, 2])
    columns = vectors(model.source_embedding, SOURCE)
    assert len(SOURCE) == 5
    columns.append(np.zeros(6))  # a |s| + b = 1.2 x 5 + 0 = 6 columns
    for block, apart in zip(model.encoder, (1, 2), strict=True):
        columns = byte_block(block, columns, (-apart, 0, apart))
    columns += [np.zeros(6)] * (len(TARGET) - 6)  # the target is longer than that

    ys = vectors(model.target_embedding, TARGET)
    pairs = zip(ys, columns, strict=True)
    x = [linear(model.join)(concatenate((y, column))) for y, column in pairs]
    for block, apart in zip(model.decoder, (1, 2), strict=True):
        x = byte_block(block, x, (-2 * apart, -apart, 0))
    last = layer_norm(model.last_norm)
    close(logits(model), [array(model.output.weight) @ relu(last(x_i)) for x_i in x])
