"""gettext's PO, and what msgfmt makes of it (MO) -> entries."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BufferedIOBase
from itertools import chain

from regard.data.shapes.entry import Bad, Entry, Part, Reading, Text, encoding_named
from regard.errors import CorpusError
from regard.text.lines import raw_lines
from regard.text.noticed import Noticed

_CHARSET = re.compile(rb"charset=([\w.:-]+)")
_KEYWORD = re.compile(r'\s*(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s*(?=")')
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*$', re.DOTALL)
_BYTES = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2}))")
_ESCAPED = re.compile(rf"((?:{_BYTES.pattern})+)|\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = {value: f"\\{name}" for name, value in _ESCAPES.items()} | {'"': '\\"', "\\": "\\\\"}
_LAST = 0xFFFFFFFF
_PLURALS = re.compile(r"nplurals\s*=\s*(\d+)")


@dataclass
class _Message:
    """The lines of an entry, and where in them each of its texts stands."""

    encoding: str
    lines: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    begins: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    flags: int | None = None
    wrong: str = ""
    obsolete: bool = False

    @property
    def fuzzy(self) -> bool:
        return self.flags is not None and "fuzzy" in self.lines[self.flags]

    def add(self, line: str) -> None:
        """One more line."""
        self.lines.append(line)
        line = line.removeprefix("\ufeff")
        body = line.strip()
        if body.startswith("#~"):
            self.obsolete = True
        elif body.startswith("#,"):
            self.flags = len(self.lines) - 1
        if body.startswith("#") or not body:
            return
        keyword = _KEYWORD.match(line)
        quoted = _QUOTED.match(line, keyword.end() if keyword else 0)
        if keyword and keyword[1] in self.texts:
            self.wrong = self.wrong or f"a second {keyword[1]}"
        if keyword:
            self.texts[keyword[1]] = ""
            self.begins[keyword[1]] = len(self.lines) - 1
        if not quoted or not self.texts:
            self.wrong = self.wrong or f"no keyword with a text in quotes: {body[:40]}"
            return
        last = list(self.texts)[-1]
        self.texts[last] += _unescaped(quoted[1], self.encoding)
        self.ends[last] = len(self.lines)

    def begins_another(self, line: str) -> bool:
        """Whether a line is the next entry's."""
        body = line.strip()
        done = any(name.startswith("msgstr") for name in self.texts)
        return not body or (done and body.startswith(("#", "msgctxt", "msgid ", 'msgid"')))


def po(file: BufferedIOBase, name: str, reading: Reading, noticed: Noticed) -> Iterator[Part]:
    """Entries of a catalogue; fuzzy and obsolete ones are none, nor is its header.

    Of a plural, msgid goes with msgstr[0] and msgid_plural with the others. A translation that is
    written is marked fuzzy, which says that somebody should look at it.

    Raises:
        CorpusError: the file cannot be read, or is in an encoding other than it says.
    """
    raws = raw_lines(file)
    head = [next(raws, b"")]
    while head[-1].strip() or not any(b"msgid" in raw for raw in head):
        if not (raw := next(raws, b"")):
            break
        head.append(raw)
    encoding = _encoding(b"".join(head), name)
    writer = _Writer(name, encoding)
    number, message = 1, _Message(encoding)
    for line in chain(_texts(chain(head, raws), encoding, name, reading), [""]):
        if message.lines and message.begins_another(line):
            yield from writer.parts(message, number, noticed)
            number += len(message.lines)
            message = _Message(encoding)
        if line.strip():
            message.add(line)
        elif line:
            yield line.encode(encoding, "surrogateescape")
            number += 1
    if message.lines:
        yield from writer.parts(message, number, noticed)


def _encoding(head: bytes, name: str) -> str:
    declared = _CHARSET.search(head)
    said = declared[1].decode() if declared and declared[1] != b"CHARSET" else "utf-8"
    return encoding_named(said, name)


def _texts(raws: Iterator[bytes], encoding: str, name: str, reading: Reading) -> Iterator[str]:
    for number, raw in enumerate(raws, start=1):
        try:
            yield raw.decode(encoding)
        except UnicodeDecodeError as error:
            if reading.invalid == "refuse":
                raise CorpusError(
                    f"{name}, line {number}, byte {error.start + 1}: 0x{raw[error.start]:02x} is"
                    f" not {encoding.upper()}, which the file says it is in; convert it (msgconv)"
                ) from None
            yield raw.decode(encoding, "surrogateescape")


