"""Headers: the lines that start a section or a field, in all styles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from .cleaning import Line
from .names import names_of, split_head
from .titles import ADMONITIONS, FIELDS, SECTIONS, Kind

Style = Literal["google", "numpy", "sphinx", "epydoc", "prose"]

_RULES: Final = ("---", "===")
_MARKS: Final[dict[str, Style]] = {":": "sphinx", "@": "epydoc"}


class Header(Struct, frozen=True):
    """A section's start.

    `body` is the index of the line after it, `indent` the indentation that its body has to exceed, `text` what stands
    beside the title. `adjacent` says whether lines right below, not deeper, belong to it as well. `arguments` are the
    words of a parameter field, `:param int size:` having ("int", "size").
    """

    style: Style
    kind: Kind
    title: str
    indent: int
    body: int
    text: str = ""
    adjacent: bool = False
    arguments: tuple[str, ...] = ()


def header_at(lines: Sequence[Line], index: int) -> Header | None:
    """The header that starts at `index`; None if that line is prose."""
    text = lines[index].text
    if not text:
        return None
    mark = text[0]
    if mark in _MARKS:
        return _field(lines[index], index, _MARKS[mark])
    if mark == ".":
        return _directive(lines[index], index)
    if text[-1] != ":" and not underlined_at(lines, index):
        return None
    kind = SECTIONS.get(_key(text))
    if kind is None:
        return None
    return _underlined(lines, index, kind) if underlined_at(lines, index) else _google(lines, index, kind)


def note_at(lines: Sequence[Line], index: int) -> Header | None:
    """The header of a note with its text on the same line (`Warning: cannot be undone`)."""
    line = lines[index]
    title, text = split_head(line.text)
    if not text or SECTIONS.get(_key(title)) is not Kind.KEPT:
        return None
    return Header("google", Kind.KEPT, title, line.indent, index + 1, text, adjacent=True)


def underlined_at(lines: Sequence[Line], index: int) -> bool:
    """Whether the line is underlined: the header of a NumPy section of any title."""
    if index + 1 == len(lines) or not lines[index].text:
        return False
    rule = lines[index + 1].text
    return rule[:3] in _RULES and lines[index + 1].indent == lines[index].indent and rule == rule[0] * len(rule)


def _key(text: str) -> str:
    return " ".join(text.removesuffix(":").lower().split()) if len(text) < 40 else ""


def _title(text: str) -> str:
    return text.removesuffix(":").rstrip()


def _google(lines: Sequence[Line], index: int, kind: Kind) -> Header | None:
    line = lines[index]
    below = _below(lines, index)
    indent = line.indent
    if line.number == 0 and below is not None and below.indent == 0:
        # The header's own indentation is unknown, and what was below it has lost its own.
        indent = -1
    elif line.indent and (below is None or below.indent <= line.indent):
        return None
    return Header("google", kind, _title(line.text), indent, index + 1, adjacent=kind is Kind.KEPT)


def _below(lines: Sequence[Line], index: int) -> Line | None:
    """The next line that is not blank."""
    for place in range(index + 1, len(lines)):
        if lines[place].text:
            return lines[place]
    return None


def _underlined(lines: Sequence[Line], index: int, kind: Kind) -> Header:
    return Header("numpy", kind, _title(lines[index].text), lines[index].indent, index + 2)


def _directive(line: Line, index: int) -> Header | None:
    name, mark, text = line.text.removeprefix(".. ").partition("::")
    if not mark or name.strip().lower() not in ADMONITIONS:
        return None
    title = name.strip().capitalize()
    return Header("sphinx", Kind.KEPT, title, line.indent, index + 1, text.strip(), adjacent=bool(text.strip()))


def _field(line: Line, index: int, style: Style) -> Header | None:
    head, text = _field_head(line.text[1:])
    words = head.split()
    kind = FIELDS.get(words[0]) if words else None
    if kind is None:
        return None
    arguments: tuple[str, ...] = ()
    if kind is Kind.PARAMETERS:
        if len(words) < 2 or not names_of(words[-1]):
            return None
        arguments = tuple(words[1:])
    elif kind is Kind.KEPT and len(words) > 1:
        return None
    title = words[0].capitalize()
    return Header(style, kind, title, line.indent, index + 1, text, adjacent=True, arguments=arguments)


def _field_head(text: str) -> tuple[str, str]:
    """A field's words and its text. A type may be a role such as :class:`X`, which has two colons of its own."""
    head, rest = split_head(text)
    keyword, _, type_and_name = text.partition(" ")
    if FIELDS.get(keyword) is not Kind.PARAMETERS or not type_and_name:
        return head, rest
    for _ in range(2):
        words = head.split()
        more, after = split_head(rest)
        if not more or (len(words) > 1 and names_of(words[-1])):
            break
        head, rest = f"{head} :{more}", after
    return head, rest
