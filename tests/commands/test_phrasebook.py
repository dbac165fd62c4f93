"""regard phrasebook: the embedded corpus -> files."""

import pytest

from regard.commands import run

SETS = ("train", "dev")


@pytest.mark.slow
def test_every_set_is_text_alignments_and_trees(tmp_path, capsys):
    assert run(["phrasebook", "--out", str(tmp_path / "new" / "book"), "--pairs", "50"]) == 0
    files = {path.name: path for path in (tmp_path / "new" / "book").iterdir()}
    sets = {name.partition(".")[0] for name in files}
    assert set(SETS) < sets
    assert set(files) == {f"{s}.{end}" for s in sets for end in ("en", "de", "align", "trees")}
    out = capsys.readouterr().out
    for name in sets:
        texts = {end: files[f"{name}.{end}"].read_text("utf-8").split("\n")[:-1]
                 for end in ("en", "de", "align", "trees")}  # fmt: skip
        count = len(texts["en"])
        assert f"{name}.en .de .align .trees: {count:,} pairs" in out
        assert {len(lines) for lines in texts.values()} == {count}
        for en, de, align in zip(texts["en"], texts["de"], texts["align"], strict=True):
            for link in align.split():
                i, j = map(int, link.split("-"))
                assert i < len(en.split())
                assert j < len(de.split())
    assert len(files["train.en"].read_text().split("\n")) == 51


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "book"):
        assert run(["phrasebook", "--out", str(place)]) == 5
        err = capsys.readouterr().err
        assert err.startswith(f"regard: {place} cannot be made: ")
        assert err.count("\n") == 1
