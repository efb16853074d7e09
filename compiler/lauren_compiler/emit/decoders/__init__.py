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
from ..digest import module_digest
from ..render import Frames, fill
from .module import Plan, module_view, planned
from .unordered import unordered

__all__ = ["Plan", "frame_of", "planned", "render", "unordered"]

_BLANK = b'\nDIGEST = ""\n'


def render(
    toolset: ToolSet, entries: Iterable[Mapping[str, Any]], plan: Plan | None = None, frames: Frames | None = None
) -> Iterator[Artifact]:
    """The modules in `_tools/` for a verified tool set; `entries` are its tools' manifest entries, in their order.

    `plan` says where they are, in a build of more than the tool set; `frames` have what need not be rendered.
    """
    plan, frames = plan or planned(toolset), frames or Frames()
    modules: dict[str, list[tuple[Tool, Mapping[str, Any]]]] = {}
    for tool, entry in zip(toolset.tools, entries, strict=True):
        modules.setdefault(tool.module, []).append((tool, entry))
    yield Artifact("_tools/__init__.py", frames.of_all("tools_init.py.j2", None))
    for module in sorted(modules):
        path = f"_tools/{plan.files[module]}.py"
        frame = frames.of_file(path, "module.py.j2", module_view(toolset, plan, module, modules[module]))
        digest = module_digest(entry for _, entry in modules[module])
        yield Artifact(path, fill(frame, _BLANK, _line(digest)))


def frame_of(text: bytes, digest: str) -> bytes:
    """The frame of which a module that carries this digest was made. Raises ValueError for one that does not."""
    return fill(text, _line(digest), _BLANK)


def _line(digest: str) -> bytes:
    return f'\nDIGEST = "{digest}"\n'.encode()
