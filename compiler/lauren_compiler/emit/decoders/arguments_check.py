"""Writes the complete decoder of a tool's arguments."""

from __future__ import annotations

import json

from ...ir.tools import Parameter, ParameterKind, Tool
from ...schema.json_schema import refused_names
from ..layout import Expression, call, statement
from ..names import snake
from ..pyliteral import literal
from .check import checker, defaulted, entering, taken
from .scope import ModuleScope
from .values import passed


def check_body(scope: ModuleScope, tool: Tool) -> tuple[str, ...]:
    """The body of the function that `complete` calls: it returns positional and keyword arguments."""
    positional = [each for each in tool.parameters if each.kind is ParameterKind.POSITIONAL_ONLY]
    named = [each for each in tool.parameters if each.kind is not ParameterKind.POSITIONAL_ONLY]
    lines = [
        f'    given = {scope.use("members")}(arguments, at, "an object with the arguments")',
        "    if given is None:",
        "        return (), {}",
        *(["    args: list[object] = []"] if positional else []),
    ]
    for index, each in enumerate(positional):
        lines += _positional(scope, each, last=index == len(positional) - 1)
    lines += taken(scope, named, "passed")
    rest = _rest(scope, tool)
    if tool.extra is None and not positional:
        rest = ["    if len(passed) < len(given):", *(f"    {line}" for line in rest)]
    defaults = defaulted(scope, named, "passed", "passed")
    # Arguments for `**kwargs` come last.
    lines += [*defaults, *rest] if tool.extra is not None else [*rest, *defaults]
    args = f"{scope.use('positional')}(args, at)" if positional else "()"
    return (*lines, f"    return {args}, passed")


def _positional(scope: ModuleScope, each: Parameter, last: bool) -> list[str]:
    decoded = call("at.leave", f"{checker(scope, each.type)}(at.value, at)")
    lines = [
        *entering(scope, each.wire, each.type, each.required),
        *statement("", call("args.append", decoded), indent=2),
    ]
    if each.required:
        return lines
    if each.passed is not None:
        return [*lines, "    else:", *statement("", call("args.append", passed(scope, each.passed)), indent=2)]
    default: tuple[Expression, ...] = ()
    if not last and each.default is not None and each.default.json is not None:
        default = (f"{checker(scope, each.type)}({literal(json.loads(each.default.json))}, at)",)
    gap = call(scope.use("Gap"), scope.key(each.wire), *default)
    return [*lines, "    else:", *statement("", call("args.append", gap), indent=2)]


def _rest(scope: ModuleScope, tool: Tool) -> list[str]:
    """Lines for what no parameter is called: refused, or decoded for `**kwargs`."""
    base = snake(tool.name)[:30]
    known = scope.listing(f"{base}_parameters", tuple(each.wire for each in tool.parameters))
    if tool.extra is None:
        return [f'    {scope.use("only")}(given, at, {known}, "parameter")']
    closed = refused_names(tool)
    refused = scope.listing(f"{base}_refused", closed) if closed else "()"
    return [
        *statement("for name, item in ", call(scope.use("others"), "given", "at", known, refused), ":"),
        f"        passed[name] = {checker(scope, tool.extra)}(item, at)",
    ]
