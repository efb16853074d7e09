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
    entries: list[Entry] = []
    base = -1
    bulleted = False
    text = ""
    below: list[Line] = []
    for line in section.body:
        names: tuple[str, ...] = ()
        if line.text and (base < 0 or line.indent <= base):
            item = bullet(line.text)
            if not entries:
                bulleted = bool(item)
            names, rest = split_entry((item or line.text) if bulleted else line.text)
        if not names:
            below.append(line)
            continue
        if entries:
            entries[-1].texts = texts_of(text, below)
        entries.append(Entry(names, line.number))
        base, text, below = line.indent, rest, []
    if entries:
        entries[-1].texts = texts_of(text, below)
    return entries
