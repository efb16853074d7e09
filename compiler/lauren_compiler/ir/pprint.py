"""Types and tools as readable text, for messages and dumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from .agents import Agent
from .codec import encode
from .formats import BUILT, FORMATS
from .tools import Parameter, Tool, ToolSet
from .types import (
    Adapted,
    AliasDefinition,
    Anything,
    Bounded,
    Built,
    Definition,
    Described,
    DictOf,
    EnumDefinition,
    Field,
    FormatKind,
    Formatted,
    JsonText,
    ListOf,
    LiteralOf,
    ObjectDefinition,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    Stated,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from .values import Constant, Construction, EnumMember, Factory, Mapping, OwnDefault, Sequence, Text, Value
from .walk import fold

_SCALARS = {
    ScalarKind.STRING: "str",
    ScalarKind.INTEGER: "int",
    ScalarKind.NUMBER: "float",
    ScalarKind.BOOLEAN: "bool",
    ScalarKind.NULL: "None",
}
_BRACKETS = {"list": ("[", "]"), "tuple": ("(", ")"), "set": ("{", "}"), "frozenset": ("frozenset({", "})")}


def type_text(type_: Type) -> str:
    """A type as one would write it: `list[Point | None]`. Named types stand by their last name, texts are left out."""
    return fold(type_, _combine)


def type_identity(type_: Type) -> str:
    """A text that no other type has: as `type_text`, with named types by their keys, and with all that is said of one.

    >>> type_identity(ListOf(Reference("shop.models:Point")))
    'list[shop.models:Point]'
    """
    return fold(type_, _identify)


def _identify(type_: Type, parts: tuple[str, ...]) -> str:
    match type_:
        case Reference(key):
            return key
        case LiteralOf(values):
            return f"Literal[{', '.join(repr(encode(value)) for value in values)}]"
        case Described(_, description, title):
            return f"Annotated[{parts[0]}, {description!r}, {title!r}]"
        case _:
            return _combine(type_, parts)


def value_text(value: Value | Factory | OwnDefault) -> str:
    """A constant as one would write it: `Color.RED`, `[1, 'a']`, `Point(x=1)`; a factory as a call."""
    match value:
        case Constant():
            return repr(value.value)
        case EnumMember():
            return f"{_last(value.enum)}.{value.name}"
        case Sequence():
            return _sequence(value)
        case Mapping():
            return "{" + ", ".join(f"{value_text(key)}: {value_text(item)}" for key, item in value.items) + "}"
        case Construction():
            return f"{_last(value.key)}({', '.join(f'{name}={value_text(item)}' for name, item in value.arguments)})"
        case Text(kind, text):
            return f"{FORMATS[FormatKind(kind)].python.rpartition('.')[2]}({text!r})"
        case Factory():
            return f"{value.qualname}()"
        case OwnDefault():
            return f"the default of {value.parameter} in {value.qualname}"
        case _:
            assert_never(value)


def tool_text(tool: Tool) -> str:
    """A tool on several lines: who it is, then its parameters, context and result."""
    head = f"{tool.name}: {tool.form.value} {tool.module}:{tool.qualname} ({tool.binding.value})"
    flags = [flag for flag in ("is_async", "is_generator") if getattr(tool, flag)]
    return "\n".join((" ".join((head, *flags)), *(f"    {line}" for line in _tool_lines(tool))))


def agent_text(agent: Agent) -> str:
    """An agent on several lines: who it is, then its tools."""
    head = f"{agent.name}: agent {agent.module}:{agent.qualname}"
    return "\n".join((head, *(f"    {tool.name}: {tool.module}:{tool.qualname}" for tool in agent.tools)))


def toolset_text(toolset: ToolSet) -> str:
    """Every tool, agent and definition of a tool set."""
    tools = [tool_text(tool) for tool in toolset.tools] + [agent_text(agent) for agent in toolset.agents]
    definitions = [f"{key} = {definition_text(definition)}" for key, definition in toolset.definitions]
    return "\n\n".join((*tools, *definitions)) + "\n"


def definition_text(definition: Definition) -> str:
    """A definition on one line, or for an object on one line a field."""
    match definition:
        case AliasDefinition(type=type_):
            return f"alias of {type_text(type_)}"
        case EnumDefinition(members=members, flag=flag):
            names = ", ".join(f"{name} = {value_text(value)}" for name, value in members)
            return f"{'flag' if flag else 'enum'} of {names}"
        case ObjectDefinition(kind=kind, fields=fields, closed=closed, keeping=keeping):
            head = f"{'closed ' if closed else 'keeping ' if keeping else ''}{kind.value}"
            return "\n".join((head, *(f"    {_member(field)}" for field in fields)))
        case _:
            assert_never(definition)


def _combine(type_: Type, parts: tuple[str, ...]) -> str:
    match type_:
        case Anything():
            return "Any"
        case Scalar(kind):
            return _SCALARS[kind]
        case LiteralOf(values):
            return f"Literal[{', '.join(value_text(value) for value in values)}]"
        case Reference(key):
            return _last(key)
        case Union():
            return " | ".join(parts)
        case Described() | Adapted():
            return parts[0]
        case JsonText():
            return f"Json[{parts[0]}]"
        case Bounded(bounds=bounds):
            given = ", ".join(f"{name}={value!r}" for name, value in bounds.given)
            return f"Annotated[{parts[0]}, {given}]"
        case Formatted(kind):
            return FORMATS[kind].python.removeprefix("builtins.")
        case Built(kind=kind):
            return f"{BUILT[kind]}[{parts[0].partition('[')[2]}"
        case Stated(origin=origin) if origin is not None:
            return origin.qualname
        case Stated(schema=schema, inner=inner, converter=converter):
            shown = f"Annotated[{'Any' if inner is None else parts[0]}, {schema}]"
            return shown if converter is None else f"{converter.qualname}({shown})"
        case ListOf() | SetOf() | TupleOf() | VariadicTupleOf() | DictOf():
            return _generic(type_, parts)
        case _:
            assert_never(type_)


def _generic(type_: ListOf | SetOf | TupleOf | VariadicTupleOf | DictOf, parts: tuple[str, ...]) -> str:
    match type_:
        case ListOf():
            return f"list[{parts[0]}]"
        case SetOf(frozen=frozen):
            return f"{'frozenset' if frozen else 'set'}[{parts[0]}]"
        case VariadicTupleOf(prefix=()):
            return f"tuple[{parts[0]}, ...]"
        case VariadicTupleOf():
            return f"tuple[{', '.join(parts[:-1])}, *tuple[{parts[-1]}, ...]]"
        case TupleOf():
            return f"tuple[{', '.join(parts) or '()'}]"
        case DictOf():
            return f"dict[{parts[0]}, {parts[1]}]"
        case _:
            assert_never(type_)


def _sequence(value: Sequence) -> str:
    items = [value_text(item) for item in value.items]
    if not items and value.kind in ("set", "frozenset"):
        return f"{value.kind}()"
    left, right = _BRACKETS[value.kind]
    comma = "," if value.kind == "tuple" and len(items) == 1 else ""
    return f"{left}{', '.join(items)}{comma}{right}"


def _tool_lines(tool: Tool) -> Iterator[str]:
    for parameter in tool.parameters:
        yield f"{_member(parameter)}  # {parameter.kind.value}"
    if tool.extra is not None:
        yield f"**: {type_text(tool.extra)}"
    if tool.context is not None:
        yield f"context {tool.context.name}  # {tool.context.kind.value}"
    if tool.hidden:
        yield f"hidden {', '.join(tool.hidden)}"
    if tool.foreign is not None:
        yield f"made by {tool.foreign.decorator}"
    if tool.output is not None:
        yield f"-> {type_text(tool.output)}"


def _member(member: Parameter | Field) -> str:
    name = member.name if member.name == member.wire else f"{member.name} as {member.wire!r}"
    return f"{name}: {type_text(member.type)}{_default(member)}"


def _default(member: Parameter | Field) -> str:
    if member.required:
        return ""
    json = None if member.default is None else member.default.json
    return " = ..." if json is None else f" = {json}"


def _last(key: str) -> str:
    """`shop.models:Order.Line` as `Order.Line`."""
    return key.partition(":")[2] or key
