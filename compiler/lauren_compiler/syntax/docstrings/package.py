"""Sphinx, epydoc and NumPy entries, read by the package docstring-parser.

The package is given one section at a time, in a form it reads without loss. What that form avoids, as seen in 0.18.0:

| it                                                                      | so                                         |
|-------------------------------------------------------------------------|--------------------------------------------|
| takes 40 ms to import                                                   | it is imported at the first such section   |
| picks the style with most findings, and each parser needs 100 us        | the style is found by the headers          |
| knows Google titles by exact case, without Keyword or Other; keeps one  | Google sections are read without it        |
| section a title; needs entries indented alike by the same characters;   |                                            |
| fails on a line without a colon; reads `- name` and backticks as names; |                                            |
| splits at the first colon, though it be in the type; ends at a header   |                                            |
| only if it knows it                                                     |                                            |
| leaves sections it does not know, and prose between, in the description | it sees no description                     |
| reads every line that starts with ":" or "@" as a field, so prose with  | it sees parameter fields only, their texts |
| a role (`:class:`) is an error, and so is `@` without a colon           | indented                                   |
| takes text after the fields for part of the last one                    | the fields' ends are found before          |
| removes the indentation of a field's second line and of those below it, | texts start below two placeholder lines    |
| each apart, and of an only field's lines                                |                                            |
| refuses types of several words (`:param list of int x:`)                | such types are left out                    |
| knows neither `:kwarg` nor `:kwparam`                                   | every field is handed over as `:param`     |
| searches an epydoc field for keywords anywhere, knows ASCII names only, | epydoc fields are handed over as Sphinx's  |
| and takes quadratic time                                                |                                            |
| knows NumPy titles by exact case and underlines of the same length, and | every section is handed over with the same |
| entries at the left margin; an unknown section belongs to the one above | header, dedented, and ends where it ends   |
| takes prose below NumPy entries for more entries                        | the first line that can't be one ends them |
| keeps `a, b` as one name, and stars, backslashes and backticks          | names are split and cleaned afterwards     |
| cleans text by `inspect.cleandoc`, which differs between Pythons        | lines are indented by spaces alone         |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .cleaning import Line
from .entry import Entry
from .names import names_of, split_head
from .sections import Section, texts_of

if TYPE_CHECKING:
    from docstring_parser import Docstring

# The package dedents a field's second line, and then those below the second, each time without regard to those above.
_PLACEHOLDERS = ["|", "|"]
_INDENT = "    "


class UnreadableSection(Exception):
    """The package could not read a section, or found other entries than it holds."""


def field_entries(sections: Sequence[Section]) -> list[Entry]:
    """The entries of consecutive Sphinx or epydoc fields. Raises UnreadableSection."""
    from docstring_parser import ParseError, rest

    # The empty first line, which the package leaves out, makes the next one count when it looks for a margin.
    lines = [""]
    for section in sections:
        lines.append(f":param {_arguments(section.header.arguments)}:")
        lines += _indented([*_PLACEHOLDERS, *texts_of(section.header.text, section.body)])
    try:
        found = rest.parse("\n".join(lines))
    except ParseError as error:
        raise UnreadableSection(str(error)) from error
    return _entries(found, [section.number for section in sections], _PLACEHOLDERS)


def numpy_entries(section: Section) -> list[Entry]:
    """The entries of a NumPy section. Raises UnreadableSection."""
    from docstring_parser import ParseError, numpydoc

    lines = ["Parameters", "----------"]
    numbers: list[int] = []
    for head, body in _numpy_blocks(section.body):
        lines += [" ".join(head.text.split()), *_indented(texts_of("", body))]
        numbers.append(head.number)
    if not numbers:
        return []
    try:
        found = numpydoc.parse("\n".join(lines))
    except ParseError as error:
        raise UnreadableSection(str(error)) from error
    return _entries(found, numbers, [])


def _entries(found: Docstring, numbers: Sequence[int], placeholders: list[str]) -> list[Entry]:
    parameters = found.params
    if len(parameters) != len(numbers):
        raise UnreadableSection(f"{len(parameters)} entries were found instead of {len(numbers)}")
    entries: list[Entry] = []
    for parameter, number in zip(parameters, numbers, strict=True):
        texts = (parameter.description or "").split("\n")
        names = names_of(parameter.arg_name)
        if not names or texts[: len(placeholders)] != placeholders:
            raise UnreadableSection(f"the entry {parameter.arg_name!r} was not read as written")
        entries.append(Entry(names, number, texts[len(placeholders) :]))
    return entries


def _arguments(words: tuple[str, ...]) -> str:
    """A field's type and name; the name alone if the type would be misread."""
    if len(words) == 2 and ":" not in words[0]:
        return " ".join(words)
    return words[-1]


def _indented(texts: Sequence[str]) -> list[str]:
    return [_INDENT + text if text else "" for text in texts]


def _numpy_blocks(body: Sequence[Line]) -> list[tuple[Line, list[Line]]]:
    """The lines that name parameters, each with the lines below it, up to the first line that is neither."""
    blocks: list[tuple[Line, list[Line]]] = []
    base = next((line.indent for line in body if line.text), 0)
    for line in body:
        if not line.text or line.indent > base:
            if blocks:
                blocks[-1][1].append(line)
        elif line.indent == base and _names_parameters(line.text):
            blocks.append((line, []))
        else:
            break
    return blocks


def _names_parameters(text: str) -> bool:
    head, _ = split_head(text)
    return bool(names_of(head or text))
