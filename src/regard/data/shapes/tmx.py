"""TMX, a translation memory -> entries: a <tu> has a <tuv> for each language."""

import re
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase

from regard.data.shapes.entry import Entry, Part, Reading, Text
from regard.data.shapes.xml import Node, Unit, language_of, same_language, written, xml_parts
from regard.errors import CorpusError
from regard.text.noticed import Noticed


def tmx(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """Entries in two of a memory's languages, which must be named: it may have many.

    A unit without the target's language has no translation yet; one without the source's is none.

    Raises:
        CorpusError: the file cannot be read, the languages are not named, or no unit has the
            source's.
    """
    if not reading.languages:
        raise CorpusError(
            f"{name} may have many languages; name two, the source's and the target's"
            ' (languages = ["en", "de"], or --languages en de)'
        )
    there: set[str] = set()
    found = 0
    for part in xml_parts(file, name, reading, {"tu"}, partial(_parts, reading, there, noticed)):
        found += isinstance(part, Entry)
        yield part
    if there and not found:
        raise CorpusError(
            f"{name} has no text in {reading.languages[0]!r}; it has {', '.join(sorted(there))}"
        )


def _parts(reading: Reading, there: set[str], noticed: Noticed, unit: Unit) -> Iterator[Part]:
    variants = unit.node.all("tuv")
    there.update(language_of(variant) for variant in variants[: 100 - len(there)])
    source, target = (_variant(variants, wanted) for wanted in reading.languages)
    if not source or not (segment := source.first("seg")):
        noticed.add(f"units without a text in {reading.languages[0]!r}", unit.node.line)
        yield unit.raw
        return
    written_there = target.first("seg") if target else None
    yield Entry(
        unit.node.line,
        unit.text(segment),
        unit.text(written_there) if written_there else [],
        unit.raw,
        partial(_filled, unit, source, target, reading.languages[1]),
    )


def _variant(variants: list[Node], wanted: str) -> Node | None:
    """The one in exactly that language, else the first in one of its kinds."""
    exactly = [v for v in variants if language_of(v).lower() == wanted.lower()]
    loosely = [v for v in variants if same_language(wanted, language_of(v))]
    return next(iter(exactly + loosely), None)


def _filled(unit: Unit, source: Node, target: Node | None, language: str, text: Text) -> bytes:
    raw = unit.raw
    if target and (segment := target.first("seg")):
        tag = raw[segment.start : segment.inner].removesuffix(b"/>").rstrip().removesuffix(b">")
        inside = tag + b">" + written(text) + b"</" + segment.name.encode() + b">"
        return raw[: segment.start] + inside + raw[segment.end :]
    space = re.search(rb"\s*$", raw[: source.start])
    name = "xml:lang" if "xml:lang" in source.attributes else "lang"
    variant = f'<{source.name} {name}="{language}"><seg>'.encode() + written(text) + b"</seg>"
    added = (space[0] if space else b"") + variant + f"</{source.name}>".encode()
    return raw[: source.end] + added + raw[source.end :]
