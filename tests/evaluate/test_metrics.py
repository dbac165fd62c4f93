"""hypotheses, references -> scores: sacreBLEU's own program says the same."""

import json
import math
import random
import subprocess
import sys
from collections import Counter

import pytest

from regard.evaluate.compare import compare
from regard.evaluate.metrics import PAPER, metrics, scores

WORDS = "the old dog sees a small red house near Mary's well-kept garden , where birds sing ."


def translations(seed: int, *, damage: float) -> list[str]:
    """Sentences of chance; the same seed gives the same ones, some words of which are changed."""
    chance, noise = random.Random(seed), random.Random(damage)
    return [
        " ".join(
            noise.choice(WORDS.split()) if noise.random() < damage else word
            for word in chance.choices(WORDS.split(), k=chance.randint(3, 20))
        )
        for _ in range(60)
    ]


REFERENCE = translations(1, damage=0.0)
SYSTEMS = {"better": translations(1, damage=0.2), "worse": translations(1, damage=0.3)}


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """What `sacrebleu` prints, as JSON."""
    folder = tmp_path_factory.mktemp("systems")
    for name, texts in {"reference": REFERENCE, **SYSTEMS}.items():
        (folder / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")

    def ask(*arguments: str):
        command = [sys.executable, "-m", "sacrebleu", "reference", "-w", "9", *arguments]
        found = subprocess.run(command, check=True, capture_output=True, cwd=folder)
        return json.loads(found.stdout)

    return ask


def test_scores_and_signatures_are_sacrebleus(theirs):
    plain = theirs("-i", "better", "-m", "bleu", "chrf", "ter")
    with_words = theirs("-i", "better", "-m", "chrf", "--chrf-word-order", "2")
    wanted = {score["name"]: score for score in [*plain, with_words]}
    found = scores(SYSTEMS["better"], REFERENCE, metrics())
    for name, score in wanted.items():
        assert found[name].score == pytest.approx(score["score"], abs=1e-8)
        assert found[name].signature == score["signature"]


@pytest.mark.parametrize(
    ("kind", "field"), [("--paired-bs", "bootstrap"), ("--paired-ar", "randomisation")]
)
def test_differences_are_tested_as_sacrebleu_tests_them(theirs, kind, field):
    count = "--paired-bs-n" if kind == "--paired-bs" else "--paired-ar-n"
    rows = theirs("-i", *SYSTEMS, "-m", "bleu", kind, count, "300")
    chosen = {name: metric for name, metric in metrics().items() if name == "BLEU"}
    ours = compare(SYSTEMS, REFERENCE, chosen, samples=300, trials=300)
    for i, row in enumerate(rows):
        for name in chosen:
            beside = ours[name][i]
            assert getattr(beside, field) == (
                None if i == 0 else pytest.approx(row[name]["p_value"], abs=1e-8)
            )
            if kind == "--paired-bs":
                assert beside.mean == pytest.approx(row[name]["mean"], abs=1e-8)
                assert beside.interval == pytest.approx(row[name]["ci"], abs=1e-8)


def test_a_comparison_needs_two_and_not_too_many():
    with pytest.raises(ValueError, match="a comparison needs two"):
        compare({"one": ["a"]}, ["a"], metrics())
    with pytest.raises(ValueError, match="takes at most 20000"):
        compare({"one": [], "two": []}, ["a"] * 20_001, metrics())


def by_definition_of(hypotheses: list[str], references: list[str]) -> float:
    """Modified precisions of one to four words, brevity penalty (Papineni et al. 2002)."""
    logs = 0.0
    for n in (1, 2, 3, 4):
        right = there = 0
        for pair in zip(hypotheses, references, strict=True):
            ours, theirs = (
                Counter(zip(*(text.split()[i:] for i in range(n)), strict=False)) for text in pair
            )
            right, there = right + (ours & theirs).total(), there + ours.total()
        logs += math.log(right / there) / 4
    lengths = [sum(len(text.split()) for text in texts) for texts in (hypotheses, references)]
    return 100 * math.exp(logs + min(0.0, 1 - lengths[1] / lengths[0]))


def test_the_papers_way_by_hand():
    """Moses' words, quotation marks alike, compounds cut, no smoothing: written out."""
    hypotheses = ["Er sagte: „Das ist ein Text-Editor.“", "Dr. Maier kommt um 3,5 Uhr-Zeit, z. B."]
    references = ['Er sagte: "Das ist der Text-Editor."', "Dr. Maier kam um 3,5 Uhr-Zeit, z. B."]
    cut = "##AT##-##AT##"
    words = (
        [f'Er sagte : " Das ist ein Text {cut} Editor . "',
         f"Dr. Maier kommt um 3,5 Uhr {cut} Zeit , z. B."],
        [f'Er sagte : " Das ist der Text {cut} Editor . "',
         f"Dr. Maier kam um 3,5 Uhr {cut} Zeit , z. B."],
    )  # fmt: skip
    found = scores(hypotheses, references, metrics(language="de"))[PAPER]
    assert found.score == pytest.approx(by_definition_of(*words), abs=1e-9)
    assert "tok:moses-de+quotes-equal+hyphens-split|smooth:none" in found.signature


def test_tokenised_text_is_cut_at_hyphens_once():
    texts = ["a rich @-@ text and well-kept one ."]
    found = scores(texts, ["a rich @-@ text and well-kept one !"], metrics(tokenize="none"))[PAPER]
    assert "hyp_len = 10" in found.details
    assert "tok:none+quotes-equal" in found.signature


def test_a_language_that_moses_does_not_know_is_cut_by_its_rules_for_english():
    texts = ["Mr. Smith, hello. Yes."]
    english, other = (scores(texts, texts, metrics(language=name))[PAPER] for name in ("en", "xx"))
    assert english.details == other.details
