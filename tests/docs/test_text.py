"""docs/text.md: every row of its table of lines is what the program does."""

import ast
import re
from pathlib import Path

import pytest

from regard.text.lines import Line, lines
from regard.text.normalise import normalise
from regard.text.pieces import UNK, Pieces

PAGE = (Path(__file__).parents[2] / "docs/text.md").read_text(encoding="utf-8")
ROWS = [
    (ast.literal_eval(line), ast.literal_eval(read))
    for line, read in re.findall(r'^\| `(".*?")` \| `(".*?")` \|', PAGE, flags=re.MULTILINE)
]
PIECES = Pieces.learn([read for _, read in ROWS], size=400)


def test_all_rows_are_found():
    assert len(ROWS) == PAGE.count('\n| `"') > 30


@pytest.mark.parametrize(("line", "read"), ROWS, ids=ascii)
def test_the_model_reads_what_the_table_says(line, read):
    assert normalise(line) == read
    ids = PIECES.split(line)
    assert PIECES.join(ids) == read
    assert all(piece > UNK for piece in ids)
    assert bool(ids) == bool(read)


@pytest.mark.parametrize("line", [line for line, _ in ROWS if line != "\ud800"], ids=ascii)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_each_line_stays_one_line_as_it_is(line, end):
    raw = [f"\ufeff{line}{end}".encode(), b"next"]
    assert list(lines(raw, name="t")) == [Line(line, end, "\ufeff"), Line("next", "")]
