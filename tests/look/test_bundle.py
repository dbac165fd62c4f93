"""The bundle in the package is what web/ builds; the parts of web/ that need no browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "src/regard/look/bundle"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
def test_the_bundle_is_what_its_source_builds(tmp_path):
    web = tmp_path / "web"
    shutil.copytree(
        ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules", ".tests")
    )  # as a clean clone has it
    for arguments in (
        ["ci"], ["run", "check"], ["test"], ["run", "build", "--", "--out", str(tmp_path / "out")],
    ):  # fmt: skip
        done = subprocess.run(
            ["npm", *arguments], check=False, cwd=web, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    built = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    kept = {path.name: path.read_bytes() for path in BUNDLE.iterdir()}
    assert built.keys() == kept.keys()
    for name in kept:
        assert built[name] == kept[name], f"{name}: npm run build, in web/, makes another"
