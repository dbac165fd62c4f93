"""A browser with the network cut, what it complains about, and what npm brings."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from regard.look.page import page as page_of

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/trace"))  # some_trace.py


@pytest.fixture(scope="session")
def web(tmp_path_factory) -> Path:
    """`web/` as a clean clone has it, with what its lock file names."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    copy = tmp_path_factory.mktemp("npm") / "web"
    shutil.copytree(ROOT / "web", copy, ignore=shutil.ignore_patterns("node_modules", ".tests"))
    done = subprocess.run(["npm", "ci"], check=False, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return copy


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def visit(browser):
    """Opens a file in a fresh window, offline; at the end, there was no request and no error."""
    windows, complaints = [], []

    def opened(path: Path, address: str = "", *, width: int = 1280):
        window = browser.new_context(
            viewport={"width": width, "height": 900}, offline=True, accept_downloads=True
        )
        windows.append(window)
        page = window.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.on("request", lambda asked: None if own(asked.url) else complaints.append(asked.url))
        page.goto(path.as_uri() + address)
        page.wait_for_selector("main h1")
        return page

    yield opened
    for window in windows:
        window.close()
    assert complaints == []


@pytest.fixture
def open_page(visit, tmp_path):
    """Opens the lesson at an address, with whatever data the page brings along."""

    def opened(address: str, *, data: object = None, width: int = 1280):
        file = tmp_path / "lesson.html"
        file.write_text(page_of(data), encoding="utf-8")
        return visit(file, f"#{address}", width=width)

    return opened


def own(url: str) -> bool:
    return url.startswith(("file:", "data:", "blob:"))


@pytest.fixture(scope="session")
def axe(web) -> str:
    """The source of axe-core, which finds what keeps people out."""
    return (web / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def violations(page, axe: str) -> list[str]:
    """What axe finds wrong with a page as it is now."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.fixture
def faults(axe):
    return lambda page: violations(page, axe)
