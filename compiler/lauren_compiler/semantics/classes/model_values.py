"""What the fields of a constant model are, which its constructor may convert."""

from __future__ import annotations

from collections.abc import Mapping as MappingType

from ...ir.accepts import accepts
from ...ir.dump import NoJson, dump
from ...ir.types import (
    Bounded,
    Built,
    Definition,
    Described,
    Formatted,
    ListOf,
    ObjectDefinition,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ...ir.values import Constant, Mapping, Sequence, Text, Value
from ...ir.walk import walk

_INTEGER = Scalar(ScalarKind.INTEGER)
_NUMBER = Scalar(ScalarKind.NUMBER)


def built(
    definition: ObjectDefinition,
    arguments: MappingType[str, Value],
    changing: bool,
    definitions: MappingType[str, Definition],
) -> dict[str, Value] | str:
    """The fields that the arguments become, or why they can't be known. `changing`: the model has code of its own."""
    name = definition.qualname
    if changing:
        return f"code of `{name}` runs when it is built"
    fields: dict[str, Value] = {}
    for field in definition.fields:
        value = arguments.get(field.name)
        if value is None:
            continue
        dumped = dump(value, definitions)
        if isinstance(dumped, NoJson):
            return f"{dumped.why} cannot be written as JSON"
        if not accepts(field.type, dumped, definitions) or not _passes(value, field.type):
            return f"`{name}` may refuse `{field.name}`, or convert it"
        if isinstance(value, Mapping) and any(isinstance(part, Reference) for part in walk(field.type)):
            return f"`{field.name}` is made into an object"
        fields[field.name] = _converted(value, field.type)
    return fields


def _passes(value: Value, kind: Type) -> bool:
    """Whether a model leaves a value of the standard library as it is: it does if just that kind of value is taken.

    Others it may convert or refuse: `"2020-01-02"` for a `datetime`, a `date` for a `str`.
    """
    leaves = [part for part in walk(kind) if not isinstance(part, (Bounded, Described, Union))]
    if isinstance(value, Text):
        return all(
            part.kind.value == value.kind if isinstance(part, Formatted) else part == Scalar(ScalarKind.NULL)
            for part in leaves
        )
    special = any(isinstance(part, (Formatted, Built)) for part in leaves) or _holds_text(value)
    return value == Constant(None) or not special


def _holds_text(value: Value) -> bool:
    if isinstance(value, Sequence):
        return any(_holds_text(item) for item in value.items)
    if isinstance(value, Mapping):
        return any(_holds_text(part) for _, part in value.items)
    return isinstance(value, Text)


def _converted(value: Value, kind: Type) -> Value:
    """An integer that stands for a number is one."""
    while isinstance(kind, (Bounded, Described)):
        kind = kind.inner
    if isinstance(kind, Union) and _NUMBER in kind.members and _INTEGER not in kind.members:
        kind = _NUMBER
    if isinstance(value, Constant) and kind == _NUMBER and type(value.value) is int:
        return Constant(float(value.value))
    if isinstance(value, Sequence) and isinstance(kind, (ListOf, SetOf, VariadicTupleOf)):
        # No model has a tuple with more parts than this one: pydantic can't read it.
        return Sequence(value.kind, tuple(_converted(item, kind.item) for item in value.items))
    return value
