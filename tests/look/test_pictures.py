"""Pictures of arrays: blocks in a terminal, an SVG that stands alone."""

import xml.etree.ElementTree as ET

import numpy as np

from regard.look.svg import colour, picture
from regard.look.terminal import blocks, columns

WORDS = ["</script>", "แมว", "חתול", "e\u0301", "👩🏽‍🚀", "\x07\u2028", "猫は寝る", "x" * 40]


def test_blocks_are_the_darker_the_larger_the_weight():
    weights = np.array([[0.05, 0.1, 0.85], [0.3, 0.6, 0.1], [0.0, 0.95, 0.05]], dtype=np.float32)
    shown = blocks(weights, ["a", "bb", "c"], ["k", "long", "l"], title="title").splitlines()
    assert shown == ["title", "   k  long l", " a    ░░░░ ▓▓", "bb ▒▒ ▓▓▓▓ ░░", " c    ████"]


def test_rows_of_any_script_begin_in_one_column():
    count = len(WORDS)
    lines = blocks(np.eye(count, dtype=np.float32), WORDS, WORDS, title="t").splitlines()
    assert len(lines) == count + 2
    margin = columns(lines[1]) - columns(lines[1].lstrip())
    for line in lines[2:]:
        assert columns(line.partition("█")[0]) >= margin
    assert columns("猫e\u0301") == 3


def test_an_svg_is_xml_with_a_square_for_each_weight_and_hatching_for_what_is_forbidden():
    count = len(WORDS)
    weights = np.tril(np.full((count, count), 0.25, dtype=np.float32))
    allowed = np.tri(count, dtype=bool)
    svg = picture(weights, allowed, WORDS, WORDS, title="</title> & more")
    root = ET.fromstring(svg)
    cells = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if len(rect)]
    assert len(cells) == count * count
    hatched = [rect for rect in cells if rect.get("fill") == "url(#forbidden)"]
    assert len(hatched) == count * (count - 1) // 2
    titles = {rect[0].text for rect in cells}
    assert "แมว → </script>: 0.250" in titles
    assert "</script> → แมว: forbidden" in titles


def test_the_scale_darkens_evenly_from_0_to_1():
    def light(weight):
        name = colour(weight)
        return sum(int(name[i : i + 2], 16) for i in (1, 3, 5))

    ramp = [light(step / 20) for step in range(21)]
    assert ramp == sorted(ramp, reverse=True)
    assert colour(-1.0) == colour(0.0)
    assert colour(2.0) == colour(1.0)
