"""`lauren-compile validate`: hold a build against its manifest, its digests and the metaschema."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..config import UsageError, shown, working_directory
from ..diagnostics.render import DOCUMENTS, Report
from ..driver.validate import validate
from .console import emit_report, summary
from .session import count


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if anything is wrong. Raises UsageError if DIR is no folder."""
    out = Path(os.path.abspath(options.dir))
    if not out.is_dir():
        raise UsageError(f"no such folder: {options.dir}")
    name = shown(out, working_directory())
    result = validate(out, name)
    emit_report(Report(result.diagnostics, tools=result.tools), options.format)
    if options.format not in DOCUMENTS and not options.quiet:
        verdict = count(len(result.diagnostics), "fault") if result.diagnostics else "valid"
        agents = [(result.agents, "agent")] if result.agents else []
        sizes = ((result.tools, "tool"), *agents, (result.files, "file"), (result.targets, "target"))
        summary([f"{name}: {', '.join(count(*size) for size in sizes)}: {verdict}"])
    return 1 if result.diagnostics else 0
