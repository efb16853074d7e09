"""Google sections: which lines are entries, and which texts they have."""

from __future__ import annotations

import pytest
from lauren_compiler.syntax.docstrings import read_docstring

TITLES = [
    "Args:",
    "ARGS:",
    "args:",
    "Arguments:",
    "Parameters:",
    "Params:",
    "Keyword Args:",
    "Keyword Arguments:",
    "keyword  args:",
    "Other Parameters:",
    "Kwargs:",
    "Args :",
    "Argument:",
    "Required Parameters:",
    "Optional Args:",
    "Args",
]

# Whole docstrings whose entries are not deeper than the title, and what is read.
LEVEL: list[tuple[str, str, dict[str, str]]] = [
    ("bullets", "S.\n\nParameters:\n- a: first\n- b (int): second\n  part\n", {"a": "first", "b": "second part"}),
    ("no bullets", "S.\n\nArgs:\na (int): first\nb: second\npart\n", {"a": "first", "b": "second part"}),
    ("aligned", "S.\n\nArgs:\n- a:   first\n       part\n- bcd: x\n", {"a": "first part", "bcd": "x"}),
    ("dashes", "S.\n\nArgs:\na - first\nb - x\n", {"a": "first", "b": "x"}),
    ("a header below", "S.\n\nArgs:\na: first\nReturns:\nx: y\n", {"a": "first"}),
    ("a header with its text", "S.\n\nArgs:\n- a: first\nReturns: x\n- b: y\n", {"a": "first"}),
    ("prose below", "S.\n\nArgs:\n- a: first\n\nProcess: by hand\n", {"a": "first"}),
    ("a title that is not known", "S.\n\nArgs:\na: first\n\nOutput: text\n", {"a": "first"}),
    ("blank lines", "S.\n\nArgs:\n\na: first\n\nb: second\n", {"a": "first", "b": "second"}),
    ("named like a section", "S.\n\nArgs:\na: first\nreturns:\n    second\n", {"a": "first", "returns": "second"}),
    ("right behind the quotes", "Args:\n    - a: first\n\n    Returns:\n        b: x", {"a": "first"}),
    ("a title twice", "Args:\n\n    Args:\n        a: first\n    ", {"a": "first"}),
    ("prose", "S.\n\nArgs:\nNone of them.\nand: x\n", {}),
    ("the first beside the title", "S.\n\nArgs: a (int): first\n    part\nReturns: b: x\n", {"a": "first part"}),
    ("two, one beside the title", "S.\nArgs: a: first\n      b: second", {"a": "first", "b": "second"}),
]

# What stands below "Args:", indented as there, and what is read.
ENTRIES: list[tuple[str, str, dict[str, str]]] = [
    ("plain", "    a: first\n    b: second", {"a": "first", "b": "second"}),
    ("typed", "    a (int, optional): first. Defaults to 1.", {"a": "first. Defaults to 1."}),
    ("typed with colons", "    a (Literal['x:y']): first", {"a": "first"}),
    ("typed in square brackets", "    a [int]: first", {"a": "first"}),
    ("nested type", "    a (dict[str, tuple[int, ...]]): first", {"a": "first"}),
    ("flagged without type", "    a, optional: first", {"a": "first"}),
    ("stars", "    *args: rest\n    **kwargs (int): more", {"args": "rest", "kwargs": "more"}),
    ("escaped stars", "    \\*args: rest\n    \\*\\*kwargs: more", {"args": "rest", "kwargs": "more"}),
    ("backticks", "    `a`: first\n    ``b`` (int): second", {"a": "first", "b": "second"}),
    ("two names", "    a, b: both", {"a": "both", "b": "both"}),
    ("space before the colon", "    a : first", {"a": "first"}),
    (
        "text on the next line",
        "    a:\n        first\n    b:\n        second\n        part",
        {"a": "first", "b": "second part"},
    ),
    ("wrapped", "    a: first\n        part\n    b: second", {"a": "first part", "b": "second"}),
    ("wrapped by two columns", "    a: first\n      and: more\n    b: second", {"a": "first and: more", "b": "second"}),
    ("wrapped at the entry's column", "    a: first\n    part of it\n    b: x", {"a": "first part of it", "b": "x"}),
    ("colon, then deeper", "    a: as follows:\n        k: v\n    b: x", {"a": "as follows: k: v", "b": "x"}),
    (
        "paragraphs",
        "    a: first\n\n        second\n        part\n\n\n    b: x",
        {"a": "first\n\nsecond part", "b": "x"},
    ),
    ("blank between entries", "    a: first\n\n    b: second", {"a": "first", "b": "second"}),
    (
        "list in an entry",
        "    a: one of\n        - x: y\n        - z\n    b: x",
        {"a": "one of\n- x: y\n- z", "b": "x"},
    ),
    (
        "list at the entry's column",
        "    a: one of\n    - x: y\n    - z\n    b: x",
        {"a": "one of\n- x: y\n- z", "b": "x"},
    ),
    ("numbered list", "    a: either\n        1. this\n        2. that", {"a": "either\n1. this\n2. that"}),
    (
        "deeper lines keep breaks",
        "    a:\n        like\n          x = 1\n          y = 2",
        {"a": "like\n  x = 1\n  y = 2"},
    ),
    ("bulleted entries", "    - a: first\n      part\n    - b (int): second", {"a": "first part", "b": "second"}),
    ("starred entries", "    * a: first\n    * b: second", {"a": "first", "b": "second"}),
    ("further left than the first", "      a: first\n    b: second", {"a": "first", "b": "second"}),
    ("words before the entries", "    All in metres.\n\n    a: first", {"a": "first"}),
    ("no entries", "    None", {}),
    (
        "a URL is no entry",
        "    a: see\n    https://example.org/x\n    b: y",
        {"a": "see https://example.org/x", "b": "y"},
    ),
    ("a literal block mark is no entry", "    a: see\n    this::\n    b: y", {"a": "see this::", "b": "y"}),
    ("a phrase is no entry", "    a: see\n    that is: it\n    b: y", {"a": "see that is: it", "b": "y"}),
    ("a keyword is no entry", "    a: see\n    None: it\n    b: y", {"a": "see None: it", "b": "y"}),
    ("no space after the colon", "    a:first", {"a": "first"}),
    ("without text", "    a:\n    b: second", {"a": "", "b": "second"}),
    ("named like a section", "    example: first\n    notes:\n        second", {"example": "first", "notes": "second"}),
    ("documented twice", "    a: first\n    a: second", {"a": "second"}),
    ("normalised", "    ﬁle: first", {"file": "first"}),
    ("not ASCII", "    straße: first", {"straße": "first"}),
    ("a role", "    a: first\n    b: :class:`X` of it", {"a": "first", "b": ":class:`X` of it"}),
    ("a literal block", "    a: first\n    b:: second", {"a": "first b:: second"}),
    (
        "a wrapped type",
        "    a (Literal['x',\n            'y'], optional): first\n        part\n    b: x",
        {"a": "first part", "b": "x"},
    ),
    ("a wrapped type before its text", "    - a (int,\n          optional):\n        first", {"a": "first"}),
    ("no type that is wrapped", "    a: first\n    (see b\n      of: it)", {"a": "first (see b\n  of: it)"}),
    ("brackets that do not match", "    a (list[dict[str, int]): first\n    b (`B)`: x", {"a": "first", "b": "x"}),
    (
        "dashes",
        "    a - first\n        part\n    b (int) -- x - y\n    `c` – z",
        {"a": "first part", "b": "x - y", "c": "z"},
    ),
    ("dashes behind a colon", "    a: first\n    b - second", {"a": "first b - second"}),
    ("bold", "    - **a** (int): first\n    - **b (int)**: second", {"a": "first", "b": "second"}),
    ("round bullets", "    • a: first\n    • b: second", {"a": "first", "b": "second"}),
    ("tabs", "\ta: first\n\t\tpart\n\tb: second", {"a": "first part", "b": "second"}),
]


