"""Writes a tool's own function: the quick path over its arguments, then the way to the complete one."""

from __future__ import annotations

from ...ir.tools import Parameter, ParameterKind, Tool
from ..layout import Expression, Group, Labelled, call, statement
from ..names import Namespace
from .bounds import needs_scan
from .quick import breakable, fetch, has_form, locals_of, store
from .scope import ModuleScope
from .values import passed

_LOCALS = ("args", "passed")


def quick_body(scope: ModuleScope, tool: Tool, check: str) -> tuple[str, ...]:
    """The body of the function that the table calls, which falls through to `check`, the tool's complete decoder."""
    fall = statement("return ", call(scope.use("complete"), check, "arguments", "repair"))
    needed = [each for each in tool.parameters if each.required or each.kind is ParameterKind.POSITIONAL_ONLY]
    if not all(has_form(scope, each.type) for each in needed):
        return tuple(fall)
    doubts = scope.use("DOUBTS")
    return (
        "    try:",
        *_guards(scope, tool),
        *_members(scope, tool),
        f"    except {doubts}:",
        "        pass  # Not right as it stands: repair it, or tell all that is wrong.",
        *fall,
    )


def _guards(scope: ModuleScope, tool: Tool) -> list[str]:
    test = f"{scope.use('typeof')}(arguments) is not dict"
    if needs_scan(scope.shapes, [each.type for each in tool.parameters]):
        test += f" or not {scope.use('is_json')}(arguments)"
    return [f"        if {test}:", f"            raise {scope.use('Doubt')}"]


def _members(scope: ModuleScope, tool: Tool) -> list[str]:
    local = locals_of(scope, _LOCALS)
    positional = [each for each in tool.parameters if each.kind is ParameterKind.POSITIONAL_ONLY]
    named = [each for each in tool.parameters if each.kind is not ParameterKind.POSITIONAL_ONLY]
    lines, args = _positional(scope, positional, local)
    items: list[Labelled] = []
    for each in named:
        if each.required:
            checks, found = _fetched(scope, each, local)
            lines += checks
            items.append(Labelled(f"{scope.key(each.name)}: ", found))
    lines += statement("passed: dict[str, object] = ", Group("", tuple(items), "{}"), indent=2)
    for each in named:
        if not each.required:
            lines.append(f"        if {scope.key(each.wire)} in arguments:")
            lines += _stored(scope, each, local, f"passed[{scope.key(each.name)}] = ")
    count = "len(passed)" + (f" + len({args})" if positional else "")
    lines += [f"        if len(arguments) != {count}:", f"            raise {scope.use('Doubt')}"]
    lines += _defaults(scope, named)
    return [*lines, f"        return {args}, passed, ()"]


def _fetched(scope: ModuleScope, each: Parameter, local: Namespace) -> tuple[list[str], Expression]:
    checks, found = fetch(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, 2)
    return checks, breakable(found)


def _stored(scope: ModuleScope, each: Parameter, local: Namespace, target: str) -> list[str]:
    return store(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, target, 3)


def _positional(scope: ModuleScope, parameters: list[Parameter], local: Namespace) -> tuple[list[str], str]:
    """Lines that collect the positional-only arguments, and the expression for them.

    An absent one before one that is given is left to the complete path, which may know its default.
    """
    if not parameters:
        return [], "()"
    needed = max((index for index, each in enumerate(parameters, 1) if _needed(each)), default=0)
    lines: list[str] = []
    found: list[Expression] = []
    for each in parameters[:needed]:
        checks, it = _fetched(scope, each, local)
        lines += checks
        found.append(it)
    lines += statement("args: tuple[object, ...] = ", Group("", tuple(found)), indent=2)
    for index, each in enumerate(parameters[needed:], needed):
        lines.append(f"        if {scope.key(each.wire)} in arguments:")
        if index > needed:
            before = scope.key(parameters[index - 1].wire)
            lines += [f"            if {before} not in arguments:", f"                raise {scope.use('Doubt')}"]
        lines += _appended(scope, each, local)
    return lines, "args"


def _needed(each: Parameter) -> bool:
    """Whether the quick path has to be given it: a default that the decoder passes is for the complete path."""
    return each.required or each.passed is not None


def _appended(scope: ModuleScope, each: Parameter, local: Namespace) -> list[str]:
    checks, found = fetch(scope, each.type, f"arguments[{scope.key(each.wire)}]", local, each.name, 3)
    return [*checks, *statement("args += ", Group("", (breakable(found),)), indent=3)]


def _defaults(scope: ModuleScope, named: list[Parameter]) -> list[str]:
    """Lines that pass the defaults which the function itself would not see."""
    lines: list[str] = []
    for each in named:
        if each.passed is not None and not each.required:
            lines.append(f"        if {scope.key(each.wire)} not in arguments:")
            target = f"passed[{scope.key(each.name)}] = "
            lines += statement(target, passed(scope, each.passed), indent=3)
    return lines
