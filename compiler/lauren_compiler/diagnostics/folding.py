"""One fault, told once: what follows from it elsewhere is shown with it, not beside it.

A file that is no Python is one error, however many tools use what stands in it; a package that is not installed is one
warning, however often it is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from .model import Diagnostic, Label

_MOST_SHOWN = 4
"""So many places are shown; of more the number is told."""


def folded(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics, with one for all that have the same cause: the one that tells of a file which is the cause, if
    there is one, else the first."""
    told = list(diagnostics)
    causes = {each.cause for each in told if each.cause}
    if not causes:
        yield from told
        return
    heads: dict[str, int] = {}
    for index, each in enumerate(told):
        cause = each.span.path if each.rule.code.startswith("LC1") and each.span.path in causes else each.cause
        if cause:
            heads.setdefault(cause, index)
    for index, each in enumerate(told):
        headed = [cause for cause, head in heads.items() if head == index]
        if headed:
            others = [other for at, other in enumerate(told) if other.cause in headed and at != index]
            yield _with(each, others)
        elif not each.cause:
            yield each


def _with(head: Diagnostic, others: list[Diagnostic]) -> Diagnostic:
    shown = tuple(Label(other.span, other.follows) for other in others[:_MOST_SHOWN])
    more = len(others) - len(shown)
    notes = (f"the same holds at {more} more place{'s' if more > 1 else ''}",) if more else ()
    return replace(head, labels=(*head.labels, *shown), notes=(*head.notes, *notes))
