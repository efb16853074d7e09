"""NumPy, Sphinx and epydoc sections, and how docstring-parser is used."""

from __future__ import annotations

import subprocess
import sys

import docstring_parser.rest
import pytest
from docstring_parser import ParseError
from lauren_compiler.syntax.docstrings import read_docstring

NUMPY: list[tuple[str, str, dict[str, str]]] = [
    ("typed", "a : int, optional\n    first\n    part\nb : str\n    second", {"a": "first part", "b": "second"}),
    ("two names", "a, b : int\n    both", {"a": "both", "b": "both"}),
    ("untyped", "a\n    first", {"a": "first"}),
    ("no space", "a: int\n    first", {"a": "first"}),
    ("stars", "*args\n    rest\n**kwargs : int\n    more", {"args": "rest", "kwargs": "more"}),
    ("backticks", "`a` : int\n    first", {"a": "first"}),
    ("a choice as type", "a : {'x', 'y'}, default: 'x'\n    first", {"a": "first"}),
    (
        "paragraphs and lists",
        "a : int\n    first\n\n    - x\n    - y\n\nb\n    z",
        {"a": "first\n\n- x\n- y", "b": "z"},
    ),
    ("relative indentation", "a : int\n    like\n      x\n      y", {"a": "like\n  x\n  y"}),
    ("type only", "a : int\nb : str\n    second", {"a": "", "b": "second"}),
    ("indented entries", "  a : int\n      first\n  b : int\n      second", {"a": "first", "b": "second"}),
    ("prose after", "a : int\n    first\n\nReturns a dict with\n    b: x", {"a": "first"}),
    ("a rule in a text", "a : int\n    first\n    -----\nb\n    x", {"a": "first -----", "b": "x"}),
    ("named like sections, with colons", "a:\n    first\nwarning:\n    second", {"a": "first", "warning": "second"}),
    ("named like a section", "Returns : int\n    first", {"Returns": "first"}),
    ("normalised", "ﬁle : int\n    first", {"file": "first"}),
    ("fields in a text", "a : int\n    first\n    :param b: x", {"a": "first :param b: x"}),
]

SPHINX: list[tuple[str, str, dict[str, str]]] = [
    ("plain", ":param a: first\n:param b: second", {"a": "first", "b": "second"}),
    ("typed", ":param int a: first\n:type a: int\n:rtype: str", {"a": "first"}),
    ("long types", ":param list of int a: x\n:param dict[str, int] b: y", {"a": "x", "b": "y"}),
    ("types with colons", ":param Literal['x:y'] a: x\n:param :class:`Y` b: y", {"a": "x", "b": "y"}),
    (
        "keywords",
        ":parameter a: v\n:arg b: w\n:argument c: x\n:key d: y\n:keyword e: z",
        dict(zip("abcde", "vwxyz", strict=True)),
    ),
    ("names that Sphinx lacks", ":kwarg a: first\n:params b: x", {"a": "first", "b": "x"}),
    ("wrapped", ":param a: first\n    part\n:param b: x", {"a": "first part", "b": "x"}),
    ("wrapped, one field", ":param a: first\n    :ref:`part`", {"a": "first :ref:`part`"}),
    (
        "wrapped at the margin",
        ":param a: first\n:class:`X` part\n:param b: x",
        {"a": "first :class:`X` part", "b": "x"},
    ),
    ("next line", ":param a:\n    first\n      x\n      y\n", {"a": "first\n  x\n  y"}),
    ("paragraphs", ":param a: first\n\n    second\n\n:param b: x", {"a": "first\n\nsecond", "b": "x"}),
    ("prose after", ":param a: first\n\nSome prose.\n\n:param b: x", {"a": "first", "b": "x"}),
    ("returns after", ":param a: first\n:returns: b: x\n:raises E: c: x", {"a": "first"}),
    (
        "stars",
        ":param \\*args: rest\n:param \\*\\*kwargs: more\n:param *b: x",
        {"args": "rest", "kwargs": "more", "b": "x"},
    ),
    ("colons in the text", ":param a:see: this\n:param b: see: that", {"a": "see: this", "b": "see: that"}),
    ("without text", ":param a:\n:param b: x", {"a": "", "b": "x"}),
    ("placeholder in the text", ":param a: |\n    | x", {"a": "| | x"}),
    ("normalised", ":param ﬁle: first\n:param straße: x", {"file": "first", "straße": "x"}),
    ("documented twice, once without text", ":param a: first\n:param a:", {"a": "first"}),
]


