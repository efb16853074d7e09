"""The document for programs, `--format json`; its shape is a contract (`version` counts incompatible changes).

All of it is ASCII, so that no terminal, pipe or encoding changes what it says.
"""

from __future__ import annotations

import json

from ...source.span import Position, Span
from ..model import Diagnostic, Fix, Label
from .report import Report

VERSION = 1


def render(report: Report) -> str:
    """`{"version", "tools", "diagnostics": [...]}`, with `error` where the run ended before its end."""
    document: dict[str, object] = {
        "version": VERSION,
        "tools": report.tools,
        "diagnostics": [_diagnostic(found) for found in report.diagnostics],
    }
    if report.error is not None:
        document["error"] = report.error
    return json.dumps(document, indent=2) + "\n"


def page(code: str) -> str:
    """Where the page of a rule is: a command, since pages ship with the compiler."""
    return f"lauren-compile explain {code}"


def _diagnostic(found: Diagnostic) -> dict[str, object]:
    return {
        "code": found.rule.code,
        "name": found.rule.name,
        "level": str(found.level),
        "message": f"{found.message}: {found.label}" if found.label else found.message,
        **_span(found.span),
        "labels": [_label(label) for label in found.labels],
        "notes": [*found.notes, *([f"help: {found.help}"] if found.help else [])],
        "fix": _fix(found.fix) if found.fix else None,
        "url": page(found.rule.code),
    }


def _span(span: Span) -> dict[str, object]:
    return {"path": span.path, "start": _position(span.start), "end": _position(span.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def _label(label: Label) -> dict[str, object]:
    return {"text": label.text, **_span(label.span)}


def _fix(fix: Fix) -> dict[str, object]:
    edits = [{**_span(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}
