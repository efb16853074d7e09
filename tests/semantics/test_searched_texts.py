"""A file's text is searched a few times, not once for each of its statements: that would grow with its square."""

from __future__ import annotations

import ast

import pytest
from lauren_compiler.source.file import SourceFile
from lauren_compiler.syntax.declarations import ParsedModule
from lauren_compiler.syntax.scopes import build_module


class Searched(str):
    """A text that counts how often something is looked for in it."""

    __slots__ = ("times",)
    times: int

    def __contains__(self, part: object) -> bool:
        self.times += 1
        return str.__contains__(self, part)  # type: ignore[operator]


def searches(source: str) -> int:
    text = Searched(source)
    text.times = 0
    file = SourceFile("/a.py", "a.py", "a.py", "a", False, text)
    module = ParsedModule(file)
    build_module(module, ast.parse(source).body)
    return text.times


@pytest.mark.parametrize(
    "statement", ["x = f(1)", "f(1)", "del x[0]", "if f(1):\n    x = [1]", "class A:\n    x = f(1)"]
)
def test_the_number_of_searches_does_not_grow(statement: str) -> None:
    assert searches(f"{statement}\n" * 50) == searches(f"{statement}\n")
