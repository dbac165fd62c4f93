"""hypotheses, references -> BLEU."""

import json
import math
import subprocess
import sys
from collections import Counter

import pytest

from regard.evaluate import bleu
from regard.evaluate.bleu import TOKENIZERS

HYPOTHESES = [
    "the cat sat on the old mat today", "a dog , who was tired , slept .", "It's 3.5 % of all !",
    "", "zwei Hunde spielen im Gras .", "猫 が いる 。",
]  # fmt: skip
REFERENCES = [
    "the cat sat on the mat", "a dog , who was tired , slept there .", "It is 3.5% of all!",
    "nothing at all", "Zwei Hunde spielen im hohen Gras .", "猫がいる。",
]  # fmt: skip


def by_definition(hypotheses: list[list[str]], references: list[list[str]]) -> float:
    """Papineni et al. 2002, section 2.3, in loops."""
    logs = 0.0
    for n in (1, 2, 3, 4):
        matched = total = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            found = Counter(zip(*(hypothesis[i:] for i in range(n)), strict=False))
            wanted = Counter(zip(*(reference[i:] for i in range(n)), strict=False))
            matched += sum(min(count, wanted[gram]) for gram, count in found.items())
            total += sum(found.values())
        logs += math.log(matched / total) / 4
    c, r = sum(map(len, hypotheses)), sum(map(len, references))
    return 100 * math.exp(logs) * (1.0 if c > r else math.exp(1 - r / c))


def test_bleu_worked_out_by_hand():
    # 7 of 8 words, 4 of 7 pairs, 3 of 6 threes, 2 of 5 fours; longer than the reference
    score = bleu(["a b c d e f g x"], ["a b c d e g f"], tokenize="none")
    by_hand = 100 * (7 / 8 * 4 / 7 * 3 / 6 * 2 / 5) ** (1 / 4)
    assert score.score == pytest.approx(by_hand, abs=1e-9)
    shorter = bleu(["a b c d e"], ["a b c d e f g"], tokenize="none")
    assert shorter.score == pytest.approx(100 * math.exp(1 - 7 / 5), abs=1e-9)


@pytest.mark.parametrize("lowercase", [False, True])
def test_bleu_is_what_the_paper_defines(lowercase):
    score = bleu(HYPOTHESES, REFERENCES, tokenize="none", lowercase=lowercase)
    sides = [
        [(text.lower() if lowercase else text).split() for text in texts]
        for texts in (HYPOTHESES, REFERENCES)
    ]
    assert score.score == pytest.approx(by_definition(*sides), abs=1e-9)


@pytest.mark.parametrize(
    ("tokenize", "lowercase"), [*((name, False) for name in TOKENIZERS), ("13a", True)]
)
def test_bleu_and_signature_are_sacrebleus_own(tmp_path, tokenize, lowercase):
    for name, texts in {"hypothesis": HYPOTHESES, "reference": REFERENCES}.items():
        (tmp_path / name).write_text("".join(f"{t}\n" for t in texts), encoding="utf-8")
    command = [sys.executable, "-m", "sacrebleu", "reference", "-i", "hypothesis", "-m", "bleu",
               "-tok", tokenize, "-w", "6", *(["-lc"] if lowercase else [])]  # fmt: skip
    found = subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    theirs = json.loads(found.stdout)
    ours = bleu(HYPOTHESES, REFERENCES, tokenize=tokenize, lowercase=lowercase)
    assert ours.score == pytest.approx(theirs["score"], abs=5e-7)  # they print six decimals
    assert ours.signature == theirs["signature"]
    assert ours.details.partition(" = ")[2].split()[1] == theirs["verbose_score"].split()[0]


def test_the_same_text_scores_a_hundred_and_another_none():
    assert bleu(REFERENCES, REFERENCES).score == pytest.approx(100)
    assert bleu(["x y z w v"], ["a b c d e"]).score == 0
    assert bleu([""], ["a b c d e"]).score == 0


def test_there_must_be_as_many_references_and_at_least_one():
    for hypotheses, references in [(["a"], ["a", "b"]), (["a", "b"], ["a"]), ([], [])]:
        with pytest.raises(ValueError, match=f"{len(hypotheses)} hypotheses and"):
            bleu(hypotheses, references)
