"""Sphinx, epydoc and NumPy entries, read by the package docstring-parser.

The package is given one section at a time, in a form that it reads without loss. What version 0.18.0 does, and what is
done about it:

```text
takes 40 ms to import                                               it is imported at the first such section

tries all styles and takes the one with most findings               the headers tell the style

knows Google titles by exact case, none with Keyword or Other;      Google sections, most of all by far, are read
keeps only the last section of a title; fails on a line without a   without it
colon and on a docstring that starts with Args; takes bullets and
backticks for part of a name; splits at a colon within a type;
joins entries that are not indented alike

leaves sections it does not know in the description                 it sees no description

reads every line that starts with `:` or `@` as a field: prose      it sees parameter fields only, with their
with a role (`:class:`) ends the description, and `@` without a     texts indented
colon is an error

takes text after the fields for part of the last one                where a field ends is found before

removes the indentation of a field's second line and of those       texts start below two placeholder lines, and
below it, each apart, and of an only field's lines                  the first field below an empty one

refuses field types of several words                                such types are left out

knows neither `:kwarg` nor `:params`                                every field is handed over as `:param`

searches epydoc fields for keywords anywhere, in quadratic time,    epydoc fields are handed over as Sphinx's
and knows ASCII names only

knows NumPy titles by exact case, with underlines of the same       every section has the same header and is
length and entries at the left margin                               dedented

reads a NumPy section it does not know, or prose, as entries of     the first line that can't be an entry ends the
the one above                                                       section

keeps `a, b` as one name, and stars, backslashes and backticks      names are split and cleaned afterwards

cleans by `inspect.cleandoc`, which differs between versions of     lines are indented by spaces alone
Python
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .cleaning import Line
from .entry import Entry, UnreadableSection
from .names import names_of, split_head
from .sections import Section, texts_of

if TYPE_CHECKING:
    from docstring_parser import Docstring

# The package dedents a field's second line, and then those below the second, each time without regard to those above.
_PLACEHOLDERS = ["|", "|"]
_INDENT = "    "


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
