"""The order in which Python looks through a class and its bases: C3, "The Python 2.3 Method Resolution Order"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

from ...syntax.declarations import ClassDecl
from ..resolver import Resolver
from ..symbols import ClassSymbol

_T = TypeVar("_T", bound=Hashable)


def direct_bases(decl: ClassDecl, resolver: Resolver) -> list[ClassDecl]:
    """The bases of a class that have source, in order."""
    symbols = (resolver.base_symbol(base.expr, decl) for base in decl.bases)
    return [symbol.decl for symbol in symbols if isinstance(symbol, ClassSymbol)]


def linearized(
    decl: ClassDecl, resolver: Resolver, done: dict[ClassDecl, tuple[ClassDecl, ...]] | None = None
) -> tuple[ClassDecl, ...] | None:
    """The class and its bases with source; None where Python could not order them. The class must not be its own base.

    Inheritance may be deep, so this costs no stack. `done` holds what is known of other classes, and gets what is
    found.
    """
    done = {} if done is None else done
    if decl in done:
        return done[decl]
    bases = {decl: direct_bases(decl, resolver)}
    pending = [decl]
    while pending:
        current = pending[-1]
        missing = [base for base in bases[current] if base not in done]
        if missing:
            bases.update((base, direct_bases(base, resolver)) for base in missing)
            pending.extend(missing)
            continue
        pending.pop()
        rest = merged([*(done[base] for base in bases[current]), tuple(bases[current])])
        if rest is None:
            return None
        done[current] = (current, *rest)
    return done[decl]


def merged(lists: list[tuple[_T, ...]]) -> Sequence[_T] | None:
    """The lists as one that keeps the order of each; None if there is none. Takes as long as the lists are together."""
    if len(lists) <= 2:  # no base; or those of a single base, and that base
        return lists[0]
    behind = Counter(later for each in lists for later in each[1:])
    places = [0] * len(lists)
    result: list[_T] = []
    while heads := [each[place] for each, place in zip(lists, places, strict=True) if place < len(each)]:
        head = next((each for each in heads if not behind[each]), None)
        if head is None:
            return None
        result.append(head)
        for number, each in enumerate(lists):
            if places[number] < len(each) and each[places[number]] == head:
                places[number] += 1
                behind.subtract(each[places[number] : places[number] + 1])
    return result
