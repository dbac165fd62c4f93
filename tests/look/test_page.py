"""The page as a file: closed to every network, safe for any text, small."""

import base64
import gzip
import hashlib
import json
import re

from regard.commands import run
from regard.look.page import page


def block(html: str, name: str) -> object:
    [packed] = re.findall(rf'<script type="application/json" id="{name}">"([^"<]*)"</script>', html)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def policy(html: str) -> dict[str, str]:
    [content] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    return dict(part.split(" ", 1) for part in content.split("; "))


def test_data_come_back_whatever_they_hold():
    data = {"pieces": ["</script>", "<!--", "แมว", "חתול", "e\u0301", "👩🏽‍🚀", "\u2028", '"']}
    assert block(page(data), "data") == data


def test_the_policy_names_script_and_style_and_forbids_the_rest():
    html = page()
    allowed = policy(html)
    assert allowed["default-src"] == "'none'"
    assert "connect-src" not in allowed
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", html, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert allowed[rule] == f"'sha256-{digest}'"


def test_only_a_live_page_may_ask_and_only_where_it_came_from():
    assert policy(page(live=True))["connect-src"] == "'self'"


def test_it_is_small():
    assert len(page().encode()) < 200_000


def test_the_catalogues_are_inside():
    words = block(page(), "words")
    assert isinstance(words, dict)
    keys = {language: set(catalogue) for language, catalogue in words.items()}
    assert keys["en"]
    assert all(known == keys["en"] for known in keys.values())


def test_the_command_writes_the_lesson(tmp_path, capsys):
    target = tmp_path / "lesson.html"
    assert run(["look", "--lesson", "--html", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == page()
    assert str(target) in capsys.readouterr().out
