"""Texts for the model: docstrings put together, and looked at for characters that change how they read."""

from __future__ import annotations

import re

from msgspec import Struct

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as rules
from ..source.file import SourceFile
from ..source.span import Position, Span
from ..syntax.declarations import Scope
from ..syntax.docstrings import DocText, read_docstring
from ..syntax.own_parts import Docstring

# Control characters but tab and newline, bidirectional controls, what has no width, surrogates, tags.
_INVISIBLE = (
    "[\0-\x08\x0b-\x1f\x7f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)


class Documented(Struct, frozen=True):
    """A docstring read, and where it stands."""

    text: DocText
    span: Span
    file: SourceFile
    raw: str = ""

    @property
    def may_give_types(self) -> bool:
        """Whether types may stand beside the parameters: in Google's style they are in parentheses."""
        return self.text.style not in ("google", "prose") or (self.text.style == "google" and "(" in self.raw)

    def line_of(self, name: str) -> str | None:
        """The line of the file on which a parameter is documented."""
        line = self.span.start.line + self.text.lines.get(name, 0)
        return self.file.line(line) if name in self.text.lines and line <= self.file.line_count else None

    def entry_span(self, name: str) -> Span:
        """The name of a parameter where it is documented, as far as its place is known."""
        line = self.span.start.line + self.text.lines.get(name, 0)
        column = (self.line_of(name) or "").find(name) + 1
        if not column:
            return self.span
        return Span(self.span.path, Position(line, column), Position(line, column + len(name)))


def documented(docstring: Docstring | None, scope: Scope, sink: Sink) -> Documented | None:
    """The docstring of a function or class, with a warning if it holds invisible characters."""
    if docstring is None:
        return None
    span = scope.module.file.span(docstring.pos)
    check_visible(docstring.text, span, sink)
    return Documented(read_docstring(docstring.text), span, scope.module.file, docstring.text)


def check_visible(text: str, span: Span, sink: Sink) -> None:
    """Warn if a text for the model holds characters that hide or reorder it."""
    if text.replace("\n", "").isprintable():
        return
    found = sorted(set(re.findall(_INVISIBLE, text)))
    if found:
        shown = ", ".join(f"U+{ord(character):04X}" for character in found)
        message = "a text for the model holds characters that are not seen, or that change how it reads"
        sink.add(rules.INVISIBLE_TEXT.at(span, message, label=shown))
