"""SARIF 2.1.0, for code scanning services.

Specification: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html (sections in the comments).
"""

from __future__ import annotations

import json
from urllib.parse import quote

from ...source.span import Span
from ..model import Diagnostic, Fix, Label, Level, Rule
from ..rules import ALL
from .report import Report

_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "note"}
_INDEX = {rule.code: index for index, rule in enumerate(ALL)}

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report) -> str:
    """One log with one run; its driver lists every rule, hit or not."""
    run: dict[str, object] = {
        "tool": {"driver": {"name": "lauren-compile", "rules": [_rule(rule) for rule in ALL]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found) for found in report.diagnostics],
    }
    if report.error is not None:  # 3.20: a run that ended before its end
        run["invocations"] = [
            {
                "executionSuccessful": False,
                "toolExecutionNotifications": [{"level": "error", "message": {"text": report.error}}],
            }
        ]
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": f"lauren-compile explain {rule.code}"},
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
    }


def _result(found: Diagnostic) -> dict[str, object]:
    text = f"{found.message}: {found.label}" if found.label else found.message
    remarks = [*found.notes, *([f"help: {found.help}"] if found.help else [])]
    result: dict[str, object] = {
        "ruleId": found.rule.code,
        "ruleIndex": _INDEX[found.rule.code],
        "level": _LEVELS[found.level],
        "message": {"text": "\n".join([text, *remarks])},
        "locations": [{"physicalLocation": _physical(found.span)}],
    }
    if found.labels:
        result["relatedLocations"] = [_related(number, label) for number, label in enumerate(found.labels)]
    if found.fix and found.fix.edits:
        result["fixes"] = [_fix(found.fix)]
    return result


def _related(number: int, label: Label) -> dict[str, object]:
    return {"id": number, "physicalLocation": _physical(label.span), "message": {"text": label.text}}


def _physical(span: Span) -> dict[str, object]:
    return {"artifactLocation": {"uri": _uri(span.path)}, "region": _region(span)}


def _region(span: Span) -> dict[str, int]:
    """3.30: lines and columns count from 1, the end column is the one behind the last character."""
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def _fix(fix: Fix) -> dict[str, object]:
    """3.55: replacements, grouped by file."""
    by_path: dict[str, list[dict[str, object]]] = {}
    for edit in fix.edits:
        replacement: dict[str, object] = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        by_path.setdefault(edit.span.path, []).append(replacement)
    changes = [
        {"artifactLocation": {"uri": _uri(path)}, "replacements": replacements}
        for path, replacements in by_path.items()
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _uri(path: str) -> str:
    """A relative reference stays one; an absolute path becomes a file URI (3.4.3)."""
    quoted = quote(path, safe="/", errors="surrogatepass")
    if path.startswith("/"):
        return f"file://{quoted}"
    return f"file:///{quote(path, safe='/:')}" if path[1:3] in (":/", ":\\") else quoted
