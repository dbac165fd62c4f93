"""XML in any encoding -> its units as small trees that know their bytes, and the bytes between.

Nothing is expanded: a file that declares entities is refused. Memory holds one unit at a time.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import partial
from io import BufferedIOBase
from itertools import chain
from xml.parsers import expat

from regard.data.shapes.entry import Bad, Part, Reading, Text, encoding_named
from regard.errors import CorpusError
from regard.text.codes import Break, Code
from regard.text.files import BLOCK

LARGEST = 16 << 20
"""Bytes of a unit."""
DEEPEST = 100
"""Elements inside each other, within a unit."""
_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']""")
_NO_CHARACTERS = "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
_FORBIDDEN = re.compile(
    f"{_NO_CHARACTERS}|&#0*(?:[0-8]|1[124-9]|2[0-9]|3[01]);|&#x0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]);"
)
_MARK = (
    "\ufdd0"  # in place of what is forbidden, where such entries are dropped; itself no character
)
_WITHOUT_TEXT = {
    *("bpt", "ept", "it", "ph", "ut"),  # TMX; XLIFF 1.2
    *("x", "bx", "ex"),  # XLIFF 1.2
    *("sc", "ec", "sm", "em", "cp"),  # XLIFF 2
}


@dataclass
class Node:
    """An element: `raw[start:end]`, its content `raw[inner:outer]` of its unit's bytes."""

    name: str
    attributes: dict[str, str]
    line: int
    start: int
    inner: int = 0
    outer: int = 0
    end: int = 0
    children: "list[Node | str]" = field(default_factory=list)

    @property
    def local(self) -> str:
        """The name without the prefix of its namespace."""
        return self.name.rpartition(":")[2]

    def all(self, local: str) -> "list[Node]":
        """The children of that name."""
        return [n for n in self.children if isinstance(n, Node) and n.local == local]

    def first(self, local: str) -> "Node | None":
        """The first child of that name."""
        return next(iter(self.all(local)), None)


@dataclass(frozen=True)
class Unit:
    """An element of interest, its bytes in UTF-8, and the attributes of what it stands in."""

    node: Node
    raw: bytes
    around: tuple[Node, ...]

    def text(self, node: Node) -> Text:
        """The text of one of its elements, with the inline elements as codes."""
        return list(self._text(node))

    def _text(self, node: Node) -> Iterator[str | Code]:
        for child in node.children:
            if not isinstance(child, Node):
                yield child
            elif child.local in _WITHOUT_TEXT or child.inner == child.end:
                yield Code(self.raw[child.start : child.end].decode())
            else:
                kind = Break if child.attributes.get("mtype") == "seg" else Code  # XLIFF 1.2
                yield kind(self.raw[child.start : child.inner].decode())
                yield from self._text(child)
                yield kind(self.raw[child.outer : child.end].decode())


def written(text: Text) -> bytes:
    """Text as the content of an element."""
    return "".join(part if isinstance(part, Code) else _escape(part) for part in text).encode()


def language_of(node: Node) -> str:
    """The language that an element says its text is in."""
    return node.attributes.get("xml:lang") or node.attributes.get("lang", "")


def same_language(wanted: str, found: str) -> bool:
    """Whether a language is the one wanted, or one of its kinds: "en" wants "en-GB" as well."""
    wanted, found = (language.lower().replace("_", "-") for language in (wanted, found))
    return found == wanted or found.startswith(wanted + "-")


def _escape(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(_NO_CHARACTERS, "\ufffd", text)


def xml_parts(
    file: BufferedIOBase,
    name: str,
    reading: Reading,
    names: Set[str],
    parts_of: Callable[[Unit], Iterator[Part]],
) -> Iterator[Part]:
    """What a file consists of, given what a unit does; units are the elements of those names.

    Raises:
        CorpusError: the file is no XML, breaks off, declares entities, or has units beyond reason.
    """
    first = file.read(BLOCK)
    encoding = _encoding_of(first, name)
    parser = _Parser(name, names)
    texts = _decoded(chain([first], iter(partial(file.read, BLOCK), b"")), encoding, name, reading)
    for part in chain.from_iterable(map(parser.feed, chain(texts, [None]))):
        if not isinstance(part, Unit):
            yield _recoded(part, encoding)
        elif _MARK.encode() in part.raw:
            yield Bad(part.node.line, "a character that XML forbids", part.raw)
        else:
            for inner in parts_of(part):
                yield _recoded(inner, encoding)


def _recoded(part: Part, encoding: str) -> Part:
    """A part in UTF-8 as a part in another encoding."""
    if encoding == "utf-8" or isinstance(part, Bad):
        return part
    if isinstance(part, bytes):
        return part.decode().encode(encoding, "xmlcharrefreplace")
    filled = part.filled
    return replace(
        part,
        raw=part.raw.decode().encode(encoding),
        filled=lambda text: filled(text).decode().encode(encoding, "xmlcharrefreplace"),
    )


def _encoding_of(begin: bytes, name: str) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (b"<\0", "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"), (b"\0<", "utf-16-be"),
    ):  # fmt: skip
        if begin.startswith(mark):
            return encoding
    declared = _DECLARED.match(begin)
    return encoding_named(declared[1].decode() if declared else "utf-8", f"{name}, line 1")


