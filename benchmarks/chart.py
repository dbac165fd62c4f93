"""numbers -> a picture: lines with their names at their ends, as SVG."""

from collections.abc import Mapping, Sequence

COLOURS = ["#888888", "#d55e00", "#e69f00", "#009e73", "#56b4e9", "#0072b2"]
WIDE, HIGH, LEFT, RIGHT, TOP, LOW = 700, 380, 60, 520, 40, 330


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
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{title}</text>',
    ]
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
