"""A trace of made-up weights, with pieces that make words, to be looked at in tests."""

import numpy as np

from regard.trace import Attended, Side, Trace

SOURCE = ("\u2581the", "\u2581eleph", "ant", "\u2581sleeps", "</s>")
TARGET_IN = ("<s>", "\u2581der", "\u2581Ele", "fant", "\u2581schl", "\u00e4ft")
TARGET_OUT = (*TARGET_IN[1:], "</s>")


def softmax(scores, allowed):
    shares = np.where(allowed, np.exp(scores), 0.0)
    return (shares / shares.sum(-1, keepdims=True)).astype(np.float32)


def some_trace(*, seed=1, heads=3, layers=2, d_v=4, texts=(SOURCE, TARGET_IN, TARGET_OUT)):
    chance = np.random.default_rng(seed)
    source, target_in, target_out = (Side.of_texts(pieces) for pieces in texts)
    attentions = []
    for kind, queries, keys in (
        ("encoder", source, source),
        ("decoder", target_in, target_in),
        ("cross", target_out, source),
    ):
        shape = (len(queries), len(keys))
        allowed = np.tri(*shape, dtype=bool) if kind == "decoder" else np.ones(shape, bool)
        for layer in range(layers):
            scores = (3 * chance.normal(size=(heads, *shape))).astype(np.float32)
            attentions.append(
                Attended(
                    kind=kind,
                    layer=layer,
                    weights=softmax(scores, allowed),
                    allowed=allowed,
                    scores=scores,
                    values=chance.normal(size=(heads, shape[1], d_v)).astype(np.float32),
                )
            )
    return Trace(
        text="the elephant sleeps",
        translation="der Elefant schl\u00e4ft",
        source=source,
        target_in=target_in,
        target_out=target_out,
        attentions=tuple(attentions),
    )
