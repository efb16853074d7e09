"""Entries of Google sections."""

from __future__ import annotations

from .cleaning import Line
from .entry import Entry
from .flow import bullet
from .names import split_entry
from .sections import Section, texts_of


def google_entries(section: Section) -> list[Entry]:
    """The entries of a section, found by indentation.

    The first `name: text` sets the entries' indentation. A deeper line continues the entry above it, and so does a line
    at that indentation which is not an entry. An entry may stand further left, as long as it is right of the header.
    Lines before the first entry are left out. Bullets start entries only if the first entry has one.
    """
    blocks: list[tuple[Entry, str, list[Line]]] = []
    base = -1
    bulleted = False
    for line in section.body:
        names: tuple[str, ...] = ()
        text = line.text
        if text and (base < 0 or line.indent <= base):
            item = bullet(text)
            bulleted = bulleted or (base < 0 and bool(item))
            names, text = split_entry(item if item and bulleted else text)
        if names:
            base = line.indent
            blocks.append((Entry(names, line.number), text, []))
        elif blocks:
            blocks[-1][2].append(line)
    for entry, text, below in blocks:
        entry.texts = texts_of(text, below)
    return [entry for entry, _, _ in blocks]
