"""text -> what to be wary of."""

import pytest

from regard.evaluate.looks import warnings

PLAIN = [f"The dog, who is {i} years old, sleeps. Mary's well-kept house?" for i in range(20)]
WORDS = [f"The dog , who is {i} years old , sleeps . Mary 's house ?" for i in range(20)]
LOWER = [text.lower() for text in PLAIN]
THAI = ["แมวมองหนูบนพรม"] * 20


@pytest.mark.parametrize(
    ("texts", "references", "tokenize", "lowercase", "said"),
    [
        (PLAIN, PLAIN, "13a", False, []),
        (PLAIN, PLAIN, "none", False, ["x does not look tokenised"]),
        (WORDS, WORDS, "13a", False, ["x looks tokenised, and 13a cuts it again"]),
        (WORDS, WORDS, "none", False, []),
        (WORDS, PLAIN, "13a", False, ["x looks tokenised and the reference does not"]),
        (PLAIN, WORDS, "13a", False, ["the reference looks tokenised and x does not"]),
        (LOWER, PLAIN, "13a", False, ["x looks lowercased and the reference does not"]),
        (LOWER, LOWER, "13a", False, ["x and the reference look lowercased"]),
        (LOWER, PLAIN, "13a", True, []),
        (THAI, THAI, "13a", False, []),
        (["a @-@ b ."] * 20, ["a @-@ b ."] * 20, "none", True, ["x has hyphens cut"]),
        ([""], [""], "13a", False, []),
    ],
)
def test_what_is_said(texts, references, tokenize, lowercase, said):
    found = warnings("x", texts, references, tokenize=tokenize, lowercase=lowercase)
    assert len(found) == len(said)
    assert all(text.startswith(start) for text, start in zip(found, said, strict=True))
