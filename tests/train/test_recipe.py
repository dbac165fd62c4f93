"""TOML -> a recipe, read strictly."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

import regard.commands
from regard.errors import RecipeError
from regard.train.recipe import Recipe, TrainingOptions, read_recipe, recipe_of

ROOT = Path(__file__).parents[2]
RECIPES = [*ROOT.glob("recipes/**/*.toml"), *Path(regard.commands.__file__).parent.glob("*.toml")]
DATA = '[data]\ntrain = ["a.en", "a.de"]\nvalid = ["b.tsv"]\n'


@pytest.fixture
def written(tmp_path):
    def write(text: str, name: str = "recipe.toml") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def refused(written):
    def reason(text: str, *changes: str) -> str:
        with pytest.raises(RecipeError) as error:
            read_recipe(written(text), changes)
        return str(error.value).partition("recipe.toml")[2] or str(error.value)

    return reason


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_recipe_that_comes_with_the_program_is_read(path):
    read_recipe(path)


def test_there_are_recipes_to_read():
    assert {"demo", "multi30k-tiny", "base"} <= {path.stem for path in RECIPES}


def test_what_a_recipe_does_not_say_is_the_papers(written):
    recipe = read_recipe(written(DATA))
    assert (recipe.model.d_model, recipe.model.heads, recipe.model.encoder_layers) == (512, 8, 6)
    assert (recipe.training.warmup, recipe.training.label_smoothing) == (4000, 0.1)
    assert (recipe.search.beam, recipe.search.alpha, recipe.search.extra) == (4, 0.6, 50)


@pytest.mark.parametrize(("name", "updates", "mean"), [("base", 100_000, 5), ("big", 300_000, 20)])
def test_the_papers_recipes_are_the_papers(name, updates, mean):
    """Vaswani et al. 2017, 5.1, 5.2 and 6.1."""
    recipe = read_recipe(ROOT / "recipes" / f"{name}.toml")
    training = recipe.training
    assert training.batch * training.accumulate == 25_000
    assert (recipe.pieces.size, recipe.pieces.joint, recipe.pieces.method) == (37_000, True, "bpe")
    assert (training.updates, training.warmup, training.average) == (updates, 4000, mean)
    assert (recipe.search.beam, recipe.search.alpha) == (4, 0.6)


def test_what_a_recipe_says_is_kept_through_json(written):
    recipe = read_recipe(written(DATA + "[training]\nupdates = 7\nclip = 1\n[search]\nbeam = 2"))
    assert (recipe.training.updates, recipe.training.clip, recipe.search.beam) == (7, 1.0, 2)
    content = json.loads(json.dumps(recipe.as_json()))
    assert recipe_of(content, name="again") == recipe
    assert set(content) == {field.name for field in fields(Recipe)}


@pytest.mark.parametrize(
    ("text", "unknown", "nearest"),
    [
        ("[training]\nupdats = 5", "training.updats", "training.updates"),
        ("[training]\nUpdates = 5", "training.Updates", "training.updates"),
        ("[model]\nupdates = 5", "model.updates", "training.updates"),
        ("[training]\nd_modle = 5", "training.d_modle", "model.d_model"),
        ("[trainig]\nupdates = 5", "trainig", "training"),
        ("[Model]\nd_model = 5", "Model", "model"),
        ("[search]\nbeem = 5", "search.beem", "search.beam"),
        ("[validation]\nbeem = 5", "validation.beem", "validation.beam"),
        ("[model]\nlongst = 5", "model.longst", "model.longest"),
        ('[model]\n"" = 5', "model.", "model."),
        ('[model]\n"a.b" = 5', "model.a.b", ""),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known_one(refused, text, unknown, nearest):
    assert f"unknown key {unknown}; did you mean {nearest}" in refused(DATA + text)


def test_a_key_within_a_key_is_named_in_full(refused):
    text = "[data]\nphrasebook = {pairs = 5, sead = 1}"
    expected = "unknown key data.phrasebook.sead; did you mean data.phrasebook.seed?"
    assert expected in refused(text)
    assert "unknown key updates; did you mean training.updates?" in refused("updates = 5\n" + DATA)
    assert "unknown key ; did you mean" in refused('"" = 5\n' + DATA)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[training]\nupdates = '5'", 'training.updates is "5"; input should be a valid integer'),
        ("[training]\nupdates = 5.5", "training.updates is 5.5; input should be a valid integer"),
        ("[training]\nupdates = true", "training.updates is true; input should be a valid integer"),
        ("[training]\nupdates = 2026-11-30", 'training.updates is "2026-11-30"; input should be'),
        ("[training]\nfactor = true", "training.factor is true; input should be a valid number"),
        ("[training]\nfactor = nan", "training.factor is NaN; input should be a finite number"),
        ("[training]\nclip = inf", "training.clip is Infinity; input should be a finite number"),
        ("[search]\nalpha = -inf", "search.alpha is -Infinity; input should be a finite number"),
        ("[pieces]\njoint = 1", "pieces.joint is 1; input should be a valid boolean"),
        ("[pieces]\nmethod = 'wordpiece'", "pieces.method is \"wordpiece\"; input should be 'bpe'"),
        ("[model]\ndropout = [0.1]", "model.dropout is [0.1]; input should be a valid number"),
        ("[model]\ndropout = 1", "model: dropout 1.0 is not a chance: 0 <= p < 1"),
        ("[model]\nheads = 7", "model: d_model 512 cannot be shared by 7 heads; give d_k and d_v"),
        ("[pieces]\nsize = 260", "pieces: size 260 must be more than 260"),
        ("[pieces]\njoint = false", "model.tie = 'all' needs pieces.joint = true"),
        ('[model]\npositions = "learned"\nlongest = 305', "model.longest 305 must be at least 306"),
        ("[training]\nbatch = 255", "training.batch 255 must hold a pair of data.longest 256"),
        ("[training]\naverage = 6", "training: average 6 needs keep to be as many, not 5"),
        ("[validation]\ntokenize = 'moses'", "validation: tokenize 'moses' must be one of 13a, "),
        (f"[training]\nseed = {2**63}", f"training: seed {2**63} must be less than"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_place(refused, text, reason):
    assert reason in refused(DATA + text)


@pytest.mark.parametrize("value", [-1, 0])
@pytest.mark.parametrize("name", ["updates", "batch", "accumulate", "warmup", "keep"])
def test_a_count_must_be_positive(name, value):
    with pytest.raises(ValueError, match=f"{name} {value} must be at least 1"):
        TrainingOptions(**{name: value})


@pytest.mark.parametrize("name", ["factor", "cooldown", "clip", "average", "patience", "seed"])
def test_what_may_be_nothing_must_not_be_less(name):
    TrainingOptions(**{name: type(getattr(TrainingOptions(), name))(0)})
    with pytest.raises(ValueError, match=f"{name} -1.* must not be negative"):
        TrainingOptions(**{name: type(getattr(TrainingOptions(), name))(-1)})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "data is missing"),
        ("data = 5", "data is 5; input should be an object"),
        ("[data]", "data: train must name a source and a target file"),
        ('[data]\ntrain = "a"\nvalid = ["b"]', 'data.train is "a"; input should be a valid array'),
        ('[data]\ntrain = ["a", 5]\nvalid = ["b"]', "data.train.1 is 5; input should be a valid"),
        ('[data]\ntrain = ["a", "b", "c"]\nvalid = ["b"]', "c has no target"),
        (DATA + "phrasebook = {pairs = 5}", "data: either phrasebook or train and valid, not both"),
        (DATA + "longest = 1", "data: longest 1 must be at least 2"),
        (DATA + "ratio = 0.5", "data: ratio 0.5 must be at least 1"),
        ("[data]\nphrasebook = {pairs = 0}", "data.phrasebook: pairs 0 must be at least 1"),
        ("[data]\nphrasebook = 5", "data.phrasebook is 5; input should be an object"),
    ],
)
def test_a_recipe_must_say_where_its_data_is(refused, text, reason):
    assert reason in refused(text)


def test_all_that_is_wrong_is_said_at_once(refused):
    reason = refused(DATA + "[training]\nupdats = 5\nwarmup = 'x'\n[pieces]\njoint = 3")
    assert reason.count(";") == 5
    for key in ("training.updats", "training.warmup", "pieces.joint"):
        assert key in reason


@pytest.mark.parametrize("text", ["a = = b", "[data", "a = 1\na = 2", "a = " + "[" * 5000])
def test_what_is_no_toml_is_refused(refused, text):
    assert refused(text).startswith(" is not TOML: ")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for path in (tmp_path / "missing.toml", tmp_path):
        with pytest.raises(RecipeError, match=f"recipe {path} cannot be read: "):
            read_recipe(path)
    (tmp_path / "latin1.toml").write_bytes(b'a = "caf\xe9"')
    with pytest.raises(RecipeError, match=r"latin1\.toml is not TOML: 'utf-8' codec"):
        read_recipe(tmp_path / "latin1.toml")


def test_a_byte_order_mark_is_no_part_of_a_recipe(written):
    assert read_recipe(written("\ufeff" + DATA)) == read_recipe(written(DATA, "plain.toml"))


@pytest.mark.parametrize(
    ("change", "section", "key", "value"),
    [
        ("training.updates=500", "training", "updates", 500),
        ("training.updates = 1_000", "training", "updates", 1000),
        ("training.factor=2.5", "training", "factor", 2.5),
        ("training.clip=1", "training", "clip", 1.0),
        ("pieces.method=unigram", "pieces", "method", "unigram"),
        ('pieces.method="unigram"', "pieces", "method", "unigram"),
        ("validation.lowercase=true", "validation", "lowercase", True),
        ("data.folder=my data/de", "data", "folder", "my data/de"),
        ("data.folder=a=b", "data", "folder", "a=b"),
        ("data.folder=2026-11-30", "data", "folder", "2026-11-30"),
        ('data.train=["c.tsv"]', "data", "train", ("c.tsv",)),
    ],
)
def test_set_changes_one_key(written, change, section, key, value):
    path = written(DATA + "[training]\nupdates = 7")
    changed, before = read_recipe(path, [change]).as_json(), read_recipe(path).as_json()
    assert changed[section][key] == value != before[section][key]
    changed[section][key] = before[section][key]
    assert changed == before


def test_the_last_of_several_changes_counts(written):
    changes = ["training.updates=5", "search.beam=2", "training.updates=6"]
    recipe = read_recipe(written(DATA), changes)
    assert (recipe.training.updates, recipe.search.beam) == (6, 2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("", "write section.key=value, as in training.updates=500"),
        ("training.updates", "write section.key=value, as in training.updates=500"),
        ("updates=5", "write section.key=value, as in training.updates=500"),
        ("=5", "write section.key=value, as in training.updates=500"),
        (".updates=5", "write section.key=value, as in training.updates=500"),
        ("training.=5", "write section.key=value, as in training.updates=500"),
        ("training.updates.x=5", "updates is no section"),
        ("training.updates=", 'training.updates is ""; input should be a valid integer'),
        ("training.updats=5", "did you mean training.updates?"),
        ("data.folder=5", "data.folder is 5; input should be a valid string"),
    ],
)
def test_a_change_that_cannot_be_is_refused(refused, change, reason):
    assert reason in refused(DATA + "[training]\nupdates = 7", change)


def test_a_recipe_may_extend_another(written, tmp_path):
    (tmp_path / "sub").mkdir()
    written(DATA + "[training]\nupdates = 7\nwarmup = 3", "base.toml")
    written('extends = "base.toml"\n[training]\nwarmup = 5\n[search]\nbeam = 2', "middle.toml")
    last = written('extends = "../middle.toml"\n[model]\nd_ff = 11', "sub/last.toml")
    recipe = read_recipe(last)
    assert (recipe.training.updates, recipe.training.warmup) == (7, 5)
    assert (recipe.search.beam, recipe.model.d_ff) == (2, 11)
    assert recipe.data == read_recipe(tmp_path / "base.toml").data


def test_what_is_no_section_in_the_other_is_replaced_by_one(written):
    written("training = 5", "odd.toml")
    path = written(f'extends = "odd.toml"\n{DATA}[training]\nupdates = 5')
    assert read_recipe(path).training.updates == 5


@pytest.mark.parametrize(
    ("extends", "reason"),
    [
        ('"recipe.toml"', "extends itself"),
        ('"other.toml"', "extends itself"),
        ('"missing.toml"', "cannot be read: No such file"),
        ('""', "cannot be read: Is a directory"),
        ("5", "cannot be read: No such file"),
        ('"a\\u0000b"', "is not TOML: embedded null byte"),
    ],
)
def test_a_recipe_that_extends_what_it_cannot_is_refused(written, extends, reason):
    path = written(f"extends = {extends}\n{DATA}[training]\nupdates = 5")
    written('extends = "recipe.toml"', "other.toml")
    with pytest.raises(RecipeError, match=reason):
        read_recipe(path)
