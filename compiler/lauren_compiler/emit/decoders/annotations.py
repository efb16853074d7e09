"""Types as a running program has them: what a generic model of pydantic's has in brackets.

    Page[list[Point]]   →   Parametrized(PAGE, Parametrized(LIST, POINT))

with `PAGE`, `LIST` and `POINT` loaded when the first argument is decoded.
"""

from __future__ import annotations

from typing import assert_never

from ...ir.formats import BUILT, FORMATS
from ...ir.recipes import Called, Display, Indexed, Loaded, Recipe, Typed, Written
from ...ir.types import (
    Adapted,
    AliasDefinition,
    Anything,
    Bounded,
    Built,
    BuiltKind,
    Described,
    DictOf,
    EnumDefinition,
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
from ...ir.values import Constant, EnumMember, Value
from ...ir.walk import children, fold
from ..layout import Expression, Group, Labelled, call, flat
from ..pyliteral import literal
from .scope import ModuleScope
from .values import passed

_SCALARS = {
    ScalarKind.STRING: "str",
    ScalarKind.INTEGER: "int",
    ScalarKind.NUMBER: "float",
    ScalarKind.BOOLEAN: "bool",
}


def loaded_class(scope: ModuleScope, definition: ObjectDefinition) -> str:
    """The name of what loads the class of a definition: of a generic model, with what it has in brackets."""
    if not definition.arguments:
        return scope.loaded(definition.module, definition.qualname)
    return scope.parametrized(_named(scope, definition), definition.qualname)


def annotation(scope: ModuleScope, type: Type) -> Expression:
    """The expression for what loads a type."""
    return fold(type, lambda current, parts: _combine(scope, current, parts))


def recipe(scope: ModuleScope, made: Recipe) -> Expression:
    """The expression for what loads the annotation that a recipe makes."""
    match made:
        case Loaded(module, qualname):
            return scope.loaded(module, qualname)
        case Typed(type):
            return annotation(scope, type)
        case Written(function, parameter, attributes):
            path = map(literal, (parameter, *attributes))
            return call(scope.use("Written"), scope.loaded(function.module, function.qualname), *path)
        case Called(function, arguments, named):
            given = (recipe(scope, item) for item in arguments)
            words = (Labelled(f"{name}=", recipe(scope, item)) for name, item in named)
            return call(scope.use("Made"), recipe(scope, function), *given, *words)
        case Indexed(base, items):
            return call(scope.use("Parametrized"), recipe(scope, base), *(recipe(scope, item) for item in items))
        case Display(kind, items):
            brackets = "[]" if kind == "list" else "()"
            return Group("", tuple(recipe(scope, item) for item in items), brackets)
        case _:
            return passed(scope, made)


def _combine(scope: ModuleScope, type: Type, parts: tuple[Expression, ...]) -> Expression:
    match type:
        case Stated(origin=origin) if origin is not None:
            return scope.loaded(origin.module, origin.qualname)
        case Stated(inner=inner) if inner is not None:
            return parts[0]
        case Anything() | Stated():
            return scope.loaded("typing", "Any")
        case Scalar(kind):
            return "None" if kind is ScalarKind.NULL else scope.loaded("builtins", _SCALARS[kind])
        case LiteralOf(values):
            return _brackets(scope, "typing", "Literal", *(_constant(scope, value) for value in values))
        case Reference(key):
            return _named(scope, scope.shapes.toolset.by_key[key])
        case Union():
            return _brackets(scope, "typing", "Union", *parts)
        case Described():
            return parts[0]
        case Adapted(annotation=made):
            return recipe(scope, made)
        case JsonText():
            return _brackets(scope, "pydantic", "Json", *parts)
        case Bounded(bounds=bounds):
            words = (Labelled(f"{name}=", scope.number(value)) for name, value in bounds.given)
            field = call(scope.use("Made"), scope.loaded("pydantic", "Field"), *words)
            return _brackets(scope, "typing", "Annotated", parts[0], field)
        case Formatted(kind):
            module, _, name = FORMATS[kind].python.rpartition(".")
            return scope.loaded(module, name)
        case Built(inner, kind):
            inside = tuple(annotation(scope, part) for part in children(inner))
            return _brackets(scope, "collections", BUILT[kind], *inside[: 1 if kind is BuiltKind.COUNTER else None])
        case ListOf() | SetOf() | TupleOf() | VariadicTupleOf() | DictOf():
            return _container(scope, type, parts)
        case _:
            assert_never(type)


def _container(
    scope: ModuleScope, type: ListOf | SetOf | TupleOf | VariadicTupleOf | DictOf, parts: tuple[Expression, ...]
) -> Expression:
    match type:
        case ListOf():
            return _brackets(scope, "builtins", "list", *parts)
        case SetOf(frozen=frozen):
            return _brackets(scope, "builtins", "frozenset" if frozen else "set", *parts)
        case TupleOf():
            return _brackets(scope, "builtins", "tuple", *(parts or ("()",)))
        case VariadicTupleOf():
            rest: tuple[Expression, ...] = (parts[-1], "...")
            if type.prefix:
                rest = (_brackets(scope, "typing", "Unpack", _brackets(scope, "builtins", "tuple", *rest)),)
            return _brackets(scope, "builtins", "tuple", *parts[:-1], *rest)
        case DictOf():
            return _brackets(scope, "builtins", "dict", *parts)
        case _:
            assert_never(type)


def _named(scope: ModuleScope, definition: ObjectDefinition | EnumDefinition | AliasDefinition) -> Expression:
    name = scope.loaded(definition.module, definition.qualname)
    if isinstance(definition, EnumDefinition) or not definition.arguments:
        return name
    return call(scope.use("Parametrized"), name, *(annotation(scope, part) for part in definition.arguments))


def _brackets(scope: ModuleScope, module: str, name: str, *parts: Expression) -> Expression:
    return call(scope.use("Parametrized"), scope.loaded(module, name), *parts)


def _constant(scope: ModuleScope, value: Value) -> Expression:
    """A value of a `Literal`."""
    if isinstance(value, Constant):
        return literal(value.value)
    if not isinstance(value, EnumMember):
        raise TypeError(f"no constant of a literal: {value!r}")
    definition = scope.shapes.toolset.by_key[value.enum]
    return call(scope.use("Member"), flat(_named(scope, definition)), literal(value.name))
