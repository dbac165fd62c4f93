"""XLIFF 1.2 and 2 -> entries: a <trans-unit>, or a <segment> of a <unit>."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import BufferedIOBase

from regard.data.shapes.entry import Entry, Part, Reading, Text
from regard.data.shapes.xml import Node, Unit, same_language, written, xml_parts
from regard.errors import CorpusError
from regard.text.noticed import Noticed

_TO_DO = {"new", "needs-translation"}
"""States of a 1.2 target that is there only to be replaced."""


def xliff(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """Entries of a file that says itself which two languages it is in.

    Where languages are named as well, what is in others is left out. What is not to be translated
    is no entry.

    Raises:
        CorpusError: the file cannot be read.
    """
    units = {"trans-unit", "segment"}
    yield from xml_parts(file, name, reading, units, partial(_parts, name, reading, noticed))


def _parts(name: str, reading: Reading, noticed: Noticed, unit: Unit) -> Iterator[Part]:
    node, first = unit.node, unit.node.first("source")
    if first is None or _kept(unit) or not _wanted(unit, reading, noticed):
        yield unit.raw
        return
    source, target = node.first("seg-source") or first, node.first("target")
    done = target and target.attributes.get("state") not in _TO_DO
    yield Entry(
        node.line,
        unit.text(source),
        unit.text(target) if target and done else [],
        unit.raw,
        partial(_filled, name, unit, source, target),
    )


def _kept(unit: Unit) -> bool:
    """Whether the nearest element that says something says translate="no"."""
    said = [n.attributes.get("translate") for n in (unit.node, *reversed(unit.around))]
    return next((word for word in said if word), "yes") == "no"


def _languages(around: Sequence[Node]) -> list[str]:
    found = {name: value for node in around for name, value in node.attributes.items()}
    return [
        found.get("source-language") or found.get("srcLang", ""),
        found.get("target-language") or found.get("trgLang", ""),
    ]


def _wanted(unit: Unit, reading: Reading, noticed: Noticed) -> bool:
    for wanted, found in zip(reading.languages, _languages(unit.around), strict=False):
        if found and not (same_language(wanted, found) or same_language(found, wanted)):
            noticed.add(f"entries in {found!r}, not {wanted!r}", unit.node.line)
            return False
    return True


def _filled(name: str, unit: Unit, source: Node, target: Node | None, text: Text) -> bytes:
    raw, second = unit.raw, unit.node.local == "segment"
    if second and not _languages(unit.around)[1]:
        raise CorpusError(
            f"{name}, line {unit.around[0].line}: the language of the translations is not said;"
            ' give <xliff> a trgLang="..."'
        )
    content = written(text)
    if target:
        tag = raw[target.start : target.inner].removesuffix(b"/>").removesuffix(b">").rstrip()
        old, before, after = tag, raw[: target.start], raw[target.end :]
    else:
        space = re.search(rb"\s*$", raw[: source.start])
        old = b"<" + source.name.removesuffix(source.local).encode() + b"target"
        before = raw[: source.end] + (space[0] if space else b"")
        after = raw[source.end :]
    new = old if second else _for_review(old)
    end = b"</" + old[1:].split()[0] + b">"
    return before + new + b">" + content + end + after


def _for_review(tag: bytes) -> bytes:
    """A start tag of 1.2 that says: by a machine, to be looked at."""
    for name, value in (
        (b"state", b"needs-review-translation"),
        (b"state-qualifier", b"leveraged-mt"),
    ):
        tag = re.sub(rb"""\s%s\s*=\s*("[^"]*"|'[^']*')""" % name, b"", tag)
        tag += b" " + name + b'="' + value + b'"'
    return tag
