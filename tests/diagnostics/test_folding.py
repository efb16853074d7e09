"""One fault is told once, with the places where something follows from it."""

from __future__ import annotations

from lauren_compiler.diagnostics.folding import folded
from lauren_compiler.diagnostics.model import Diagnostic, Label
from lauren_compiler.diagnostics.rules.names import FAILING_IMPORT, NO_SOURCE
from lauren_compiler.diagnostics.rules.reading import SYNTAX_ERROR
from lauren_compiler.source.span import Position, Span


def at(path: str, line: int) -> Span:
    return Span(path, Position(line, 1), Position(line, 2))


def unread(line: int, cause: str = "bad.py") -> Diagnostic:
    return NO_SOURCE.at(at("tools.py", line), "can't be read").because(cause, "needs it")


def test_what_follows_from_a_file_is_told_with_what_is_wrong_there() -> None:
    fault = SYNTAX_ERROR.at(at("bad.py", 1), "invalid")
    other = FAILING_IMPORT.at(at("tools.py", 9), "fails")
    (first, second) = folded([fault, unread(3), other, unread(5)])
    assert second is other
    assert (first.rule, first.message) == (SYNTAX_ERROR, "invalid")
    assert first.labels == (Label(at("tools.py", 3), "needs it"), Label(at("tools.py", 5), "needs it"))
    assert first.notes == ()


def test_without_that_the_first_tells_of_all() -> None:
    (first,) = folded([unread(line) for line in range(1, 8)])
    assert first.span == at("tools.py", 1)
    assert [label.span.start.line for label in first.labels] == [2, 3, 4, 5]
    assert first.notes == ("the same holds at 2 more places",)


def test_other_causes_and_none_are_left_alone() -> None:
    plain = [
        unread(1, "a.py"),
        unread(1, "b.py"),
        NO_SOURCE.at(at("tools.py", 2), "x"),
        NO_SOURCE.at(at("t.py", 2), "x"),
    ]
    assert list(folded(plain)) == plain
    assert list(folded([])) == []