def _decoded(blocks: Iterable[bytes], encoding: str, name: str, reading: Reading) -> Iterator[str]:
    errors = "replace" if reading.invalid == "replace" else "strict"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    line, held = 1, ""
    for block in chain(blocks, [b""]):
        try:
            text = held + decoder.decode(block, not block)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            raise CorpusError(
                f"{name}, line {line}: 0x{error.object[error.start]:02x} is not {encoding.upper()},"
                " which the file says it is in; convert it, or repair what it says"
            ) from None
        if reading.bad == "drop":
            cut = text.rfind("&", len(text) - 12) if block else -1  # not inside a reference
            text, held = (text[:cut], text[cut:]) if cut >= 0 else (text, "")
            text = _FORBIDDEN.sub(_MARK, text)
        line += text.count("\n")
        yield text


class _Parser:
    """Bytes in UTF-8, block by block -> units and the bytes between them."""

    def __init__(self, name: str, names: Set[str]):
        self._name = name
        self._names = names
        self._waiting = b""  # the end of what was fed, from `base` on
        self._base = 0
        self._given = 0  # up to where the file was given out
        self._safe = 0  # up to where it can be: no unit to come begins before
        self._open: list[Node] = []
        self._unit = -1  # at which depth the unit is that stands open
        self._ready: list[bytes | Unit] = []
        parser = self._expat = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._entity

    def feed(self, text: str | None) -> list[bytes | Unit]:
        """What is complete by now; None is the end."""
        block = (text or "").encode()
        self._waiting = self._waiting[self._given - self._base :] + block
        self._base = self._given
        try:
            self._expat.Parse(block, text is None)
        except expat.ExpatError as error:
            raise CorpusError(
                f"{self._name}, line {error.lineno}: not XML:"
                f" {expat.errors.messages[error.code]}; repair the file"
            ) from None
        if self._unit < 0:
            self._give(self._base + len(self._waiting) if text is None else self._safe)
        if self._base + len(self._waiting) - self._given > LARGEST:
            raise CorpusError(
                f"{self._name}, line {self._expat.CurrentLineNumber}: more than {LARGEST >> 20} MiB"
                " in one entry; is this such a file?"
            )
        ready, self._ready = self._ready, []
        return ready

    def _give(self, until: int) -> None:
        """Hand out the bytes before that place."""
        if until > self._given:
            self._ready.append(self._waiting[self._given - self._base : until - self._base])
            self._given = until

    def _tag_end(self, start: int) -> int:
        found = _TAG.match(self._waiting, start - self._base)
        return self._base + found.end() if found else start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self._safe = self._expat.CurrentByteIndex
        node = Node(name, attributes, self._expat.CurrentLineNumber, at)
        if self._unit < 0 and node.local in self._names:
            self._give(at)
            self._unit = len(self._open)
        if self._unit >= 0:
            node.inner = self._tag_end(at)
            if len(self._open) > self._unit:
                self._open[-1].children.append(node)
            if len(self._open) > self._unit + DEEPEST:
                raise CorpusError(
                    f"{self._name}, line {node.line}: more than {DEEPEST} elements inside one"
                    " another"
                )
        self._open.append(node)

    def _end(self, _name: str) -> None:
        at = self._safe = self._expat.CurrentByteIndex
        node = self._open.pop()
        if self._unit < 0:
            return
        inner = node.inner - self._base
        empty = self._waiting[inner - 2 : inner] == b"/>"
        node.outer, node.end = (node.inner, node.inner) if empty else (at, self._tag_end(at))
        if len(self._open) == self._unit:
            raw = self._waiting[node.start - self._base : node.end - self._base]
            _shift(node, node.start)
            self._given = self._safe = self._given + len(raw)
            self._ready.append(Unit(node, raw, tuple(self._open)))
            self._unit = -1

    def _text(self, text: str) -> None:
        if self._unit >= 0:
            children = self._open[-1].children
            if children and isinstance(children[-1], str):
                children[-1] += text
            else:
                children.append(text)

    def _entity(self, name: str, *_: object) -> None:
        raise CorpusError(
            f"{self._name}, line {self._expat.CurrentLineNumber}: entity {name!r}: entities of a"
            " file's own are refused, since they can be made to stand for anything"
        )


def _shift(node: Node, base: int) -> None:
    node.start, node.inner = node.start - base, node.inner - base
    node.outer, node.end = node.outer - base, node.end - base
    for child in node.children:
        if isinstance(child, Node):
            _shift(child, base)
