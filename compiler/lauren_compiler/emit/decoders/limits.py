"""Writes the tests of bounds, for both layers: what is wrong with a decoded value, one test a bound."""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.bounds import whole_end
from ...ir.types import Bounded
from ..pyliteral import literal
from .scope import ModuleScope

_WRONG = {
    "ge": "{it} < {bound}",
    "gt": "{it} <= {bound}",
    "le": "{it} > {bound}",
    "lt": "{it} >= {bound}",
    "min_length": "len({it}) < {bound}",
    "max_length": "len({it}) > {bound}",
}


def tests(scope: ModuleScope, bounded: Bounded, it: str) -> Iterator[str]:
    """Conditions on `it`, each true if a bound is broken."""
    for name, bound in bounded.bounds.given:
        if name == "pattern" and isinstance(bound, str):
            yield f"not {scope.pattern(whole_end(bound))}.found_in({it})"
        elif name != "multiple_of":
            yield _WRONG[name].format(it=it, bound=literal(bound))
        elif isinstance(bound, float):
            yield f"not {scope.use('is_multiple')}({it}, {literal(bound)})"
        else:
            yield f"{it} % {literal(bound)}"
