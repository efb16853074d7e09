"""Workflow commands of GitHub Actions, which become annotations on a pull request.

Syntax and escapes: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands and the
runner's own `ActionCommand` (data: `%`, CR, LF; property values also `:` and `,`).
"""

from __future__ import annotations

from ..model import Diagnostic, Level
from .report import Report
from .terminal import escape

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render(report: Report) -> str:
    """`::error file=…,line=…,col=…::message`, a line a diagnostic."""
    return "".join(f"{_command(found)}\n" for found in report.diagnostics)


def _command(found: Diagnostic) -> str:
    properties = ",".join(f"{key}={_property(value)}" for key, value in _properties(found))
    return f"::{_COMMANDS[found.level]} {properties}::{_data(_text(found))}"


def _properties(found: Diagnostic) -> list[tuple[str, str]]:
    """Columns only where the span stays on one line: GitHub refuses them otherwise."""
    span = found.span
    place = [("file", span.path), ("line", str(span.start.line))]
    if span.start.line == span.end.line:
        place += [("col", str(span.start.column)), ("endColumn", str(span.end.column))]
    else:
        place += [("endLine", str(span.end.line))]
    return [*place, ("title", f"{found.rule.code} {found.rule.name}")]


def _text(found: Diagnostic) -> str:
    first = f"{found.message}: {found.label}" if found.label else found.message
    remarks = [f"{label.span.path}:{label.span.start.line}: {label.text}" for label in found.labels]
    remarks += [f"note: {note}" for note in found.notes]
    remarks += [f"help: {found.help}"] if found.help else []
    return "\n".join(escape(line) for text in (first, *remarks) for line in text.split("\n"))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(escape(text)).replace(":", "%3A").replace(",", "%2C")
