"""Findings as text: totals, crashes, slow modules, and why parameters do not resolve, the most frequent kind first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lauren_compiler.diagnostics.model import Diagnostic

from .reading import Findings

_QUOTED = re.compile(r"`[^`]*`")
_NUMBER = re.compile(r"\b\d[\d,]*\b")


def kind(found: Diagnostic) -> str:
    """The kind of a diagnostic: its rule and message without the names in it."""
    text = found.message + (f" | {found.label}" if found.label else "")
    return f"{found.rule.code} {_NUMBER.sub('N', _QUOTED.sub('`…`', text))}"


def lines(found: Findings, examples: int, wanted: str = "") -> Iterator[str]:
    """The report; `examples` of each kind whose text contains `wanted`."""
    share = 100 * found.resolved / max(found.parameters, 1)
    yield f"{found.modules} modules, {found.functions} functions, {found.tools} compiled"
    yield f"{found.parameters} annotated parameters, {found.resolved} resolved ({share:.1f} %)"
    yield f"{found.unannotated} parameters without annotation"
    unreadable = ", ".join(f"{code} {count}" for code, count in sorted(found.unreadable.items()))
    yield f"files not read: {unreadable or 'none'}"
    yield f"{len(found.crashes)} crashes"
    yield from found.crashes[:20]
    yield f"{len(found.silent)} parameters that did not resolve without a word"
    yield from found.silent[:examples]
    for seconds, module in sorted(found.slow, reverse=True):
        yield f"slow: {seconds:.1f} s in {module}"
    yield from _reasons(found, examples, wanted)


def _reasons(found: Findings, examples: int, wanted: str) -> Iterator[str]:
    groups: dict[str, list[Diagnostic]] = {}
    for each in found.reasons:
        groups.setdefault(kind(each), []).append(each)
    for name, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        if wanted not in name:
            continue
        yield f"{len(group):6} {name}"
        distinct = {each.message + each.label: each for each in group}
        step = max(len(distinct) // max(examples, 1), 1)
        for each in list(distinct.values())[::step][:examples]:
            label = f" | {each.label}" if each.label else ""
            yield f"         {each.span.path}:{each.span.start.line}:{each.span.start.column} {each.message}{label}"
