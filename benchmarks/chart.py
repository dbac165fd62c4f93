"""numbers -> a picture, as SVG: lines, points joined by lines, or tables as shades."""

import math
from collections.abc import Container, Mapping, Sequence
from html import escape

COLOURS = ["#888888", "#d55e00", "#e69f00", "#009e73", "#56b4e9", "#0072b2", "#cc79a7"]
WIDE, HIGH, LEFT, RIGHT, TOP, LOW = 700, 380, 60, 520, 40, 330
CELL, ROOM, IN_A_ROW = 18, 90, 3


def chart(
    title: str,
    along: Sequence[str],
    lines: Mapping[str, Sequence[float]],
    marks: Sequence[tuple[float, str]],
) -> str:
    """A picture of lines.

    Args:
        title: What is drawn, with its unit.
        along: The names of the places from left to right.
        lines: For each name, a height at each place.
        marks: Heights that a rule is drawn at, the lowest first, with their names.
    """
    lowest, highest = marks[0][0], marks[-1][0]

    def y(value: float) -> float:
        return LOW - (value - lowest) / (highest - lowest) * (LOW - TOP)

    step = (RIGHT - LEFT) / (len(along) - 1)
    parts = _sheet(title, WIDE, HIGH)
    for value, name in marks:
        parts.append(
            f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y(value):.0f}" y2="{y(value):.0f}"'
            ' stroke="#dddddd"/>'
            f'<text x="{LEFT - 8}" y="{y(value) + 4:.0f}" text-anchor="end">{name}</text>'
        )
    for i, name in enumerate(along):
        parts.append(
            f'<text x="{LEFT + i * step:.0f}" y="{LOW + 20}" text-anchor="middle">{name}</text>'
        )
    last = -99.0
    for name in sorted(lines, key=lambda name: y(lines[name][-1])):
        colour = COLOURS[list(lines).index(name) % len(COLOURS)]
        points = " ".join(f"{LEFT + i * step:.0f},{y(v):.1f}" for i, v in enumerate(lines[name]))
        last = max(y(lines[name][-1]) + 4, last + 14)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{RIGHT + 8}" y="{last:.0f}" fill="{colour}">{name}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def curves(title: str, lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """A picture of points joined by lines: heights over powers of two.

    Args:
        title: What is drawn, with its units.
        lines: For each name, its points from left to right: across, up.
    """
    points = [point for line in lines.values() for point in line]
    first, last = (of(math.log2(x) for x, _ in points) for of in (min, max))
    first, last = math.floor(first), math.ceil(last)
    lowest, highest = math.floor(min(y for _, y in points)), math.ceil(max(y for _, y in points))

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x, y = (math.log2(point[0]) - first) / (last - first), (point[1] - lowest)
        return LEFT + x * (RIGHT - LEFT), LOW - y / (highest - lowest) * (LOW - TOP)

    parts = _sheet(title, WIDE, HIGH)
    for power in range(first, last + 1):
        x, _ = place((2**power, lowest))
        parts.append(
            f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{TOP}" y2="{LOW}" stroke="#dddddd"/>'
            f'<text x="{x:.0f}" y="{LOW + 20}" text-anchor="middle">{2**power:,}</text>'
        )
    for height in range(lowest, highest + 1):
        _, y = place((2**first, height))
        parts.append(
            f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y:.0f}" y2="{y:.0f}" stroke="#dddddd"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{height}</text>'
        )
    for number, (name, line) in enumerate(lines.items()):
        colour, places = COLOURS[number % len(COLOURS)], [place(point) for point in line]
        way = " ".join(f"{x:.0f},{y:.1f}" for x, y in places)
        dots = (f'<circle cx="{x:.0f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
        parts += [
            f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>',
            *dots,
            f'<text x="{RIGHT + 8}" y="{TOP + 20 * number + 10}" fill="{colour}">{name}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def grids(
    title: str,
    along: Sequence[str],
    down: Sequence[str],
    tables: Mapping[str, Sequence[Sequence[float]]],
    framed: Container[tuple[int, int]],
) -> str:
    """A picture of tables of the same words, black for 1 and white for 0.

    Args:
        title: What is drawn.
        along: The words above the columns.
        down: The words beside the rows.
        tables: For each name, rows of numbers from 0 to 1.
        framed: The columns and rows of cells that have a coloured frame, in each table.
    """
    wide, high = (ROOM + CELL * len(words) + 30 for words in (along, down))
    lines = -(-len(tables) // IN_A_ROW)
    parts = _sheet(title, IN_A_ROW * wide, 30 + lines * high)
    for i, (name, table) in enumerate(tables.items()):
        left, top = i % IN_A_ROW * wide + ROOM, 30 + i // IN_A_ROW * high + ROOM
        parts.append(f'<text x="{left}" y="{top - 72}" font-weight="bold">{escape(name)}</text>')
        for column, word in enumerate(along):
            place = f"translate({left + (column + 0.7) * CELL:.0f},{top - 6}) rotate(-60)"
            parts.append(f'<text transform="{place}">{escape(word)}</text>')
        for row, word in enumerate(down):
            y = top + row * CELL
            parts.append(
                f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(word)}</text>'
            )
            for column, share in enumerate(table[row]):
                shade = round(255 * (1 - share))
                frame = COLOURS[1] if (column, row) in framed else "#dddddd"
                parts.append(
                    f'<rect x="{left + column * CELL + 1}" y="{y + 1}" width="{CELL - 2}"'
                    f' height="{CELL - 2}" fill="rgb({shade},{shade},{shade})" stroke="{frame}"'
                    ' stroke-width="1.5"/>'
                )
    return "\n".join([*parts, "</svg>\n"])


def _sheet(title: str, wide: int, high: int) -> list[str]:
    """A white sheet with its title; `</svg>` is still to come."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{wide}" height="{high}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
    ]
