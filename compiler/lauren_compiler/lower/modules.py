"""Module names that a build can't work with, where it would have to."""

from __future__ import annotations

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import configuration as rules
from ..semantics.load import Sources
from ..semantics.program import Program
from ..source.span import Span
from .registered import Candidate


def check_module_names(sources: Sources, candidates: list[Candidate], program: Program, sink: Sink) -> None:
    """Report names that are no identifiers, and names of several files, if such a file has a tool or is imported."""
    with_tools = {candidate.decl.scope.module.file.module for candidate in candidates}
    used = with_tools | program.asked
    for place in sources.rooted:
        if not place.valid and place.module in with_tools:
            shown = next((m.file.shown for m in sources.modules if m.file.path == str(place.path)), place.relative)
            message = f"`{place.module}` can't be imported: it is no module name"
            remedy = "rename the file or folder, so that every part of the path is an identifier"
            sink.add(rules.INVALID_MODULE_NAME.at(Span.of_file(shown), message, help=remedy))
    for name, paths in sources.shared.items():
        if name in used:
            message = f"{len(paths)} files have the module name `{name}`"
            labels = tuple(Label(Span.of_file(path), f"`{name}` too") for path in paths[1:])
            remedy = "give source roots with `--root`, or rename one"
            sink.add(rules.DUPLICATE_MODULE.at(Span.of_file(paths[0]), message, labels=labels, help=remedy))
