"""Where each key of a TOML document stands; `tomllib` gives values without places.

The document is known to be valid (`tomllib` has read it), so that the scan only has to tell keys, strings, comments
and brackets apart. Grammar: https://toml.io/en/v1.0.0.
"""

from __future__ import annotations

import re
import tomllib

from msgspec import Struct, field

from ..source.span import Position, Span

Key = tuple[str, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY_PART = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' r"|'''.*?'{3,5}(?!')" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'", re.DOTALL
)
_SCALAR = re.compile(r"""[^\s,\]}#"'\[{]+(?:[ ][0-9][^\s,\]}#]*)?""")


class _Scan(Struct):
    """A walk over the text; `found` maps each key's path to the offsets of its last part."""

    text: str
    at: int = 0
    found: dict[Key, tuple[int, int]] = field(default_factory=dict[Key, tuple[int, int]])
    arrays: dict[Key, int] = field(default_factory=dict[Key, int])

    def document(self) -> None:
        table: Key = ()
        self.blank()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.blank()

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def header(self) -> Key:
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        key = self.key(())
        self.at += 2 if double else 1
        if not double:
            return key
        index = self.arrays.get(key, 0)
        self.arrays[key] = index + 1
        return (*key, str(index))

    def key(self, table: Key) -> Key:
        """A dotted key; every part is recorded at its first place."""
        path = table
        while match := _KEY_PART.match(self.text, self.at):
            path = (*path, _plain(match[1]))
            self.found.setdefault(path, match.span(1))
            self.at = match.end()
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
        return path

    def pair(self, table: Key) -> None:
        start = self.at
        path = self.key(table)
        self.at += 1  # the equals sign
        self.value(path)
        if self.at <= start:
            raise AssertionError(f"no progress at offset {start} of a valid TOML document")

    def value(self, path: Key) -> None:
        self.blank()
        opening = self.text[self.at : self.at + 1]
        if opening in ("[", "{"):
            self.at += 1
            self.members(path, inline_table=opening == "{")
        else:
            match = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            self.at = match.end() if match else len(self.text)

    def members(self, path: Key, *, inline_table: bool) -> None:
        closing = "}" if inline_table else "]"
        index = 0
        self.blank()
        while self.at < len(self.text) and self.text[self.at] != closing:
            if inline_table:
                self.pair(path)
            else:
                start = self.at
                self.value((*path, str(index)))
                self.found.setdefault((*path, str(index)), (start, self.at))
                index += 1
            self.blank()
            if self.text.startswith(",", self.at):
                self.at += 1
            self.blank()
        self.at += 1


def _plain(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    return str(tomllib.loads(f"key = {part}")["key"]) if part[0] == '"' else part


def key_spans(text: str, path: str) -> dict[Key, Span]:
    """The span of every key in a valid TOML document, by its path; list items are keyed by their index.

    `[a]\\nb.c = [1]` has `("a",)`, `("a", "b")`, `("a", "b", "c")` and `("a", "b", "c", "0")`.
    """
    scan = _Scan(text)
    scan.document()
    return {key: Span(path, position(text, start), position(text, end)) for key, (start, end) in scan.found.items()}


def position(text: str, offset: int) -> Position:
    """The line and column of an offset."""
    return Position(text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1)
