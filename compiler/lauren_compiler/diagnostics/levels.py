"""From what the phases found to what is reported: ignores, configured levels, warnings as errors.

An error stays an error, whatever is configured or written in a comment: it stands for output that would be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field

from .folding import folded
from .ignores import Ignore, read_ignores
from .model import Diagnostic, Level, Sink
from .rules.configuration import UNUSED_IGNORE


class Policy(Struct, frozen=True):
    """What configuration says of levels.

    `levels` maps codes to a level, None for off. `ignored` gives the codes that per-file-ignores silence in the file
    shown under a path.
    """

    levels: Mapping[str, Level | None] = field(default_factory=dict[str, "Level | None"])
    warnings_as_errors: bool = False
    ignored: Callable[[str], frozenset[str]] = lambda path: frozenset()


def apply_levels(
    diagnostics: Iterable[Diagnostic], policy: Policy, sources: Mapping[str, str]
) -> tuple[Diagnostic, ...]:
    """The diagnostics to report, sorted: silenced ones and repeated ones are gone, unused ignores added.

    `sources` are the texts of the compiled files, by shown path; ignore comments are looked for in these only.
    """
    ignores: list[Ignore] = []
    sink = Sink()
    for path, text in sources.items():
        found, problems = read_ignores(path, text)
        ignores += found
        sink.extend(problems)
    used: set[Ignore] = set()
    for diagnostic in diagnostics:
        hits = _hits(diagnostic, ignores)
        used.update(hits)
        if not hits:
            sink.add(diagnostic)
    for ignore in ignores:
        if ignore not in used:
            message = f"nothing on this line is silenced by `{ignore.rule.code}`"
            sink.add(UNUSED_IGNORE.at(ignore.span, message, help="remove it"))
    reported = Sink()
    reported.extend(kept for found in _untold(sink) if (kept := _levelled(found, policy)) is not None)
    return tuple(folded(reported))


def _untold(found: Sink) -> Iterator[Diagnostic]:
    """Diagnostics without those that yield to an error which shows the same place."""
    errors = [each for each in found if each.level is Level.ERROR] if any(each.rule.yields for each in found) else []
    shown = {(span.path, span.start) for each in errors for span in (each.span, *(label.span for label in each.labels))}
    for each in found:
        if not each.rule.yields or (each.span.path, each.span.start) not in shown:
            yield each


def _hits(diagnostic: Diagnostic, ignores: Iterable[Ignore]) -> list[Ignore]:
    """The comments that silence a diagnostic: same file and rule, on a line of its span."""
    if diagnostic.level is Level.ERROR:
        return []
    span = diagnostic.span
    return [
        ignore
        for ignore in ignores
        if ignore.rule is diagnostic.rule
        and ignore.span.path == span.path
        and span.start.line <= ignore.span.start.line <= span.end.line
    ]


def _levelled(diagnostic: Diagnostic, policy: Policy) -> Diagnostic | None:
    """The diagnostic at its configured level, None if it is off."""
    if diagnostic.level is Level.ERROR:
        return diagnostic
    code = diagnostic.rule.code
    if code in policy.ignored(diagnostic.span.path):
        return None
    level = policy.levels.get(code, diagnostic.level)
    if level is Level.WARNING and policy.warnings_as_errors:
        level = Level.ERROR
    return None if level is None else diagnostic.at_level(level)
