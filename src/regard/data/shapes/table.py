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

COLUMNS = 10_000
"""As many as can be told by their numbers."""


def tsv(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """Tab-separated values: a line is an entry, and quotes mean nothing.

    Where `fields` are names, the first line has the names of the columns. A line without a target's
    column has no translation yet.
    """
    named = not all(field.isdecimal() and 0 < int(field) <= COLUMNS for field in reading.fields)
    columns = [0, 1] if named else [int(field) - 1 for field in reading.fields or ("1", "2")]
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

    A field of an object inside is named with a dot, as in "translation.de". An object without the
    target's field has no translation yet.
    """
    fields = reading.fields or reading.languages or ("source", "target")
    for row in numbered(file, name, reading, noticed):
        if not row.line.text.strip():
            yield row.raw
            continue
        try:
            source, target = (_Field.of(row.line.text, field) for field in fields)
            text, translation = source.needed, target.text
        except (ValueError, RecursionError) as error:
            yield Bad(row.number, str(error), row.raw)
            continue
        yield Entry(
            row.number, [text], [translation or ""], row.raw, partial(_with_value, row, target)
        )


class _Field(NamedTuple):
    """A field as it was asked for, the object that has it or would have it, and its name there."""

    asked: str
    beside: dict[str, _Value]
    name: str

    def __str__(self) -> str:
        return f"field {self.asked!r}"

    @classmethod
    def of(cls, line: str, asked: str) -> "_Field":
        values, end = _object(line, 0)
        _after(r"\s*$", line, end, "the end of the line")
        name = asked
        while name not in values and "." in name:
            outer, _, inner = name.partition(".")
            if outer not in values or not isinstance(values[outer].value, dict):
                break
            (values, _), name = _object(line, values[outer].start), inner
            if not values:
                raise ValueError(f"field {asked!r} would stand in an object that is empty")
        return cls(asked, values, name)

    @property
    def needed(self) -> str:
        """Its text, where there must be one."""
        if self.text is None:
            raise ValueError(f"no {self}; there are {', '.join(self.beside) or 'none'}")
        return self.text

    @property
    def text(self) -> str | None:
        """Its text; None where there is none, or null."""
        value = self.beside[self.name].value if self.name in self.beside else None
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{self} is {json.dumps(value)[:40]}, not a text")
        return value


def _object(text: str, place: int) -> tuple[dict[str, _Value], int]:
    """The values of a JSON object by their names, and where it ends."""
    decoder = json.JSONDecoder()
    found: dict[str, _Value] = {}
    place = _after(r"\s*\{\s*", text, place, "a brace")
    while text[place : place + 1] != "}":
        key, place = scanstring(text, _after(r'"', text, place, "a name in quotes"))
        start = _after(r"\s*:\s*", text, place, "a colon")
        value, end = decoder.raw_decode(text, start)
        if key in found:
            raise ValueError(f"field {key!r} stands there twice")
        found[key] = _Value(value, start, end)
        place = _after(r"\s*(,\s*(?=\")|(?=\}))", text, end, "a comma or a closing brace")
    return found, place + 1


def _after(pattern: str, text: str, place: int, what: str) -> int:
    found = re.compile(pattern).match(text, place)
    if not found:
        raise ValueError(f"not a JSON object: {what} is missing at character {place + 1}")
    return found.end()


def _with_value(row: Numbered, field: _Field, translation: Text) -> bytes:
    text, values = row.line.text, field.beside
    value = json.dumps("".join(translation), ensure_ascii="\\u" in text)
    if field.name in values:
        _, start, end = values[field.name]
    else:
        start = end = max(found.end for found in values.values())
        space = " " * (text[min(found.start for found in values.values()) - 1] == " ")
        value = f",{space}{json.dumps(field.name, ensure_ascii=False)}:{space}{value}"
    return (row.line.mark + text[:start] + value + text[end:] + row.line.end).encode()
