"""What holds for every tool set; what does not is a bug of a front end, never a user's mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ..source.span import Span
from .codec import encode
from .tools import Binding, Parameter, ParameterKind, Tool, ToolSet
from .types import (
    Bounded,
    Built,
    Definition,
    DictOf,
    EnumDefinition,
    Field,
    Formatted,
    ListOf,
    LiteralOf,
    ObjectDefinition,
    Reference,
    Scalar,
    SetOf,
    Type,
    Union,
    VariadicTupleOf,
)
from .values import Constant, EnumMember
from .walk import input_types, types_of, walk

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_RANKS = {kind: rank for rank, kind in enumerate(ParameterKind)}
_BOUNDABLE = (Scalar, Formatted, ListOf, SetOf, VariadicTupleOf, DictOf, Built)


class InvariantError(Exception):
    """A tool set is not what back ends rely on; the message holds the part that is wrong, `span` its source."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


def verify(toolset: ToolSet) -> ToolSet:
    """`toolset` itself. Raises `InvariantError` with everything that is wrong with it, at the first of it."""
    sound: set[Type] = set()
    faults = [*_order(toolset), *_tools(toolset, sound), *_agents(toolset), *_definitions(toolset, sound)]
    if faults:
        raise InvariantError("\n\n".join(text for text, _ in faults), faults[0][1])
    return toolset


def _order(toolset: ToolSet) -> Iterator[tuple[str, Span]]:
    for earlier, later in pairwise(toolset.tools):
        if earlier.order >= later.order:
            yield f"tools out of order: {earlier.order} before {later.order}", later.span
    for (earlier_key, _), (later_key, definition) in pairwise(toolset.definitions):
        if earlier_key >= later_key:
            yield f"definitions out of order: {earlier_key} before {later_key}", definition.span


def _tools(toolset: ToolSet, sound: set[Type]) -> Iterator[tuple[str, Span]]:
    for tool in toolset.tools:
        output = () if tool.output is None else (tool.output,)
        faults = [*_tool(tool), *_types((*input_types(tool), *output), toolset, sound)]
        if faults:
            from .pprint import tool_text

            yield "\n".join((*faults, tool_text(tool))), tool.span


def _agents(toolset: ToolSet) -> Iterator[tuple[str, Span]]:
    for earlier, later in pairwise(toolset.agents):
        if earlier.order >= later.order:
            yield f"agents out of order: {earlier.order} before {later.order}", later.span
    known = {tool.order for tool in toolset.tools}
    for agent in toolset.agents:
        orders = [tool.order for tool in agent.tools]
        faults = [f"it has no tool {order}" for order in orders if order not in known]
        if orders != sorted(orders):
            faults.append("tools of an agent out of order")
        faults += _distinct("tool name of an agent", [tool.name.casefold() for tool in agent.tools])
        if not _TOOL_NAME.fullmatch(agent.name):
            faults.append(f"agent name {agent.name!r}")
        if faults:
            from .pprint import agent_text

            yield "\n".join((*faults, agent_text(agent))), agent.span


def _definitions(toolset: ToolSet, sound: set[Type]) -> Iterator[tuple[str, Span]]:
    for key, definition in toolset.definitions:
        faults = [*_definition(definition), *_types(types_of(definition), toolset, sound)]
        if faults:
            from .pprint import definition_text

            yield "\n".join((*faults, f"{key} = {definition_text(definition)}")), definition.span


def _tool(tool: Tool) -> Iterator[str]:
    if tool.binding is Binding.IMPORT and not _TOOL_NAME.fullmatch(tool.name):
        yield f"tool name {tool.name!r}"
    if tool.options.metadata is not None:
        yield from _json("metadata", tool.options.metadata)
    names = [*(parameter.name for parameter in tool.parameters), *tool.hidden]
    if tool.context is not None:
        names.append(tool.context.name)
    yield from _distinct("parameter", names)
    yield from _members(tool.parameters)
    ranks = [_RANKS[parameter.kind] for parameter in tool.parameters]
    if ranks != sorted(ranks):
        yield "parameters out of the order of their kinds"
    for parameter in tool.parameters:
        if parameter.required == (parameter.default is not None or parameter.passed is not None):
            yield f"{parameter.name} is required and has a default, or neither"


def _definition(definition: Definition) -> Iterator[str]:
    if isinstance(definition, ObjectDefinition):
        yield from _distinct("field", [field.name for field in definition.fields if field.init])
        yield from _members(definition.fields)
        yield from (f"{field.name} is required and has a default" for field in definition.fields if _torn(field))
        if definition.closed and definition.keeping:
            yield "an object that refuses unknown keys and keeps them"
    if isinstance(definition, EnumDefinition):
        if not definition.members:
            yield "an enum without members"
        yield from _distinct("member", [name for name, _ in definition.members])


def _torn(field: Field) -> bool:
    return field.required and field.default is not None


def _members(members: Sequence[Parameter | Field]) -> Iterator[str]:
    yield from _distinct("key", [member.wire for member in members])
    for member in members:
        if member.default is not None and member.default.json is not None:
            yield from _json(f"default of {member.name}", member.default.json)


def _types(types: Iterable[Type], toolset: ToolSet, sound: set[Type]) -> Iterator[str]:
    """What is wrong with `types`. Those in `sound` were looked at before: most tools take the same few types."""
    for type_ in types:
        if type_ in sound:
            continue
        faults = [fault for part in walk(type_) for fault in _type(part, toolset)]
        if not faults:
            sound.add(type_)
        yield from faults


def _type(type_: Type, toolset: ToolSet) -> Iterator[str]:
    match type_:
        case Reference(key):
            if key not in toolset.by_key:
                yield f"nothing is defined as {key!r}"
        case Union(members):
            if len(members) < 2 or any(isinstance(member, Union) and not member.discriminator for member in members):
                yield _said("a union that is not flat", type_)
            yield from _distinct("union member", [json.dumps(encode(member)) for member in members])
        case Bounded(inner, bounds):
            if not bounds.given or not isinstance(inner, _BOUNDABLE):
                yield _said("bounds that are none, or of what has none", type_)
        case LiteralOf(values):
            if not values:
                yield "an empty Literal"
            yield from _distinct("literal", [repr(value) for value in values])
            if not all(isinstance(value, (Constant, EnumMember)) for value in values):
                yield _said("a Literal of something else than constants and members", type_)
        case _:
            return


def _said(fault: str, type_: Type) -> str:
    from .pprint import type_text

    return f"{fault}: {type_text(type_)}"


def _distinct(what: str, names: list[str]) -> tuple[str, ...]:
    return (f"a {what} twice: {names}",) if len(set(names)) < len(names) else ()


def _json(what: str, text: str) -> Iterator[str]:
    if text in _JSON_WORDS:
        return
    try:
        _strict(text)
    except ValueError as error:
        yield f"{what} is no JSON: {text!r} ({error})"


def _refuse(constant: str) -> None:
    raise ValueError(constant)


_strict = json.JSONDecoder(parse_constant=_refuse).decode
_JSON_WORDS = frozenset({"null", "true", "false", '""', "[]", "{}"})
"""The JSON of most defaults."""
