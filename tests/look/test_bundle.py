"""The bundle in the package is what web/ builds; the parts of web/ that need no browser."""

import subprocess
from pathlib import Path

import pytest

BUNDLE = Path(__file__).parents[2] / "src/regard/look/bundle"


@pytest.mark.slow
def test_the_bundle_is_what_its_source_builds(web, tmp_path):
    for arguments in (
        ["run", "check"], ["test"], ["run", "build", "--", "--out", str(tmp_path)],
    ):  # fmt: skip
        done = subprocess.run(
            ["npm", *arguments], check=False, cwd=web, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in BUNDLE.iterdir()}
    assert built.keys() == kept.keys()
    for name in kept:
        assert built[name] == kept[name], f"{name}: npm run build, in web/, makes another"