@pytest.mark.parametrize("title", TITLES)
def test_titles(title: str) -> None:
    found = read_docstring(f"Summary.\n\n    {title}\n        a: first\n    ")
    assert (found.description, found.parameters, found.style) == ("Summary.", (("a", "first"),), "google")


@pytest.mark.parametrize(("body", "expected"), [case[1:] for case in ENTRIES], ids=[case[0] for case in ENTRIES])
def test_entries(body: str, expected: dict[str, str]) -> None:
    found = read_docstring(f"Summary.\n\nArgs:\n{body}\n\nReturns:\n    z: not a parameter\n")
    assert found.parameters == tuple(expected.items())
    assert found.description == "Summary."


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in LEVEL], ids=[case[0] for case in LEVEL])
def test_entries_that_are_not_deeper(text: str, expected: dict[str, str]) -> None:
    found = read_docstring(text)
    assert dict(found.parameters) == expected
    assert found.description == ("S." if text.startswith("S.") else "")


def test_prose_after_the_section_is_not_read() -> None:
    found = read_docstring("S.\n\n    Args:\n        a: first\n\n    Returns a dict with\n        status: the status\n")
    assert found.parameters == (("a", "first"),)
    assert found.description == "S."


def test_several_sections() -> None:
    found = read_docstring("S.\n\nArgs:\n    a: x\nRaises:\n    b: y\nKeyword Args:\n    c: z\nArgs:\n    a: later\n")
    assert found.parameters == (("a", "later"), ("c", "z"))


def test_lines_are_those_of_the_raw_text() -> None:
    found = read_docstring("\n\n    S.\n\n    Args:\n        a:\n            x\n        b, c: y\n\n    ")
    assert found.lines == {"a": 5, "b": 7, "c": 7}


@pytest.mark.parametrize(
    "text",
    [
        "Args:\n        a: first\n        b: second\n    ",
        "Args:\n        a: first\n\n        b: second\n    Returns:\n    x",
    ],
)
def test_the_header_may_follow_the_quotes(text: str) -> None:
    found = read_docstring(text)
    assert found.parameters == (("a", "first"), ("b", "second"))
    assert found.description == ""


def test_an_indented_header() -> None:
    found = read_docstring("S.\n\n  Args:\n    a: first\n  Returns:\n    x: y\nMore.")
    assert (found.description, found.parameters) == ("S.", (("a", "first"),))


def test_a_title_without_a_colon_stands_apart() -> None:
    text = "Of a command\nArgs\n    a: first"
    assert read_docstring(text).parameters == ()


def test_one_line_is_description() -> None:
    found = read_docstring("Delete a record. Args: id: the key")
    assert (found.description, found.parameters) == ("Delete a record. Args: id: the key", ())
