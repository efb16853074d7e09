"""Tool sets by hand, for tests of back ends: only what a test is about has to be said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lauren_compiler.ir.agents import Agent, AgentTool
from lauren_compiler.ir.tools import (
    Binding,
    Form,
    Options,
    Parameter,
    ParameterKind,
    SourceLocation,
    Tool,
    ToolSet,
)
from lauren_compiler.ir.types import (
    Default,
    Definition,
    EnumDefinition,
    Field,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Scalar,
    ScalarKind,
    Type,
)
from lauren_compiler.ir.values import Constant, Value
from lauren_compiler.source.span import Span

SPAN = Span.of_file("shop.py")
STRING = Scalar(ScalarKind.STRING)
INTEGER = Scalar(ScalarKind.INTEGER)
NUMBER = Scalar(ScalarKind.NUMBER)
BOOLEAN = Scalar(ScalarKind.BOOLEAN)
NULL = Scalar(ScalarKind.NULL)
REQUIRED = object()


def parameter(name: str, type_: Type, default: object = REQUIRED, **changes: Any) -> Parameter:
    """A parameter; `default` is JSON text, or None for a default without JSON form."""
    settings: dict[str, Any] = {
        "name": name,
        "wire": name,
        "kind": ParameterKind.POSITIONAL_OR_KEYWORD,
        "type": type_,
        **_default(default),
        "passed": None,
        "description": None,
        "title": None,
        "span": SPAN,
    }
    return Parameter(**{**settings, **changes})


def field(name: str, type_: Type, default: object = REQUIRED, **changes: Any) -> Field:
    """A field; `default` is JSON text, or None for one that need not be there."""
    settings: dict[str, Any] = {
        "name": name,
        "wire": name,
        "type": type_,
        **_default(default),
        "description": None,
        "title": None,
        "span": SPAN,
    }
    return Field(**{**settings, **changes})


def tool(name: str = "f", *parameters: Parameter, **changes: Any) -> Tool:
    """A plain function tool of module `shop`."""
    settings: dict[str, Any] = {
        "name": name,
        "description": "Does it.",
        "module": "shop",
        "qualname": name,
        "binding": Binding.IMPORT,
        "form": Form.FUNCTION,
        "is_async": False,
        "is_generator": False,
        "parameters": parameters,
        "extra": None,
        "context": None,
        "hidden": (),
        "output": None,
        "options": Options(),
        "signature": None,
        "source": SourceLocation("shop.py", 1),
        "span": SPAN,
    }
    return Tool(**{**settings, **changes})


def toolset(*tools: Tool, definitions: Iterable[Definition] = ()) -> ToolSet:
    """A tool set, in its order; each definition stands under its module and qualname."""
    keyed = {f"{definition.module}:{definition.qualname}": definition for definition in definitions}
    return ToolSet(tuple(sorted(tools, key=lambda each: each.order)), tuple(sorted(keyed.items())))


def agent(name: str, *tools: Tool, **changes: Any) -> Agent:
    """An agent of module `shop` with these tools."""
    own = [AgentTool(each.name, each.module, each.qualname, SPAN) for each in tools]
    settings: dict[str, Any] = {
        "name": name,
        "module": "shop",
        "qualname": name.title(),
        "model": None,
        "system": None,
        "tools": tuple(sorted(own, key=lambda each: each.order)),
        "source": SourceLocation("shop.py", 1),
        "span": SPAN,
    }
    return Agent(**{**settings, **changes})


def dataclass(qualname: str, *fields: Field, **changes: Any) -> ObjectDefinition:
    """A dataclass of module `shop`, or with `kind=` another object."""
    settings: dict[str, Any] = {
        "kind": ObjectKind.DATACLASS,
        "module": "shop",
        "qualname": qualname,
        "fields": fields,
        "description": None,
        "closed": False,
        "span": SPAN,
    }
    return ObjectDefinition(**{**settings, **changes})


def enumeration(qualname: str, values: Iterable[Value], **changes: Any) -> EnumDefinition:
    """An enum of module `shop` with members A, B, …"""
    members = tuple((chr(ord("A") + index), value) for index, value in enumerate(values))
    settings: dict[str, Any] = {
        "module": "shop",
        "qualname": qualname,
        "members": members,
        "description": None,
        "flag": False,
        "span": SPAN,
    }
    return EnumDefinition(**{**settings, **changes})


def constants(*values: bool | int | float | str | bytes | None) -> tuple[Constant, ...]:
    return tuple(Constant(value) for value in values)


def to(qualname: str) -> Reference:
    """A reference to a definition of module `shop`."""
    return Reference(f"shop:{qualname}")


def _default(default: object) -> dict[str, object]:
    if default is REQUIRED:
        return {"required": True, "default": None}
    assert default is None or isinstance(default, str)
    return {"required": False, "default": Default(default)}
