"""Writes the tests of bounds, for both layers: conditions that are true of a value which breaks a bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...ir.bounds import whole_end
from ...ir.types import Bounded, Built, DictOf, Formatted, Scalar, ScalarKind, SetOf
from ..layout import STEP, WIDTH
from .scope import ModuleScope

_LOWER = {"ge": "<=", "gt": "<"}
_UPPER = {"le": "<=", "lt": "<"}
_ALONE = {
    "ge": "{it} < {bound}",
    "gt": "{it} <= {bound}",
    "le": "{it} > {bound}",
    "lt": "{it} >= {bound}",
    "min_length": "len({it}) < {bound}",
    "max_length": "len({it}) > {bound}",
}
INTEGER = Scalar(ScalarKind.INTEGER)
NUMBER = Scalar(ScalarKind.NUMBER)
STRING = Scalar(ScalarKind.STRING)


def measured_as_sent(bounded: Bounded) -> bool:
    """Whether the decoded value may keep other bounds than the JSON value: an integer as a float loses digits, items
    and keys may be equal in Python that are not in JSON, and what stands for a text has another length or none."""
    return bounded.inner == NUMBER or isinstance(bounded.inner, (SetOf, DictOf, Built, Formatted))


def tests(scope: ModuleScope, bounded: Bounded, it: str) -> list[str]:
    """Conditions on `it`, a value of the type, each true if a bound is broken."""
    given = dict(bounded.bounds.given)
    lower = [name for name in _LOWER if name in given]
    upper = [name for name in _UPPER if name in given]
    if len(lower) == len(upper) == 1:
        least, most = scope.number(given[lower[0]]), scope.number(given[upper[0]])
        between = f"not {least} {_LOWER[lower[0]]} {it} {_UPPER[upper[0]]} {most}"
        return [between, *_each(scope, {name: given[name] for name in given if name not in (*lower, *upper)}, it)]
    return list(_each(scope, given, it))


def _each(scope: ModuleScope, given: Mapping[str, int | float | str], it: str) -> Iterator[str]:
    for name, bound in given.items():
        if name == "pattern":
            yield f"not {scope.pattern(whole_end(str(bound)))}.found_in({it})"
        elif name != "multiple_of":
            yield _ALONE[name].format(it=it, bound=scope.number(bound))
        elif isinstance(bound, float):
            yield f"not {scope.use('is_multiple')}({it}, {scope.number(bound)})"
        else:
            yield f"{it} % {scope.number(bound)}"


def guards(conditions: list[str], indent: int, action: list[str]) -> list[str]:
    """Lines that do `action` if one of the conditions is true: one `if` where that fits a line, else one for each."""
    joined = f"{STEP * indent}if {' or '.join(conditions)}:"
    heads = [joined] if len(joined) <= WIDTH else [f"{STEP * indent}if {each}:" for each in conditions]
    return [line for head in heads for line in (head, *action)]


def doubt_of(scope: ModuleScope, bounded: Bounded, it: str) -> str | None:
    """What makes a value doubtful, as one condition; None for types that need more than a condition.

    The names of the runtime's in it are not taken as used yet.
    """
    if bounded.inner == STRING:
        return " or ".join((f"typeof({it}) is not str", *tests(scope, bounded, it)))
    given = dict(bounded.bounds.given)
    lower = [f"{scope.number(given.pop(name))} {sign}" for name, sign in _LOWER.items() if name in given]
    upper = [f"{sign} {scope.number(given.pop(name))}" for name, sign in _UPPER.items() if name in given]
    if bounded.inner != INTEGER or len(lower) > 1 or len(upper) > 1:
        return None
    between = f"not {(lower or ['LEAST <='])[0]} {it} {(upper or ['<= MOST'])[0]}"
    return " or ".join((f"typeof({it}) is not int", between, *_each(scope, given, it)))
