"""The view model of one generated module, and the names by which the table finds its functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...ir.tools import Tool, ToolSet
from ..layout import Group, statement
from ..names import Namespace, module_files, snake
from ..pyliteral import comment, plain
from .arguments_check import check_body
from .arguments_quick import quick_body
from .scope import CHECK_API, QUICK_API, RESERVED, Function, ModuleScope
from .shapes import Shapes

_LONGEST_COMMENT = 70


class Plan(Struct, frozen=True):
    """Where decoders are: `files` by source module, `functions` by tool (`Tool.order`), without `_tools/` and `.py`."""

    files: Mapping[str, str]
    functions: Mapping[tuple[str, str, str], str]


class ToolView(Struct, frozen=True):
    """One tool's section: its title and source, its quick function, if it has one, and its complete decoder."""

    title: str
    source: str
    functions: tuple[Function, ...]


class ModuleView(Struct, frozen=True):
    """A whole module but for the digest of its tools; all text is ready to be written."""

    module: str
    imports: tuple[str, ...]
    typing: tuple[str, ...]
    constants: tuple[tuple[str, ...], ...]
    tools: tuple[ToolView, ...]
    functions: tuple[Function, ...]


def planned(toolset: ToolSet, others: Iterable[str] = ()) -> Plan:
    """Where each decoder of the tool set will be, in a build that has those of `others`, source modules, too."""
    functions: dict[tuple[str, str, str], str] = {}
    names: dict[str, Namespace] = {}
    for tool in toolset.tools:
        namespace = names.setdefault(tool.module, Namespace(RESERVED))
        functions[tool.order] = _function_name(namespace, tool)
    return Plan(module_files([*(tool.module for tool in toolset.tools), *others]), functions)


def complete(function: str) -> str:
    """The name of a tool's complete decoder: the runtime finds it by that of the quick function."""
    return f"check_{function}"


def _function_name(namespace: Namespace, tool: Tool) -> str:
    """A name with which that of the complete decoder is free too: another tool may be called so."""
    while complete(name := namespace.fresh(snake(tool.name), longest=64, fallback="tool")) in namespace:
        pass
    namespace.claim(complete(name))
    return name


def module_view(
    toolset: ToolSet, plan: Plan, module: str, tools: Sequence[tuple[Tool, Mapping[str, Any]]]
) -> ModuleView:
    """The view of the module for source module `module`; `tools` are its tools with their manifest entries."""
    scope = ModuleScope(Shapes(toolset))
    for tool, _ in tools:
        scope.names.claim(plan.functions[tool.order])
        scope.names.claim(complete(plan.functions[tool.order]))
    sections = tuple(_tool_view(scope, tool, plan.functions[tool.order]) for tool, _ in tools)
    functions = tuple(scope.written())
    return ModuleView(
        module=plain(module)[:_LONGEST_COMMENT],
        imports=tuple(_imports(scope)),
        typing=("from typing import Any", "", "from lauren_runtime.decoding.call import Passed"),
        constants=tuple(tuple(lines) for lines in scope.constants),
        tools=sections,
        functions=functions,
    )


def _tool_view(scope: ModuleScope, tool: Tool, name: str) -> ToolView:
    check = complete(name)
    title = plain(tool.name)
    scope.use("Place")
    quick = quick_body(scope, tool)
    functions = [
        Function(
            "\n".join(_signature(check, ("arguments: object", "at: Place"), "Passed")),
            f"Every argument of {title[:40]}, with all that is wrong.",
            check_body(scope, tool),
        )
    ]
    if quick:
        signature = "\n".join(_signature(name, ("arguments: Any", "call: Any"), "Any"))
        doc = f"Call {title[:40]}, if the arguments are right as they stand."
        functions.insert(0, Function(signature, doc, quick))
    return ToolView(
        title=title,
        source=f"{_short(comment(tool.qualname))} in {_short(comment(tool.source.path))}",
        functions=tuple(functions),
    )


def _short(text: str) -> str:
    return text[:_LONGEST_COMMENT].rstrip()


def _signature(name: str, parameters: tuple[str, ...], returns: str) -> list[str]:
    return statement(f"def {name}", Group("", parameters), f" -> {returns}:", indent=0)


def _imports(scope: ModuleScope) -> list[str]:
    lines: list[str] = []
    for module, names in (("lauren_runtime.decoding", CHECK_API), ("lauren_runtime.decoding.quick", QUICK_API)):
        used = [name for name in names if name in scope.used]
        if used:
            line = f"from {module} import {', '.join(used)}"
            if len(line) <= 88:
                lines.append(line)
            else:
                lines += [f"from {module} import (", *(f"    {name}," for name in used), ")"]
    return lines
