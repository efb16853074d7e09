"""Entries of Google sections."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from .cleaning import Line
from .entry import Entry
from .flow import bullet
from .heads import split_dashed, split_entry, wrapped_head
from .sections import Section, texts_of


class _Form(Struct):
    """How a section's entries are written, as far as the lines read so far say: `base` is their indentation."""

    base: int = -1
    bulleted: bool = False
    dashed: bool = False


def google_entries(section: Section) -> list[Entry]:
    """The entries of a section, found by indentation.

    The first `name: text` sets the entries' indentation. A deeper line continues the entry above it, and so does a line
    at that indentation which is not an entry. An entry may stand further left, as long as it is right of the header.
    Lines before the first entry are left out. Bullets start entries only if the first entry has one, and a dash stands
    for the colon only if it does in the first line.
    """
    blocks: list[tuple[Entry, str, list[Line]]] = []
    for names, text, line in _lines(section):
        if names:
            blocks.append((Entry(names, line.number), text, []))
        elif blocks:
            blocks[-1][2].append(line)
    for entry, text, below in blocks:
        entry.texts = texts_of(text, below)
    return [entry for entry, _, _ in blocks]


def _lines(section: Section) -> Iterator[tuple[tuple[str, ...], str, Line]]:
    """Each line with the names and the text of the entry that it begins, () if it begins none."""
    form = _Form()
    lines = _with_the_headers(section)
    index = 0
    while index < len(lines):
        line = lines[index]
        names, text, more = _entry_at(lines, index, form) if line.text else ((), "", 0)
        if names:
            form.base = line.indent
        yield names, text, line
        index += 1 + more


def _with_the_headers(section: Section) -> list[Line]:
    """The lines of the body, and before them what stands beside the title, as if it were indented as they are."""
    if not section.header.text:
        return list(section.body)
    indent = next((line.indent for line in section.body if line.text), 0)
    return [Line(section.number, indent, section.header.text), *section.body]


def _entry_at(lines: list[Line], index: int, form: _Form) -> tuple[tuple[str, ...], str, int]:
    """The names and text of the entry that begins at `index`, and how many lines below belong to its head."""
    line = lines[index]
    if 0 <= form.base < line.indent:
        return (), line.text, 0
    text = line.text
    item = bullet(text)
    form.bulleted = form.bulleted or (form.base < 0 and bool(item))
    if item and form.bulleted:
        text = item
    names, rest = split_entry(text)
    if names:
        return names, rest, 0
    form.dashed = form.dashed or (form.base < 0 and bool(split_dashed(text)[0]))
    if form.dashed:
        return *split_dashed(text), 0
    more = wrapped_head(lines, index, text)
    if not more:
        return (), text, 0
    return *split_entry(" ".join([text, *(below.text for below in lines[index + 1 : index + 1 + more])])), more
