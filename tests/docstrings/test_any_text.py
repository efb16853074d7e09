"""Whatever the text: no exception, no word that the author did not write, and time that grows with its length."""

from __future__ import annotations

import inspect
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.syntax.docstrings import DocText, read_docstring
from lauren_compiler.syntax.docstrings.cleaning import clean

PIECES = [
    "Args:", "Keyword Args:", "Returns:", "Note:", "Note: x", "Parameters", "----------", "=====", "---",
    "a: x", "b (int): y", "*args: z", "`c`: w", "- d: v", "- item", "1. one", "a : int", "a, b : int",
    ":param a: x", ":param", ":param a b c: d", ":type a: x", ":returns: x", ":class:`X`", ":", "::", "@",
    "@param a: x", "@param", "@return: x", ".. note:: x", ".. note::", "prose", "Some words",
    "defaults to 1", "```", "```py", "", "", " ", "\t", "\r", "\x0c", "\xa0", "\u2028", "\ud800", "ﬁle: x",
    "é: x", "|", "(", "[", ")",
]  # fmt: skip
LINES = st.lists(
    st.tuples(st.sampled_from(["", " ", "    ", "        ", "\t", "\xa0"]), st.sampled_from(PIECES)), max_size=25
)
SHAPED = LINES.map(lambda lines: "\n".join(indent + piece for indent, piece in lines))
TEXTS = st.one_of(SHAPED, st.text(), st.text(alphabet=" \n\t:@-.`*()[]ab=,|>"))


def _words(text: str) -> set[str]:
    return set("".join(character if character.isalnum() else " " for character in text.casefold()).split())


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_every_text_is_read(text: str) -> None:
    found = read_docstring(text)
    assert isinstance(found, DocText)
    names = [name for name, _ in found.parameters]
    assert list(found.lines) == names
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
    assert all(0 <= line <= text.count("\n") for line in found.lines.values())
    assert not names or found.style != "prose"


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_every_word_is_the_authors(text: str) -> None:
    found = read_docstring(text)
    for part in (found.description, *(said for _, said in found.parameters)):
        assert _words(part) <= _words(text)
        assert part == part.strip("\n")
        assert "\n\n\n" not in part or "```" in part


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_indentation_of_the_literal_does_not_matter(text: str) -> None:
    lines = ["Summary.", *text.replace("\r", "\n").expandtabs().split("\n")]
    assert read_docstring("\n".join(lines)) == read_docstring("\n    ".join(lines))


@given(st.text(alphabet="ab: \t\n"))
@settings(max_examples=200, deadline=None)
def test_lines_are_cleaned_as_inspect_does(text: str) -> None:
    shown = "\n".join(" " * line.indent + line.text for line in clean(text))
    assert shown == "\n".join(line.rstrip() for line in inspect.cleandoc(text).split("\n")).strip("\n")


def test_only_spaces_are_indentation() -> None:
    """As in Python 3.13; `inspect.cleandoc` of 3.12 would take the no-break space for indentation of two columns."""
    assert [line.indent for line in clean("a\n  b\n \xa0c\n   d")] == [0, 1, 1, 2]


REPEATED = [
    "x ", "x\n", "\n", " ", ":", ":\n", "a:", "a: x\n", "(", "(a", "Args:\n", "  Args:\n", "Args:\n  a: x\n",
    "Args:\n\n", " Args:\n\n\n", ":param a: x\n", ":param a b: ", "@param a: x\n", "@\n", "Note:\n",
    "Note: x\n", "Parameters\n---\na\n  x\n", "a : int\n", "---\n", "Parameters\n", "default ' ",
    "defaults to ", "a, ", "- a: x\n", "```\n", ".. note::\n", "_a", "é", ", default = ", "\r", "\t",
]  # fmt: skip
STARTS = [
    "",
    "Args:\n  ",
    "Args:\n  a: ",
    "Parameters\n----------\n",
    "Parameters\n----------\na\n  ",
    ":param a: ",
    "@param a:\n  ",
    "S.\n",
]


@pytest.mark.parametrize("piece", REPEATED)
def test_long_texts_take_no_long_time(piece: str) -> None:
    for start in STARTS:
        text = start + piece * (50_000 // len(piece))
        before = time.process_time()
        read_docstring(text)
        assert time.process_time() - before < 1.5, start
