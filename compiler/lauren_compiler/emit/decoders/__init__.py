"""Decoders: from the tool set to one Python module per source module, in `_tools/`.

Each tool has two functions. That which the table names is quick: it calls the tool, if the arguments are right as they
stand. Where it doubts, the complete one, `check_` and the same name, repairs them or tells all that is wrong. Both are
written from the same types (quick.py, check.py) and call `lauren_runtime.decoding`; no schema is looked at when a call
is decoded, except one that the user states in place of a type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...ir.tools import Tool, ToolSet
from ..artifact import Artifact
from ..render import rendered
from .module import Plan, module_view, planned
from .unordered import unordered

__all__ = ["Plan", "planned", "render", "unordered"]


def render(toolset: ToolSet, entries: Iterable[Mapping[str, Any]], plan: Plan | None = None) -> Iterator[Artifact]:
    """The modules in `_tools/` for a verified tool set; `entries` are its tools' manifest entries, in their order.

    `plan` says where they are, in a build of more than the tool set.
    """
    plan = plan or planned(toolset)
    modules: dict[str, list[tuple[Tool, Mapping[str, Any]]]] = {}
    for tool, entry in zip(toolset.tools, entries, strict=True):
        modules.setdefault(tool.module, []).append((tool, entry))
    yield Artifact("_tools/__init__.py", rendered("tools_init.py.j2", None))
    for module in sorted(modules):
        view = module_view(toolset, plan, module, modules[module])
        yield Artifact(f"_tools/{plan.files[module]}.py", rendered("module.py.j2", view))
