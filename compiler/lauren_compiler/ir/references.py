"""Which definitions a tool needs: for its schemas, and for what its decoder has to build or pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .recipes import Typed, parts
from .tools import Tool
from .types import Adapted, Definition, EnumDefinition, LiteralOf, Reference, Scalar, Type
from .values import Construction, EnumMember, Factory, OwnDefault, Sequence, Value
from .values import Mapping as MappingValue
from .walk import input_types, types_of, walk


class Needs:
    """What tools need of some definitions, each of which is looked into once."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self._definitions = definitions
        self._inside: dict[str, tuple[str, ...]] = {}

    def of(self, tool: Tool) -> frozenset[str] | None:
        """The keys of all definitions a tool needs, at any depth; None if one of them does not exist."""
        found: set[str] = set()
        pending = list(_direct(tool))
        while pending:
            key = pending.pop()
            if key in found:
                continue
            if key not in self._definitions:
                return None
            found.add(key)
            pending += self._in_definition(key)
        return frozenset(found)

    def _in_definition(self, key: str) -> tuple[str, ...]:
        known = self._inside.get(key)
        if known is None:
            definition = self._definitions[key]
            arguments = () if isinstance(definition, EnumDefinition) else definition.arguments
            known = tuple(inner for kind in (*types_of(definition), *arguments) for inner in _in_type(kind))
            self._inside[key] = known
        return known


def _direct(tool: Tool) -> Iterator[str]:
    for kind in (*input_types(tool), *(() if tool.output is None else (tool.output,))):
        yield from _in_type(kind)
    for parameter in tool.parameters:
        if parameter.passed is not None and not isinstance(parameter.passed, (Factory, OwnDefault)):
            yield from _in_value(parameter.passed)


def _in_type(kind: Type) -> Iterator[str]:
    if isinstance(kind, Scalar):
        return
    for part in walk(kind):
        if isinstance(part, Reference):
            yield part.key
        elif isinstance(part, Adapted):
            for step in parts(part.annotation):
                yield from _in_type(step.type) if isinstance(step, Typed) else ()
        elif isinstance(part, LiteralOf):
            yield from (value.enum for value in part.values if isinstance(value, EnumMember))


def _in_value(value: Value) -> Iterator[str]:
    pending = [value]
    while pending:
        step = pending.pop()
        if isinstance(step, EnumMember):
            yield step.enum
        elif isinstance(step, Construction):
            yield step.key
            pending.extend(argument for _, argument in step.arguments)
        elif isinstance(step, Sequence):
            pending.extend(step.items)
        elif isinstance(step, MappingValue):
            pending.extend(part for pair in step.items for part in pair)
