"""The order in which Python looks through a class and its bases: C3, "The Python 2.3 Method Resolution Order"."""

from __future__ import annotations

from ...syntax.declarations import ClassDecl
from ..resolver import Resolver
from ..symbols import ClassSymbol


def direct_bases(decl: ClassDecl, resolver: Resolver) -> list[ClassDecl]:
    """The bases of a class that have source, in order."""
    symbols = (resolver.base_symbol(base.expr, decl) for base in decl.bases)
    return [symbol.decl for symbol in symbols if isinstance(symbol, ClassSymbol)]


def linearized(decl: ClassDecl, resolver: Resolver) -> tuple[ClassDecl, ...] | None:
    """The class and its bases with source; None where Python could not order them. The class must not be its own base.

    Inheritance may be deep, so this costs no stack.
    """
    bases = {decl: direct_bases(decl, resolver)}
    done: dict[ClassDecl, tuple[ClassDecl, ...]] = {}
    pending = [decl]
    while pending:
        current = pending[-1]
        missing = [base for base in bases[current] if base not in done]
        if missing:
            bases.update((base, direct_bases(base, resolver)) for base in missing)
            pending.extend(missing)
            continue
        pending.pop()
        merged = _merged([*(list(done[base]) for base in bases[current]), list(bases[current])])
        if merged is None:
            return None
        done[current] = (current, *merged)
    return done[decl]


def _merged(lists: list[list[ClassDecl]]) -> list[ClassDecl] | None:
    result: list[ClassDecl] = []
    while lists := [each for each in lists if each]:
        behind = {later for each in lists for later in each[1:]}
        head = next((each[0] for each in lists if each[0] not in behind), None)
        if head is None:
            return None
        result.append(head)
        lists = [each[1:] if each[0] is head else each for each in lists]
    return result
