"""A docstring split into its description, its notes and its parameter sections."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from .cleaning import Line, dedent
from .flow import bullet, flow
from .headers import Header, ends_entries, header_at, is_level_entry, is_titled, note_at, underlined_at
from .titles import Kind


class Section(Struct, frozen=True):
    """A parameter section or field, the number of its header's line, and the lines below it."""

    header: Header
    number: int
    body: Sequence[Line]


class Split(Struct, dict=True):
    """The parts of a docstring: pieces of the description in order, and its parameter sections."""

    pieces: list[str] = field(default_factory=list[str])
    parameters: list[Section] = field(default_factory=list[Section])

    @property
    def description(self) -> str:
        return "\n\n".join(piece for piece in self.pieces if piece)


def split_sections(lines: Sequence[Line]) -> Split:
    """Splits cleaned lines at their headers.

    The description is the text before the first section, and notes (Note, Warning, Tip...) wherever they stand. Other
    sections are left out, and so is prose after the first section.
    """
    split = Split()
    prose: list[Line] = []
    is_open = True
    index = 0
    while index < len(lines):
        header = header_at(lines, index) or (None if is_open else note_at(lines, index))
        if header is None:
            if is_open:
                prose.append(lines[index])
            index += 1
            continue
        end = _end(lines, header)
        section = Section(header, lines[index].number, lines[header.body : end])
        if header.kind is Kind.KEPT:
            split.pieces += [prose_of(prose), _note(section)]
            prose = []
        else:
            is_open = False
            if header.kind is Kind.PARAMETERS:
                split.parameters.append(section)
        index = end
    split.pieces.append(prose_of(prose))
    return split


def prose_of(lines: Sequence[Line]) -> str:
    """The text of lines that are no section."""
    return flow(" " * line.indent + line.text for line in lines)


def texts_of(text: str, body: Sequence[Line]) -> list[str]:
    """An entry's lines relative to each other: what stands on its first line, then what stands below."""
    if not body:
        return [text] if text else []
    below = dedent(body)
    if not text:
        return below
    gap = [""] if below and body and not body[0].text else []
    return [text, *gap, *below]


def _end(lines: Sequence[Line], header: Header) -> int:
    """The index of the first line that does not belong to the section."""
    if header.style == "numpy" or header.level:
        return _end_of_flush(lines, header)
    index = header.body
    adjacent = header.adjacent
    while index < len(lines):
        line = lines[index]
        if not line.text or line.indent > header.indent:
            adjacent = False
        elif not adjacent or line.indent < header.indent or header_at(lines, index):
            break
        index += 1
    return index


def _end_of_flush(lines: Sequence[Line], header: Header) -> int:
    """The end of a section whose entries are not deeper than its title. Where that is not underlined, prose behind a
    blank line is none of it."""
    for index in range(header.body, len(lines)):
        line = lines[index]
        if not line.text or line.indent > header.indent:
            continue
        if line.indent < header.indent or underlined_at(lines, index) or ends_entries(lines, index):
            return index
        is_prose = is_titled(line.text) or not (lines[index - 1].text or is_level_entry(line.text))
        if is_prose and header.style != "numpy":
            return index
    return len(lines)


def _note(section: Section) -> str:
    """A note as a paragraph that begins with its title."""
    title = section.header.title
    texts = texts_of(section.header.text, section.body)
    if not texts or texts[0][:1] == " " or bullet(texts[0]):
        return flow([f"{title}:", *texts])
    return flow([f"{title}: {texts[0]}", *texts[1:]])
