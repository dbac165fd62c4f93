"""regard align: given translations -> links, as a trace has the weights and loops find them."""

import json

import pytest

from regard.commands import run
from regard.translator import Translator

SOURCES = ["the cat sleeps", "", "the dog runs the mouse", "the bird"]
TARGETS = ["Katze schläft", "Hund", "Hund läuft Maus Maus", ""]
GOLD = ["1-1 2-1 3-2", "", "2-1 3-2 1p1 5-3", ""]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = {"source": SOURCES, "target": TARGETS, "gold": GOLD, "one": SOURCES[:1]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


PAIRS = ["--source", "source", "--target", "target"]


def aligned(capsys, *arguments) -> list[str]:
    assert run(["align", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def by_loops(translator, source, target, *, head, words) -> tuple[set, set]:
    """What each target word chose, and what each source word: sums and means, one by one."""
    trace = translator.trace(source, target=target)
    layer = trace.layers("cross")[-1].weights
    weights = layer.mean(0) if head is None else layer[head]
    queries, keys = trace.target_out, trace.source
    if not words:
        table = weights[:-1, :-1]
    else:
        table = [
            [
                sum(
                    float(weights[q, k])
                    for q in range(len(queries))
                    for k in range(len(keys))
                    if (queries.word_of[q], keys.word_of[k]) == (j, i)
                )
                / queries.word_of.count(j)
                for i in range(len(source.split()))
            ]
            for j in range(len(target.split()))
        ]
    sides = range(len(table[0])), range(len(table))
    of_target = {(max(sides[0], key=lambda i, j=j: table[j][i]), j) for j in sides[1]}
    of_source = {(i, max(sides[1], key=lambda j, i=i: table[j][i])) for i in sides[0]}
    return of_target, of_source


@pytest.mark.parametrize("pieces", [False, True])
@pytest.mark.parametrize("head", [None, 1])
def test_links_are_what_loops_find(files, tiny_run, capsys, head, pieces):
    translator = Translator.load(tiny_run)
    which = [] if head is None else ["--head", head + 1]
    which += ["--pieces"] if pieces else []
    ways = {"target": lambda t, _: t, "source": lambda _, s: s, "union": lambda t, s: t | s,
            "intersection": lambda t, s: t & s}  # fmt: skip
    for way, joined in ways.items():
        out = aligned(capsys, tiny_run, *PAIRS, "--combine", way, *which)
        assert len(out) == len(SOURCES)
        assert [out[1], out[3]] == ["", ""]
        for i in (0, 2):
            both = by_loops(translator, SOURCES[i], TARGETS[i], head=head, words=not pieces)
            assert out[i] == " ".join(f"{a}-{b}" for a, b in sorted(joined(*both)))


def test_a_run_for_the_other_direction_chooses_for_source_words(files, tiny_run, capsys):
    """Its target is our source; here the same run stands for both."""
    translator = Translator.load(tiny_run)
    turned, _ = by_loops(translator, TARGETS[0], SOURCES[0], head=None, words=True)
    out = aligned(capsys, tiny_run, *PAIRS, "--reverse", tiny_run, "--combine", "source")
    assert out[0] == " ".join(f"{a}-{b}" for a, b in sorted((a, b) for b, a in turned))


def test_the_step_after_is_another_choice(files, tiny_run, capsys):
    translator = Translator.load(tiny_run)
    trace = translator.trace(SOURCES[2], target=TARGETS[2]).words()
    rows = trace.weights("cross", head=0)
    out = aligned(
        capsys, tiny_run, *PAIRS, "--combine", "target", "--head", 1, "--shift", 1, "--pieces"
    )
    whole = translator.trace(SOURCES[2], target=TARGETS[2]).weights("cross", head=0)
    wanted = {(int(row[:-1].argmax()), j) for j, row in enumerate(whole[1:])}
    assert out[2] == " ".join(f"{a}-{b}" for a, b in sorted(wanted))
    assert rows.shape[0] < whole.shape[0]  # or words and pieces would be the same


def test_what_is_not_named_is_chosen_by_gold(files, tiny_run, capsys):
    arguments = [tiny_run, *PAIRS, "--gold", "gold", "--first", 1, "--json", "figures"]
    rates = {}
    for head in ("mean", 1, 2):
        for shift in (0, 1):
            aligned(capsys, *arguments, "--head", head, "--shift", shift)
            figures = json.loads((files / "figures").read_text())
            rates[figures["attention"]] = figures["aer"]
    aligned(capsys, *arguments, "--dev", "source", "target", "gold")
    best = json.loads((files / "figures").read_text())
    assert best["aer"] == min(rates.values())
    assert best["attention"] in rates


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--combine", "x"], "--combine x must be one of target, source, union"),
        (["--layer", "2"], "layer 2 is asked for; 1 see the source"),
        (["--head", "3"], "head 3 is asked for; there are 2"),
        (["--head", "0"], "--head 0 must be a number from 1, or mean"),
        (["--gold", "gold"], "gold, line 1: link 3-2 is beyond a pair of 3 and 2"),
        (["--gold", "one"], "one, line 1: 'the' is no link"),
        (["--gold", "short"], "short has 1 lines, and there are more pairs"),
        (["--dev", "source", "target", "short"], "short has 1 lines, and there are more pairs"),
        (["--target", "one"], "source has 4 lines but one has 1"),
    ],
)
def test_what_cannot_be_aligned_is_refused_in_one_line(files, tiny_run, capsys, arguments, message):
    (files / "short").write_text("0-0\n")
    assert run(["align", str(tiny_run), *PAIRS, *arguments, "--output", "out"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err
    assert not (files / "out").exists()


def test_a_model_without_attention_to_the_source_aligns_nothing(files, tiny_run, capsys, tmp_path):
    from dataclasses import replace

    from regard.checkpoint import load, parameters, resolve, save
    from regard.models.build import build
    from regard.models.config import config_of

    whole = load(resolve(tiny_run))
    section = {"family": "recurrent", "attention": "none", "d_model": 8}
    rows = {"source_rows": len(whole.source), "target_rows": len(whole.target)}
    model = build(config_of(section), **rows)
    recipe = whole.recipe | {"model": section}
    save(tmp_path / "none", replace(whole, recipe=recipe, parameters=parameters(model)))
    assert run(["align", "none", *PAIRS]) == 2
    assert "a Recurrent without attention to the source aligns nothing" in capsys.readouterr().err
