"""One line a diagnostic; each stands alone."""

from __future__ import annotations

from ..model import Diagnostic
from .report import Report
from .terminal import escape


def render(report: Report) -> str:
    """`tools/calendar.py:14:26: error[LC301] message: label`, a line each."""
    return "".join(f"{line(found)}\n" for found in report.diagnostics)


def line(found: Diagnostic) -> str:
    """The one line of a diagnostic."""
    start = found.span.start
    text = f"{found.message}: {found.label}" if found.label else found.message
    return escape(f"{found.span.path}:{start.line}:{start.column}: {found.level}[{found.rule.code}] {text}")
