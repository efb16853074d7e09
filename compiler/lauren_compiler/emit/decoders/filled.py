"""Writes the quick decoder of a dataclass that is no more than its fields: an empty instance, and its fields set.

That is quicker than the constructor, which does the same. The runtime looks at the class itself once more before.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.types import Field, ObjectDefinition
from ..layout import STEP, Expression, statement
from .scope import ModuleScope

Fetch = Callable[[Field, str, int], tuple[list[str], Expression]]
"""Lines that check what stands at an expression, so many steps in, and the expression for what it decodes to."""


def filled(
    scope: ModuleScope, definition: ObjectDefinition, it: str, indent: int, fetch: Fetch, cls: str = ""
) -> list[str]:
    """Lines that make `made` of `it`, a dict, or doubt it; `cls` is a variable with the class, if there is one."""
    margin = STEP * indent
    doubt = f"{margin}{STEP}raise {scope.use('Doubt')}"
    cls = cls or f"{scope.filled(definition)}.plain"
    lines: list[str] = []
    values: list[tuple[str, Expression]] = []
    for each in (each for each in definition.fields if each.required):
        checks, found = fetch(each, f"{it}[{scope.key(each.wire)}]", indent)
        lines += checks
        values.append((each.name, found))
    count = len(values)
    for each in (each for each in definition.fields if not each.required):
        checks, found = fetch(each, f"{it}[{scope.key(each.wire)}]", indent + 1)
        name = found if checks and isinstance(found, str) else "given"
        taken = [] if name is found else statement(f"{name} = ", found, indent=indent + 1)
        lines += [f"{margin}if len({it}) == {count + 1}:", *checks, *taken]
        lines += [f"{margin}elif len({it}) == {count}:", f"{margin}{STEP}{name} = {cls}.{each.name}"]
        lines += [f"{margin}else:", doubt]
        values.append((each.name, name))
    if all(each.required for each in definition.fields):
        lines += [f"{margin}if len({it}) != {count}:", doubt]
    lines.append(f"{margin}made = {scope.use('blank')}({cls})")
    return [*lines, *(line for name, found in values for line in statement(f"made.{name} = ", found, indent=indent))]
