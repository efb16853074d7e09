"""Generated decoders, run without a build: a tool set in, its functions out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from lauren_compiler.emit import decoders
from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.types import Type
from lauren_runtime.decoding import Decoder as Decode

from . import every_type
from .tool_sets import parameter, tool, toolset

Decoder = Callable[[object, bool], tuple[tuple[object, ...], dict[str, object], tuple[Any, ...]]]


def texts(tools: ToolSet) -> Mapping[str, str]:
    """The generated modules by path."""
    entries = [{"name": each.name, "module": each.module, "digest": each.name} for each in tools.tools]
    return {artifact.path: artifact.content.decode() for artifact in decoders.render(tools, entries)}


def module(tools: ToolSet) -> dict[str, Any]:
    """The names of the one module that the tools' decoders are in; a tool's own is its `Decoder`."""
    (text,) = (text for path, text in texts(tools).items() if path != "_tools/__init__.py")
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "<generated>", "exec"), names)
    return names | {name: decode_of(names, name) for name in decoders.planned(tools).functions.values()}


def decode_of(names: Mapping[str, Any], function: str) -> Decoder:
    """The decoder of a tool in a generated module with these names."""
    return Decode(names.get(function), names[f"check_{function}"])


def decoder(type_: Type) -> Decoder:
    """The decoder of a tool `f` whose one parameter is `p`; named types are those of `every_type`."""
    found: Decoder = module(one_tool(type_))["f"]
    return found


def one_tool(type_: Type) -> ToolSet:
    """A tool `f` with a required parameter `p`."""
    return toolset(tool("f", parameter("p", type_)), definitions=every_type.DEFINITIONS)


@contextmanager
def importable(name: str, source: ModuleType | Mapping[str, Any]) -> Iterator[None]:
    """While it lasts, `name` is a module with these names."""
    made = ModuleType(name)
    vars(made).update(source if isinstance(source, Mapping) else vars(source))
    before = sys.modules.get(name)
    sys.modules[name] = made
    try:
        yield
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
