"""Reading a Markdown case file into sections: the format is described in `tests/mdtest/README.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SOURCE_LANGUAGES = frozenset({"python", "py", "pyi", "json", "toml"})
EXPECTATIONS = frozenset({"schema", "diagnostics", "dispatch", "agents", "call"})
PROSE = frozenset({"text", "console"})
UNNAMED = "tools.py"

_FENCE = re.compile(r"(`{3,})\s*(\S*)\s*(.*?)\s*")
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_FILE_NAME = re.compile(r"`([^`\s]+)`:")


class CaseError(Exception):
    """A case file that says something that can't be meant; the text tells where."""


@dataclass(frozen=True)
class Block:
    """A fenced block: language, the word behind it, its lines, and the number of the first of them (from 1)."""

    language: str
    argument: str
    lines: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


@dataclass
class Section:
    """A heading with what stands below it up to the next one. `settings` include those of the headings above."""

    titles: tuple[str, ...]
    line: int
    files: dict[str, str] = field(default_factory=dict[str, str])
    settings: str = ""
    expectations: list[Block] = field(default_factory=list[Block])

    @property
    def name(self) -> str:
        return " / ".join(self.titles)


def read_sections(text: str) -> list[Section]:
    """The sections that are tests, in order. Raises CaseError."""
    open_sections: list[Section] = [Section((), 1)]
    found: list[Section] = list(open_sections)
    for item in _items(text.split("\n")):
        if isinstance(item, tuple):
            depth, title, line = item
            del open_sections[depth:]
            above = open_sections[-1]
            section = Section((*above.titles, title), line, settings=above.settings)
            open_sections.append(section)
            found.append(section)
        else:
            _add(open_sections[-1], *_named(item))
    tests = [section for section in found if section.files or section.expectations]
    _check(tests)
    return tests


@dataclass(frozen=True)
class _Fenced:
    block: Block
    file: str | None


def _named(item: _Fenced) -> tuple[Block, str | None]:
    return item.block, item.file


def _items(lines: Sequence[str]) -> Iterator[tuple[int, str, int] | _Fenced]:
    """Headings as (depth, title, line) and fenced blocks, in order."""
    name: str | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := _FENCE.fullmatch(line):
            end = next((at for at in range(number, len(lines)) if lines[at].rstrip() == fence[1]), None)
            if end is None:
                raise CaseError(f"line {number}: a fence that is never closed")
            yield _Fenced(Block(fence[2], fence[3], tuple(lines[number:end]), number + 1), name)
            number, name = end + 1, None
        elif heading := _HEADING.fullmatch(line):
            yield len(heading[1]), heading[2], number
            name = None
        elif line.strip():
            named = _FILE_NAME.fullmatch(line.strip())
            name = named[1] if named else None


def _add(section: Section, block: Block, file: str | None) -> None:
    where = f"line {block.line - 1}"
    if block.language in PROSE and file is None:
        return
    if block.language in EXPECTATIONS:
        if file is not None:
            raise CaseError(f"{where}: a {block.language} block can't be the file {file}")
        section.expectations.append(block)
    elif file is not None:
        section.files[file] = section.files.get(file, "") + block.text
    elif block.language == "toml":
        section.settings += block.text
    elif block.language in SOURCE_LANGUAGES:
        section.files[UNNAMED] = section.files.get(UNNAMED, "") + block.text
    else:
        raise CaseError(f"{where}: `{block.language}` is no kind of block")


def _check(tests: Sequence[Section]) -> None:
    names: set[str] = set()
    for section in tests:
        where = f"line {section.line}: `{section.name}`"
        if not section.files:
            raise CaseError(f"{where} expects something of no file")
        if not section.expectations:
            raise CaseError(f"{where} has files and expects nothing (an empty diagnostics block says: clean)")
        if section.name in names:
            raise CaseError(f"{where}: a second section of that name")
        names.add(section.name)
