"""`lauren-compile validate`: hold a build against its manifest, its digests and the metaschema."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..config import CommandLine, UsageError, load, shown, working_directory
from ..diagnostics.render import DOCUMENTS, Report
from ..driver.validate import validate
from .console import emit_report, summary
from .session import count


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if anything is wrong; without DIR, the configured output. Raises UsageError if it is no folder."""
    here = working_directory()
    out = (
        Path(os.path.abspath(options.dir)) if options.dir is not None else load(CommandLine(directory=here)).config.out
    )
    name = shown(out, here)
    if not out.is_dir():
        given = name if options.dir is None else options.dir
        raise UsageError(
            f"{given} is a file: give the folder of a build" if out.exists() else f"no such folder: {given}"
        )
    result = validate(out, name)
    emit_report(Report(result.diagnostics, tools=result.tools), options.format)
    if options.format not in DOCUMENTS and not options.quiet:
        verdict = count(len(result.diagnostics), "fault") if result.diagnostics else "valid"
        agents = [(result.agents, "agent")] if result.agents else []
        sizes = ((result.tools, "tool"), *agents, (result.files, "file"), (result.targets, "target"))
        summary([f"{name}: {', '.join(count(*size) for size in sizes)}: {verdict}"])
    return 1 if result.diagnostics else 0
