"""what was measured -> the terminal and files."""

import argparse
import json
from pathlib import Path
from typing import Any


def files(parser: argparse.ArgumentParser, *, picture: bool = True) -> None:
    """The options that say where to write."""
    parser.add_argument("--output", type=Path, help="a file for the Markdown")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    if picture:
        parser.add_argument("--picture", type=Path, help="a file for the SVG")


def keep(given: argparse.Namespace, found: Any, text: str, picture: str = "") -> None:
    """Print the text, and write what was asked for."""
    print(text)
    if given.output:
        given.output.write_text(text + "\n")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    if picture and given.picture:
        given.picture.write_text(picture)
