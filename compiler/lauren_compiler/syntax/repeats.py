"""The loops that a call stands in: `for` statements and comprehensions, as far as they bind names that it uses."""

from __future__ import annotations

import ast

from msgspec import Struct

from .calls import CallSite
from .declarations import Dynamic, Lazy, Loop, Scope


class Repeat(Struct, frozen=True, eq=False):
    """One loop. `tests` are those of a comprehension; of a generator expression, `taken_by` is the name of the function
    whose only argument it is, "" if it is none; None of all other loops."""

    loop: Loop
    tests: tuple[Lazy, ...] = ()
    taken_by: str | None = None


def repeats(site: CallSite, scope: Scope) -> list[Repeat] | None:
    """The loops around a call that bind a name which it, or a loop further in, uses; the outer ones first.

    None if it is not called in each pass for certain: in a lambda, or for what is not there at once.
    """
    found = [Repeat(loop) for loop in _statements(site, scope)]
    for each in site.within:
        node = each.node
        if not isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return None
        taken_by = each.taken_by if isinstance(node, ast.GeneratorExp) else None
        for part in node.generators:
            if part.is_async:
                return None
            found.append(Repeat(Loop(Lazy(part.target), Lazy(part.iter)), tuple(map(Lazy, part.ifs)), taken_by))
    used = _names(site.node)
    needed: list[Repeat] = []
    for repeat in reversed(found):
        if repeat.tests or repeat.taken_by is not None or not used.isdisjoint(_names(repeat.loop.target.node)):
            needed.insert(0, repeat)
            used |= _names(repeat.loop.over.node).union(*(_names(test.node) for test in repeat.tests))
    return needed


def _statements(site: CallSite, scope: Scope) -> list[Loop]:
    """The `for` statements of a scope that a call stands in, the outer ones first.

    One whose variable is bound by something else too is left out: what that stands for is not known.
    """
    at = (site.node.lineno, site.node.col_offset)
    found: dict[int, tuple[tuple[int, int], Loop]] = {}
    for bindings in scope.bindings.values():
        for each in bindings:
            if isinstance(each, Dynamic) and each.loop is not None and each.pos[:2] <= at < each.since:
                others = [other for other in bindings if each.pos[:2] < other.pos[:2] < each.since]
                if not others:
                    found[id(each.loop)] = (each.pos[:2], each.loop)
                else:
                    found.pop(id(each.loop), None)
    return [loop for _, loop in sorted(found.values(), key=lambda entry: entry[0])]


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
