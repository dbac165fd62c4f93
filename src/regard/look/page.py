"""what is to be shown -> one HTML file: script, style, words and data inside.

The file's content security policy names the script and the style by their hashes and forbids every
request, so that the page works from disk, without network, and for as long as there are browsers.
"""

import base64
import gzip
import hashlib
import json
from importlib.resources import files

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>regard</title>
<style>{style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. It asks no network for anything.</noscript>
<script type="application/json" id="words">"{words}"</script>
<script type="application/json" id="data">"{data}"</script>
<script>{script}</script>
</body>
</html>
"""


def page(data: object = None, *, live: bool = False) -> str:
    """The page: the lesson, and whatever `data` (as JSON has it) adds to it.

    Args:
        data: what the page shows beside the lesson; `None` where there is nothing.
        live: whether the page may ask the server that it came from.
    """
    script, style = _bundled("page.js"), _bundled("style.css")
    policy = [
        "default-src 'none'",
        f"script-src '{_hash(script)}'",
        f"style-src '{_hash(style)}'",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
        *(["connect-src 'self'"] if live else []),
    ]
    return _PAGE.format(
        policy="; ".join(policy),
        style=style,
        script=script,
        words=_packed(_bundled("words.json")),
        data=_packed(json.dumps(data, ensure_ascii=False, allow_nan=False)),
    )


def _bundled(name: str) -> str:
    return files("regard.look").joinpath("bundle", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _packed(text: str) -> str:
    """Text as gzip in base64: small, and without a sign that could end its block."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