@pytest.mark.parametrize(("body", "expected"), [case[1:] for case in NUMPY], ids=[case[0] for case in NUMPY])
@pytest.mark.parametrize("header", ["Parameters\n----------", "parameters\n===", "Other Parameters:\n-----"])
def test_numpy(header: str, body: str, expected: dict[str, str]) -> None:
    found = read_docstring(f"Summary.\n\n{header}\n{body}\n\nUnknown Section\n---------------\nz : int\n    x\n")
    assert (found.description, dict(found.parameters), found.style) == ("Summary.", expected, "numpy")


@pytest.mark.parametrize(("body", "expected"), [case[1:] for case in SPHINX], ids=[case[0] for case in SPHINX])
def test_sphinx(body: str, expected: dict[str, str]) -> None:
    found = read_docstring(f"Summary.\n\n{body}\n\nProse.")
    assert (found.description, dict(found.parameters), found.style) == ("Summary.", expected, "sphinx")


@pytest.mark.parametrize(("body", "expected"), [case[1:] for case in SPHINX[:2]], ids=[case[0] for case in SPHINX[:2]])
def test_epydoc(body: str, expected: dict[str, str]) -> None:
    body = "\n".join("@" + line[1:] for line in body.splitlines())
    found = read_docstring(f"Summary.\n\n{body}\n@return: type z: x\n")
    assert (found.description, dict(found.parameters), found.style) == ("Summary.", expected, "epydoc")


def test_lines() -> None:
    assert read_docstring("S.\n\n  :param a: x\n    y\n  :param b: z\n").lines == {"a": 2, "b": 4}
    assert read_docstring("S.\n\n  Parameters\n  ------\n  a, b : x\n\n     y\n  c\n    z\n").lines == {
        "a": 4,
        "b": 4,
        "c": 7,
    }


def test_each_section_has_its_own_style() -> None:
    found = read_docstring("S.\n\n:param a: x\n\nArgs:\n    b: y\n\nParameters\n----------\nc : int\n    z\n")
    assert (dict(found.parameters), found.style) == ({"a": "x", "b": "y", "c": "z"}, "sphinx")


def test_a_field_may_follow_the_quotes() -> None:
    assert read_docstring(":param a: first\n        part\n        :param b: x").parameters == (
        ("a", "first part"),
        ("b", "x"),
    )


def test_what_the_package_cannot_read_is_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> object:
        raise ParseError(text)

    monkeypatch.setattr(docstring_parser.rest, "parse", fail)
    found = read_docstring("S.\n\n:param a: first")
    assert (found.description, found.parameters, found.style) == ("S.\n\n:param a: first", (), "prose")


def test_other_errors_are_not_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(docstring_parser.rest, "parse", fail)
    with pytest.raises(ZeroDivisionError):
        read_docstring("S.\n\n:param a: first")


@pytest.mark.parametrize(("text", "imported"), [("S.\\n\\nArgs:\\n    a: x", False), (":param a: x", True)])
def test_the_package_is_imported_when_needed(text: str, imported: bool) -> None:
    program = (
        "import sys; from lauren_compiler.syntax.docstrings import read_docstring; "
        f"read_docstring('{text}'); print('docstring_parser' in sys.modules)"
    )
    path = [part for part in sys.path if part]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(imported)
