"""Which diagnostics are reported, and at which level."""

from __future__ import annotations

from collections.abc import Sequence

from lauren_compiler.diagnostics.levels import Policy, apply_levels
from lauren_compiler.diagnostics.model import Diagnostic, Level
from lauren_compiler.diagnostics.rules import providers, tools, types
from lauren_compiler.source.span import Position, Span


def at(line: int, path: str = "tools.py", last: int | None = None) -> Span:
    return Span(path, Position(line, 1), Position(last or line, 5))


MISSING = tools.MISSING_DESCRIPTION.at(at(1), "no description")
BROKEN = types.UNSUPPORTED_TYPE.at(at(1), "no JSON form")


def reported(
    *diagnostics: Diagnostic, lines: Sequence[str] = (), policy: Policy | None = None
) -> list[tuple[str, Level]]:
    found = apply_levels(diagnostics, policy or Policy(), {"tools.py": "\n".join(lines)})
    return [(diagnostic.rule.code, diagnostic.level) for diagnostic in found]


def test_without_configuration_nothing_changes() -> None:
    assert reported(BROKEN, MISSING) == [("LC301", Level.ERROR), ("LC402", Level.WARNING)]


def test_levels_move_warnings_and_notes_but_no_error() -> None:
    policy = Policy({"LC402": Level.NOTE, "LC301": None, "LC419": Level.ERROR})
    note = tools.OTHER_RUNTIME_NAME.at(at(2), "another name")
    assert reported(BROKEN, MISSING, note, policy=policy) == [
        ("LC301", Level.ERROR),
        ("LC402", Level.NOTE),
        ("LC419", Level.ERROR),
    ]


def test_off_silences_a_warning() -> None:
    assert reported(MISSING, policy=Policy({"LC402": None})) == []


def test_warnings_as_errors_leave_notes_alone() -> None:
    note = tools.OTHER_RUNTIME_NAME.at(at(2), "another name")
    policy = Policy(warnings_as_errors=True)
    assert reported(MISSING, note, policy=policy) == [("LC402", Level.ERROR), ("LC419", Level.NOTE)]


def test_provider_limits_can_be_relevelled_only_while_they_are_warnings() -> None:
    warning = providers.PROVIDER_SCHEMA.at(at(1), "refused", level=Level.WARNING)
    error = providers.PROVIDER_SCHEMA.at(at(2), "refused")
    policy = Policy({"LC505": None})
    assert reported(warning, error, policy=policy) == [("LC505", Level.ERROR)]


def test_per_file_ignores() -> None:
    policy = Policy(ignored=lambda path: frozenset({"LC402"} if path == "tools.py" else ()))
    elsewhere = tools.MISSING_DESCRIPTION.at(at(1, "other.py"), "no description")
    assert reported(MISSING, BROKEN, elsewhere, policy=policy) == [("LC402", Level.WARNING), ("LC301", Level.ERROR)]


def test_a_comment_silences_by_code_or_name_with_or_without_reason() -> None:
    for comment in (
        "# lauren: ignore[LC402] told by its name",
        "# noqa  # lauren: ignore[missing-description]",
        "#lauren: ignore[LC419, LC402]",
    ):
        other = tools.OTHER_RUNTIME_NAME.at(at(1), "another name")
        kept = reported(MISSING, other, lines=[f"def f():  {comment}", "    pass"])
        assert ("LC402", Level.WARNING) not in kept, comment


def test_warnings_as_errors_can_still_be_silenced() -> None:
    policy = Policy(warnings_as_errors=True)
    assert reported(MISSING, lines=["x = 1  # lauren: ignore[LC402] reason"], policy=policy) == []


def test_only_comments_count() -> None:
    lines = ['x = "# lauren: ignore[LC402]"', 'y = """', "# lauren: ignore[LC402]", '"""']
    at_three = tools.MISSING_DESCRIPTION.at(at(3), "no description")
    assert reported(MISSING, at_three, lines=lines) == [("LC402", Level.WARNING)] * 2


def test_a_comment_counts_on_every_line_of_the_span_and_no_other() -> None:
    wide = tools.MISSING_DESCRIPTION.at(at(1, last=3), "no description")
    lines = ["x = (", "    1,", ")  # lauren: ignore[LC402]", ""]
    assert reported(wide, lines=lines) == []
    assert reported(MISSING, lines=lines) == [("LC402", Level.WARNING), ("LC007", Level.WARNING)]


def test_an_error_is_not_silenced_and_the_comment_is_reported() -> None:
    assert reported(BROKEN, lines=["x = 1  # lauren: ignore[LC301] no"]) == [
        ("LC301", Level.ERROR),
        ("LC008", Level.WARNING),
    ]


def test_bad_comments_are_reported_at_the_word_that_is_wrong() -> None:
    lines = ["x = 1  # lauren: ignore", "y = 2  # lauren: ignore[]", "z = 3  # lauren: ignore[LC402, LC999]"]
    found = apply_levels([tools.MISSING_DESCRIPTION.at(at(3), "none")], Policy(), {"tools.py": "\n".join(lines)})
    assert [(d.rule.code, d.span.start.line, d.span.start.column, d.span.end.column) for d in found] == [
        ("LC008", 1, 8, 24),
        ("LC008", 2, 8, 26),
        ("LC008", 3, 32, 37),
    ]


def test_comments_before_a_syntax_error_still_count() -> None:
    assert reported(MISSING, lines=["x = 1  # lauren: ignore[LC402]", "y = (", "'''"]) == []
