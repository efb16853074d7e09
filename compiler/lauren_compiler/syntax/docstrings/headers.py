"""Headers: the lines that start a section or a field, in all styles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from .cleaning import Line
from .flow import bullet
from .heads import split_dashed, split_entry
from .names import names_of, split_head
from .titles import ADMONITIONS, FIELDS, PARAMETER_WORDS, SECTIONS, Kind

Style = Literal["google", "numpy", "sphinx", "epydoc", "prose"]

_RULES: Final = ("---", "===")
_MARKS: Final[dict[str, Style]] = {":": "sphinx", "@": "epydoc"}


class Header(Struct, frozen=True):
    """A section's start.

    `body` is the index of the line after it, `indent` the indentation that its body has to exceed, `text` what stands
    beside the title. `adjacent` says whether lines right below, not deeper, belong to it as well; `level`, whether its
    entries stand at its own indentation. `arguments` are the words of a parameter field, `:param int size:` having
    ("int", "size").
    """

    style: Style
    kind: Kind
    title: str
    indent: int
    body: int
    text: str = ""
    adjacent: bool = False
    level: bool = False
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
    underlined = underlined_at(lines, index)
    if text[-1] != ":" and not underlined:
        return _unmarked(lines, index)
    kind = SECTIONS.get(_key(text))
    if kind is None:
        return None
    return _underlined(lines, index, kind) if underlined else _google(lines, index, kind)


def ends_entries(lines: Sequence[Line], index: int) -> bool:
    """Whether the line at `index`, which is indented as the entries above it are, is a header and no entry.

    A title begins with a capital, or stands behind a blank line; parameters such as `returns` and `warning` do neither.
    """
    is_entry = lines[index].text[0].islower() and bool(lines[index - 1].text)
    return not is_entry and header_at(lines, index) is not None


def is_level_entry(text: str) -> bool:
    """Whether a line that is not deeper than a section's title is an entry all the same.

    Behind a bullet; else names that begin as parameters do, not as the titles of sections that are not known.
    """
    item = bullet(text)
    names = (split_entry(item or text) if ":" in text else split_dashed(item or text))[0]
    return bool(names) and (bool(item) or not names[0][0].isupper())


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


def is_titled(text: str) -> bool:
    """Whether it begins with a section's title, as a parameter is not written."""
    return not text[0].islower() and _key(split_head(text)[0]) in SECTIONS


def _entry_at_its_level(lines: Sequence[Line], index: int) -> bool:
    """Whether the next text is no deeper than the line at `index`, and an entry all the same."""
    below = _below(lines, index)
    return (
        below is not None
        and below.indent == lines[index].indent
        and not is_titled(below.text)
        and is_level_entry(below.text)
    )


def _key(text: str) -> str:
    return " ".join(text.removesuffix(":").lower().split()) if len(text) < 40 else ""


def _title(text: str) -> str:
    return text.removesuffix(":").rstrip()


def _google(lines: Sequence[Line], index: int, kind: Kind) -> Header | None:
    line = lines[index]
    if kind is Kind.PARAMETERS and _entry_at_its_level(lines, index):
        return Header("google", kind, _title(line.text), line.indent, index + 1, level=True)
    below = _below(lines, index)
    indent = line.indent
    if line.number == 0 and below is not None and below.indent == 0 and not is_titled(below.text):
        # The header's own indentation is unknown, and what was below it has lost its own.
        indent = -1
    elif line.indent and (below is None or below.indent <= line.indent):
        return None
    return Header("google", kind, _title(line.text), indent, index + 1, adjacent=kind is Kind.KEPT)


def _unmarked(lines: Sequence[Line], index: int) -> Header | None:
    """A header of parameters that has the first of them beside it, or none but entries below and no colon."""
    line = lines[index]
    if line.text.partition(" ")[0].removesuffix(":") not in PARAMETER_WORDS:
        return None
    title, text = split_head(line.text)
    if SECTIONS.get(_key(title or line.text)) is not Kind.PARAMETERS:
        return None
    if title:
        level = _entry_at_its_level(lines, index)
        return (
            Header("google", Kind.PARAMETERS, title, line.indent, index + 1, text, level=level)
            if _has_names(text)
            else None
        )
    if index + 1 == len(lines) or (index and lines[index - 1].text):
        return None
    below = lines[index + 1]
    is_section = below.indent > line.indent and _has_names(bullet(below.text) or below.text)
    return Header("google", Kind.PARAMETERS, line.text, line.indent, index + 1) if is_section else None


def _has_names(text: str) -> bool:
    return bool(split_entry(text)[0])


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