@dataclass
class _Writer:
    """Messages -> parts; the header says how many plurals there are."""

    name: str
    encoding: str
    plurals: int = 2

    def parts(self, message: _Message, number: int, noticed: Noticed) -> Iterator[Part]:
        raw = self.bytes("".join(message.lines))
        texts = message.texts
        if message.obsolete or not (texts or message.wrong):
            yield raw
        elif message.wrong or "msgid" not in texts or not {"msgstr", "msgstr[0]"} & set(texts):
            reason = message.wrong or "an entry without msgid and msgstr: does the file break off?"
            yield Bad(number, reason, raw)
        elif texts["msgid"] == "" and "msgctxt" not in texts:
            if found := _PLURALS.search(texts.get("msgstr", "")):
                self.plurals = int(found[1])
            yield raw.replace(b"charset=CHARSET", b"charset=UTF-8")  # a template's, to be filled in
        elif message.fuzzy and any(texts[name].strip() for name in texts if "msgstr" in name):
            noticed.add("fuzzy entries, left out", number)
            yield raw
        else:
            yield from self._entries(message, number)

    def _entries(self, message: _Message, number: int) -> Iterator[Part]:
        texts, begun = message.texts, 0
        names = [name for name in texts if name.startswith("msgstr")]
        new = not any(texts[name].strip() for name in names)
        for place, name in enumerate(names):
            end = message.ends[name]
            lines, at = message.lines[begun:end], message.begins[name] - begun
            flags = message.flags if new and not begun else None
            source = texts["msgid"] if place == 0 else texts.get("msgid_plural", "")
            fill = partial(self._filled, lines, at, flags, new and not begun, name)
            if place >= max(self.plurals, 1):
                fill = _none  # a template's, which this language has no use for
            yield Entry(
                number + message.begins[name],
                [source] if new or texts[name] else [],
                [texts[name]],
                self.bytes("".join(lines)),
                fill,
            )
            begun = end
        if new and "msgstr[0]" in names:
            for more in range(len(names), self.plurals):
                line = message.lines[message.begins[names[-1]]]
                fill = partial(self._filled, [line], 0, None, False, f"msgstr[{more}]")
                yield Entry(number + begun, [texts.get("msgid_plural", "")], [], b"", fill)
        if rest := "".join(message.lines[begun:]):
            yield self.bytes(rest)

    def _filled(
        self, lines: list[str], at: int, flags: int | None, mark: bool, name: str, text: Text
    ) -> bytes:
        """Those lines with a text from line `at` on, marked fuzzy if they should be."""
        end = "\r\n" if lines[at].endswith("\r\n") else "\n"
        quoted = [f'"{_escaped(part)}"' for part in re.findall(r".*\n|.+", "".join(text)) or [""]]
        if len(quoted) > 1:
            quoted.insert(0, '""')
        before = list(lines[:at])
        if mark and flags is not None:
            before[flags] = before[flags].replace("#,", "#, fuzzy,", 1)
        elif mark:
            first = next(
                i for i, line in enumerate(lines) if not re.match(r"\s*#[^|]", line + "  ")
            )
            before.insert(first, f"#, fuzzy{end}")
        return self.bytes("".join([*before, f"{name} ", *(part + end for part in quoted)]))

    def bytes(self, text: str) -> bytes:
        try:
            return text.encode(self.encoding, "surrogateescape")
        except UnicodeEncodeError as error:
            raise CorpusError(
                f"{self.name} is in {self.encoding.upper()}, which cannot write"
                f" {text[error.start]!r} of a translation; convert it first: msgconv -t UTF-8"
            ) from None


def _unescaped(text: str, encoding: str) -> str:
    """What a text in quotes says; numbers stand for bytes in the catalogue's encoding."""

    def one(found: re.Match[str]) -> str:
        if not found[1]:
            return _ESCAPES.get(found[4], found[4])
        codes = [int(octal, 8) if octal else int(h, 16) for octal, h in _BYTES.findall(found[1])]
        return bytes(code & 0xFF for code in codes).decode(encoding, "replace")

    return _ESCAPED.sub(one, text)


def _escaped(text: str) -> str:
    return "".join(_ESCAPE.get(character, character) for character in text)


def mo(file: BufferedIOBase, name: str, reading: Reading, _: Noticed) -> Iterator[Part]:
    """Entries of a compiled catalogue, which can only be read; they are counted, not lines.

    Raises:
        CorpusError: the file is no MO, or breaks off.
    """
    content = file.read()
    order = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}.get(content[:4])
    if not order:
        raise CorpusError(f"{name} is not an MO file, as msgfmt makes it: it begins otherwise")
    try:
        revision, count, ids, texts = struct.unpack_from(f"{order}4I", content, 4)
        strings = [
            (_string(content, order, ids + 8 * i), _string(content, order, texts + 8 * i))
            for i in range(count)
        ]
        if revision & 0xFFFF:
            strings += _assembled(content, order)
    except (struct.error, IndexError):
        raise CorpusError(f"{name} breaks off; get the file anew") from None
    encoding = _encoding(next((text for key, text in strings if not key), b""), name)
    errors = "replace" if reading.invalid == "replace" else "strict"
    for number, (key, text) in enumerate(strings, start=1):
        try:
            sources = key.decode(encoding, errors).rpartition("\x04")[2].split("\0")
            targets = text.decode(encoding, errors).split("\0")
        except UnicodeDecodeError:
            yield Bad(number, f"a text that is not {encoding.upper()}, as the file says", b"")
            continue
        if key:
            for place, target in enumerate(targets):
                yield Entry(number, [sources[min(place, len(sources) - 1)]], [target], b"", _fixed)


def _none(_: Text) -> bytes:
    return b""


def _fixed(_: Text) -> bytes:
    raise NotImplementedError("an MO file is made by msgfmt")


def _string(content: bytes, order: str, at: int) -> bytes:
    length, start = struct.unpack_from(f"{order}2I", content, at)
    if start + length >= len(content) + 1:
        raise IndexError
    return content[start : start + length]


def _assembled(content: bytes, order: str) -> list[tuple[bytes, bytes]]:
    """Strings with parts that every machine spells its own way, which are named: %<PRIu64>."""
    parts, names_at, count, ids, texts = struct.unpack_from(f"{order}5I", content, 28)
    names = [_string(content, order, names_at + 8 * i).rstrip(b"\0") for i in range(parts)]

    def string(table: int, number: int) -> bytes:
        (at,) = struct.unpack_from(f"{order}I", content, table + 4 * number)
        (start,) = struct.unpack_from(f"{order}I", content, at)
        found, name = b"", 0
        while name != _LAST:
            at += 8
            size, name = struct.unpack_from(f"{order}2I", content, at - 4)
            found += content[start : start + size]
            found += b"<" + names[name] + b">" if name != _LAST else b""
            start += size
        return found.removesuffix(b"\0")

    return [(string(ids, number), string(texts, number)) for number in range(count)]
