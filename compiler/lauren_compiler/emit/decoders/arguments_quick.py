"""Writes a tool's quick function: it calls the tool if the arguments are right as they stand, and doubts them else.

Arguments go by keyword, so that a function which a decorator put around the tool sees them as it always did. An absent
one is not passed. With one that may be absent there are two calls; with more, those that are there go into a dict.
"""

from __future__ import annotations

from ...ir.tools import Parameter, ParameterKind, Tool
from ..layout import STEP, Expression, Group, Labelled, statement
from ..names import Namespace
from .bounds import needs_scan
from .keywords import is_keyword
from .quick import breakable, fetch, has_form, locals_of, store
from .scope import ModuleScope
from .values import passed

_LOCALS = ("args", "arguments", "call", "passed")


def quick_body(scope: ModuleScope, tool: Tool) -> tuple[str, ...]:
    """The body of the function that is given the arguments and what to call with them; none if only the complete
    decoder can take them."""
    needed = [each for each in tool.parameters if each.required or each.kind is ParameterKind.POSITIONAL_ONLY]
    if not all(has_form(scope, each.type) for each in needed):
        return ()
    return (*_scan(scope, tool), *_members(scope, tool))


def _scan(scope: ModuleScope, tool: Tool) -> list[str]:
    if not needs_scan(scope.shapes, [each.type for each in tool.parameters]):
        return []
    return [f"    if not {scope.use('is_json')}(arguments):", *_doubt(scope, 2)]


def _doubt(scope: ModuleScope, indent: int) -> list[str]:
    return [f"{STEP * indent}raise {scope.use('Doubt')}"]


def _members(scope: ModuleScope, tool: Tool) -> list[str]:
    local = locals_of(scope, _LOCALS)
    lines, given, counted = _positional(scope, tool, local)
    named = [each for each in tool.parameters if each.kind is not ParameterKind.POSITIONAL_ONLY]
    required = [each for each in named if each.required]
    later = [each for each in named if not each.required]
    in_dict = [each for each in required if not is_keyword(each.name)]
    one = later[0] if len(later) == 1 and not in_dict and isinstance(counted, int) else None
    if one is not None and (one.passed is not None or not is_keyword(one.name) or not has_form(scope, one.type)):
        one = None
    for each in required:
        if each not in in_dict:
            checks, found = _fetched(scope, each, local)
            if one is not None and not checks:
                it = local.fresh(each.name, longest=16, fallback="field")
                checks, found = statement(f"{it} = ", found), it
            lines += checks
            given.append(Labelled(f"{each.name}=", found))
    if one is not None and isinstance(counted, int):
        return [*lines, *_with_or_without(scope, one, given, counted + len(required), local)]
    if isinstance(counted, int) and not later and not in_dict:
        return [*lines, *_exactly(scope, str(counted + len(required))), *_called(given)]
    return [*lines, *_collected(scope, in_dict, later, given, counted, local)]


def _exactly(scope: ModuleScope, count: str) -> list[str]:
    """Lines that doubt arguments which are more than those that were looked at."""
    test = "arguments" if count == "0" else f"len(arguments) != {count}"
    return [f"    if {test}:", *_doubt(scope, 2)]


def _called(given: list[Expression], indent: int = 1) -> list[str]:
    return statement("return ", Group("call", tuple(given)), indent=indent)


def _with_or_without(
    scope: ModuleScope, each: Parameter, given: list[Expression], count: int, local: Namespace
) -> list[str]:
    """One parameter that may be absent."""
    checks, found = fetch(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, 2)
    return [
        f"    if len(arguments) == {count + 1}:",
        *checks,
        *_called([*given, Labelled(f"{each.name}=", breakable(found))], 2),
        *_exactly(scope, str(count)),
        *_called(given),
    ]


def _collected(
    scope: ModuleScope,
    required: list[Parameter],
    later: list[Parameter],
    given: list[Expression],
    counted: int | str,
    local: Namespace,
) -> list[str]:
    """Those that are there, in a dict; `counted` tells how many are in `given` or in `args`."""
    items: list[Labelled] = []
    lines: list[str] = []
    for each in required:
        checks, found = _fetched(scope, each, local)
        lines += checks
        items.append(Labelled(f"{scope.key(each.name)}: ", found))
    lines += statement("passed: dict[str, object] = ", Group("", tuple(items), "{}"))
    for each in later:
        lines.append(f"    if {scope.key(each.wire)} in arguments:")
        target = f"passed[{scope.key(each.name)}] = "
        lines += store(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, target, 2)
    keywords = sum(isinstance(each, Labelled) for each in given)
    before = (
        [str(counted + keywords)] if isinstance(counted, int) else [*([str(keywords)] if keywords else []), counted]
    )
    lines += _exactly(scope, " + ".join(["len(passed)", *(each for each in before if each != "0")]))
    lines += _defaults(scope, later)
    return [*lines, *_called([*given, "**passed"])]


def _fetched(scope: ModuleScope, each: Parameter, local: Namespace) -> tuple[list[str], Expression]:
    checks, found = fetch(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, 1)
    return checks, breakable(found)


def _positional(scope: ModuleScope, tool: Tool, local: Namespace) -> tuple[list[str], list[Expression], int | str]:
    """Lines that collect the positional-only arguments, what to call with, and how many that are.

    An absent one before one that is given is left to the complete path, which may know its default.
    """
    parameters = [each for each in tool.parameters if each.kind is ParameterKind.POSITIONAL_ONLY]
    needed = max((index for index, each in enumerate(parameters, 1) if _needed(each)), default=0)
    lines: list[str] = []
    found: list[Expression] = []
    for each in parameters[:needed]:
        checks, it = _fetched(scope, each, local)
        lines += checks
        found.append(it)
    if needed == len(parameters):
        return lines, found, needed
    lines += statement("args: tuple[object, ...] = ", Group("", tuple(found)))
    for index, each in enumerate(parameters[needed:], needed):
        lines.append(f"    if {scope.key(each.wire)} in arguments:")
        if index > needed:
            before = scope.key(parameters[index - 1].wire)
            lines += [f"        if {before} not in arguments:", *_doubt(scope, 3)]
        lines += _appended(scope, each, local)
    return lines, ["*args"], "len(args)"


def _needed(each: Parameter) -> bool:
    """Whether the quick path has to be given it: a default that the decoder passes is for the complete path."""
    return each.required or each.passed is not None


def _appended(scope: ModuleScope, each: Parameter, local: Namespace) -> list[str]:
    checks, found = fetch(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, 2)
    return [*checks, *statement("args += ", Group("", (breakable(found),)), indent=2)]


def _defaults(scope: ModuleScope, named: list[Parameter]) -> list[str]:
    """Lines that pass the defaults which the function itself would not see."""
    lines: list[str] = []
    for each in named:
        if each.passed is not None:
            lines.append(f"    if {scope.key(each.wire)} not in arguments:")
            target = f"passed[{scope.key(each.name)}] = "
            lines += statement(target, passed(scope, each.passed), indent=2)
    return lines
