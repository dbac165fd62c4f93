"""lines of a table (TSV), or of JSON objects (JSONL) -> entries."""

import json
import re
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from regard.data.shapes.entry import Bad, Entry, Numbered, Part, Reading, Text, numbered
from regard.errors import CorpusError
from regard.text.noticed import Noticed


def tsv(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """Tab-separated values: a line is an entry, and quotes mean nothing.

    Where `fields` are names, the first line has the names of the columns. A line without a target's
    column has no translation yet.
    """
    columns = [int(field) - 1 for field in reading.fields if field.isdecimal()] or [0, 1]
    named = bool(reading.fields) and not all(map(str.isdecimal, reading.fields))
    for row in numbered(file, name, reading, noticed):
        cells = row.line.text.split("\t")
        if named and row.number == 1:
            columns = [_column(field, cells, name) for field in reading.fields]
            yield row.raw
            continue
        source, target = (cells[column] if column < len(cells) else "" for column in columns)
        yield Entry(row.number, [source], [target], row.raw, partial(_with_cell, row, columns[1]))


def _column(field: str, names: list[str], file: str) -> int:
    if names.count(field) != 1:
        raise CorpusError(
            f"{file}, line 1: no one column is named {field!r}; there are {', '.join(names)}"
        )
    return names.index(field)


def _with_cell(row: Numbered, column: int, translation: Text) -> bytes:
    end = row.line.end.encode()
    cells = row.raw.removesuffix(end).split(b"\t")
    cells += [b""] * (column + 1 - len(cells))
    cells[column] = re.sub(r"[\t\n\r]", " ", "".join(translation)).encode()
    return b"\t".join(cells) + end


class _Value(NamedTuple):
    """A value in a JSON object, and where it stands in the text."""

    value: object
    start: int
    end: int


def jsonl(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """JSON objects, one a line: two of their fields are source and target; blank lines are none.

    An object without the target's field has no translation yet.
    """
    fields = reading.fields or reading.languages or ("source", "target")
    for row in numbered(file, name, reading, noticed):
        if not row.line.text.strip():
            yield row.raw
            continue
        try:
            values = _object(row.line.text)
            texts = [_text(field, values) for field in fields]
        except (ValueError, RecursionError) as error:
            yield Bad(row.number, str(error), row.raw)
            continue
        if texts[0] is None:
            there = ", ".join(values) or "none"
            yield Bad(row.number, f"no field {fields[0]!r}; there are {there}", row.raw)
            continue
        fill = partial(_with_value, row, values, fields[1])
        yield Entry(row.number, [texts[0]], [texts[1] or ""], row.raw, fill)


def _object(text: str) -> dict[str, _Value]:
    """The values of a JSON object by their names."""
    decoder = json.JSONDecoder()
    found: dict[str, _Value] = {}
    place = _after(r"\s*\{\s*", text, 0, "a brace")
    while text[place : place + 1] != "}":
        key, place = scanstring(text, _after(r'"', text, place, "a name in quotes"))
        start = _after(r"\s*:\s*", text, place, "a colon")
        value, end = decoder.raw_decode(text, start)
        if key in found:
            raise ValueError(f"field {key!r} stands there twice")
        found[key] = _Value(value, start, end)
        place = _after(r"\s*(,\s*(?=\")|(?=\}))", text, end, "a comma or a closing brace")
    _after(r"\}\s*$", text, place, "the end of the line")
    return found


def _after(pattern: str, text: str, place: int, what: str) -> int:
    found = re.compile(pattern).match(text, place)
    if not found:
        raise ValueError(f"not a JSON object: {what} is missing at character {place + 1}")
    return found.end()


def _text(field: str, values: dict[str, _Value]) -> str | None:
    value = values[field].value if field in values else None
    if value is not None and not isinstance(value, str):
        raise ValueError(f"field {field!r} is {json.dumps(value)[:40]}, not a text")
    return value


def _with_value(row: Numbered, values: dict[str, _Value], field: str, translation: Text) -> bytes:
    text = row.line.text
    value = json.dumps("".join(translation), ensure_ascii=text.isascii() and "\\u" in text)
    if field in values:
        start, end = values[field].start, values[field].end
    else:
        start = end = max(found.end for found in values.values())
        space = " " * (text[min(found.start for found in values.values()) - 1] == " ")
        value = f",{space}{json.dumps(field, ensure_ascii=False)}:{space}{value}"
    return (row.line.mark + text[:start] + value + text[end:] + row.line.end).encode()
