"""Expressions for defaults that a decoder has to pass itself: those inside a `Field(...)`."""

from __future__ import annotations

from ...ir.types import EnumDefinition, FormatKind, Formatted, ObjectDefinition, ObjectKind, Reference
from ...ir.values import Constant, Construction, EnumMember, Factory, Mapping, OwnDefault, Sequence, Text, Value
from ..layout import Expression, Group, Labelled, call, flat
from ..pyliteral import literal
from .scope import ModuleScope

_BRACKETS = {"list": "[]", "tuple": "()"}


def passed(scope: ModuleScope, value: Value | Factory | OwnDefault) -> Expression:
    """The expression that makes the value anew at each call."""
    match value:
        case Factory(module, qualname):
            return call(f"{scope.loaded(module, qualname)}.cls")
        case OwnDefault(module, qualname, parameter, attributes):
            path = map(literal, (parameter, *attributes))
            made = call(scope.use("OwnDefault"), scope.loaded(module, qualname), *path)
            return call(f"{scope.parametrized(made, f'DEFAULT_{parameter}')}.cls")
        case Constant(constant):
            return literal(constant)
        case Text(kind, text):
            return call(f"{scope.format(Formatted(FormatKind(kind)))}.quick", literal(text))
        case EnumMember(key, name, _):
            return f"{_class(scope, key)}.cls[{literal(name)}]"
        case Sequence(kind, items):
            shown = tuple(passed(scope, item) for item in items)
            if kind in _BRACKETS:
                return Group("", shown, _BRACKETS[kind])
            return call(kind, *((Group("", shown, "[]"),) if shown else ()))
        case Mapping(items):
            members = tuple(Labelled(f"{flat(passed(scope, key))}: ", passed(scope, item)) for key, item in items)
            return Group("", members, "{}")
        case Construction(key, arguments) if _is_root(scope, key):
            return call(f"{_class(scope, key)}.cls", *(passed(scope, item) for _, item in arguments))
        case Construction(key, arguments) if (definition := scope.shapes.object_of(Reference(key))) and _is_model(
            definition
        ):
            wires = {field.name: field.wire for field in definition.fields}
            given = tuple(Labelled(f"{literal(wires[name])}: ", passed(scope, item)) for name, item in arguments)
            return call(f"{_class(scope, key)}.cls", Labelled("**", Group("", given, "{}")))
        case Construction(key, arguments):
            shown = tuple(Labelled(f"{name}=", passed(scope, item)) for name, item in arguments)
            return call(f"{_class(scope, key)}.cls", *shown)


def _is_root(scope: ModuleScope, key: str) -> bool:
    definition = scope.shapes.object_of(Reference(key))
    return definition is not None and definition.kind is ObjectKind.ROOT_MODEL


def _is_model(definition: ObjectDefinition) -> bool:
    """Whether the class takes its arguments under their wire names."""
    return definition.kind is ObjectKind.MODEL


def _class(scope: ModuleScope, key: str) -> str:
    definition = scope.shapes.toolset.by_key[key]
    if not isinstance(definition, (EnumDefinition, ObjectDefinition)):
        raise TypeError(f"{key} is no class")
    if isinstance(definition, ObjectDefinition) and definition.arguments and _is_model(definition):
        from .annotations import loaded_class  # which needs values, for the constants of a `Literal`

        return loaded_class(scope, definition)
    return scope.loaded(definition.module, definition.qualname)
