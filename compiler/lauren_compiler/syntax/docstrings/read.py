"""Reading a docstring: its description and what it says of each parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct, field

from .cleaning import clean
from .entry import Entry, UnreadableSection
from .flow import flow
from .google import google_entries
from .headers import Style
from .sections import Section, prose_of, split_sections


class DocText(Struct, frozen=True, dict=True):
    """What a docstring says.

    `parameters` are names, as Python normalises them, with texts, in the order they are first documented; a text is ""
    if only a type is given. `lines` gives the line of each name's entry in the raw text, counted from 0. `style` is
    that of the first parameter section, "prose" if there is none.
    """

    description: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    style: Style = "prose"


def read_docstring(text: str) -> DocText:
    """Reads the raw value of a docstring literal; any text is accepted.

    A name documented twice has the later text, unless that is empty. If docstring-parser can't read a section, the
    whole docstring is description.
    """
    lines = clean(text)
    split = split_sections(lines)
    if not split.parameters:
        return DocText(split.description)
    try:
        entries = list(_entries(split.parameters))
    except UnreadableSection:
        return DocText(prose_of(lines))
    texts: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for entry in entries:
        # Most entries are one line, which needs no joining.
        said = flow(entry.texts) if len(entry.texts) > 1 else "".join(entry.texts).rstrip().strip("\n")
        for name in entry.names:
            if said or name not in texts:
                texts[name], numbers[name] = said, entry.number
    return DocText(split.description, tuple(texts.items()), numbers, split.parameters[0].header.style)


def _entries(sections: Sequence[Section]) -> Iterator[Entry]:
    for style, group in groupby(sections, lambda section: section.header.style):
        if style == "google":
            for section in group:
                yield from google_entries(section)
        elif style == "numpy":
            from .package import numpy_entries

            for section in group:
                yield from numpy_entries(section)
        else:
            from .package import field_entries

            yield from field_entries(list(group))
