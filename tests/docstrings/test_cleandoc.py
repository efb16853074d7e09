"""`cleandoc` is the standard library's of Python 3.13, on every Python."""

from __future__ import annotations

import inspect
import sys

from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.syntax.docstrings.cleaning import cleandoc

# Before 3.13 other white space counts as indentation too.
CHARACTERS = " \n\tab" + ("\r\f\v\xa0" if sys.version_info >= (3, 13) else "")


@given(st.text(CHARACTERS, max_size=30))
def test_it_is_what_the_library_makes_of_a_text(text: str) -> None:
    assert cleandoc(text) == inspect.cleandoc(text)


def test_only_spaces_are_indentation() -> None:
    assert cleandoc("\fA.\n  \fB.\n    C.\n") == "\fA.\n\fB.\n  C."
