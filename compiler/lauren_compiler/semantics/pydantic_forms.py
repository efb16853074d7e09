"""Types of pydantic's that take others, `Json[T]`, `Secret[T]`, `conlist(T, ...)`; and calls that make types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..diagnostics.rules import types as rules
from ..ir.pprint import type_identity
from ..ir.recipes import Indexed, Loaded, Recipe
from ..ir.types import (
    Adapted,
    Built,
    DictOf,
    Field,
    JsonText,
    ListOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    SetOf,
    Type,
)
from ..ir.walk import walk
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from .arity import has_arguments
from .classes.model_config import ModelConfig
from .classes.model_facts import ModelFacts
from .metadata_items import read_bounds
from .pydantic_types import FUNCTIONS, TYPES
from .recipes import CANT_READ, UNPACKED_REMEDY, RecipeMaker, is_unpacked, made, recipe_of

if TYPE_CHECKING:
    from .subject import Subject
    from .types import TypeReader

Form = Callable[["TypeReader", ex.Subscript, Scope, "Subject"], Type | None]


def _inner(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    return reader.argument(expr.index, scope, subject) if has_arguments(reader, expr, scope, subject, 1) else None


def _made(name: str, *, reshaped: bool = False, wrap: Callable[[Type], Type] | None = None) -> Form:
    """What pydantic builds of the JSON of another type (or, with `wrap`, of what is made of it)."""

    def read(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
        inner = _inner(reader, expr, scope, subject)
        if inner is None:
            return None
        recipe = _recipe(reader, inner, expr, scope, subject)
        if recipe is None:
            return None
        taken = wrap(inner) if wrap is not None else inner
        return Adapted(taken, Indexed(Loaded("pydantic", name), (recipe,)), None, reshaped)

    return read


def _recipe(reader: TypeReader, inner: Type, expr: ex.Subscript, scope: Scope, subject: Subject) -> Recipe | None:
    if any(map(is_unpacked, walk(inner))):
        message = f"pydantic, which builds {subject.text}, {CANT_READ}"
        reader.report(rules.TYPE_NOT_COVERED, expr.index.pos, scope, subject, message, help=UNPACKED_REMEDY)
        return None
    recipe = made(lambda: recipe_of(inner), lambda: RecipeMaker(reader.constants).annotation(expr.index, scope))
    if isinstance(recipe, str):
        message = f"a decoder can't make the type of {subject.text} again: {recipe}"
        reader.report(rules.TYPE_NOT_COVERED, expr.index.pos, scope, subject, message)
        return None
    return recipe


def _same(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """What says nothing about the JSON that is taken."""
    return _inner(reader, expr, scope, subject)


def _root_model(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """`RootModel[X]` as it stands: pydantic makes a class of it, which has no docstring and no module of its own."""
    with reader.configured(ModelConfig()), reader.metadata.leniently():
        inner = _inner(reader, expr, scope, subject)
    if inner is None:
        return None
    key = f"pydantic:RootModel[{type_identity(inner)}]"
    if key not in reader.definitions:
        span = scope.module.file.span(expr.pos)
        root = Field("root", "root", inner, True, None, None, None, span)
        made = ObjectDefinition(
            ObjectKind.ROOT_MODEL, "pydantic", "RootModel", (root,), None, False, span, arguments=(inner,)
        )
        reader.definitions[key] = made
        reader.classes.models[key] = ModelFacts(False, False, None)
        reader.classes.unhashable.add(key)
    return Reference(key)


FORMS: Mapping[str, Form] = {
    "pydantic.RootModel": _root_model,
    "pydantic.Json": _made("Json", reshaped=True, wrap=JsonText),
    "pydantic.Secret": _made("Secret"),
    "pydantic.SkipValidation": _made("SkipValidation"),
    "pydantic.SerializeAsAny": _same,
    "pydantic.OnErrorOmit": _same,
}
"""By known name, each with its reader."""

_CONTAINERS: Mapping[str, Callable[[Type], Type]] = {
    "pydantic.conlist": ListOf,
    "pydantic.conset": SetOf,
    "pydantic.confrozenset": lambda item: SetOf(item, frozen=True),
}


def called(reader: TypeReader, name: str, expr: ex.Call, scope: Scope, subject: Subject) -> Type | None:
    """The type that a call of one of pydantic's functions makes, `conint(ge=1)`; None, reported, for what can't be
    known."""
    if name in _CONTAINERS:
        item = expr.args[0] if expr.args else expr.keyword("item_type")
        if item is None:
            reader.report(
                rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, "this call needs the type of the items"
            )
            return None
        read = reader.inside_container(item, scope, subject)
        if read is None:
            return None
        base = _CONTAINERS[name](read)
        if isinstance(base, SetOf) and isinstance(read, (ListOf, DictOf, Built)):
            message = f"{subject.text} has a set of values that can't be in a set"
            reader.report(rules.UNSUPPORTED_TYPE, item.pos, scope, subject, message, help="use `conlist`")
            return None
    else:
        base = reader.config.within(FUNCTIONS[name][0])
    said = read_bounds(reader.metadata, expr, scope)
    return None if said.broken else reader.applied(base, said, expr.pos, scope, subject)


CALLED = frozenset({*FUNCTIONS, *_CONTAINERS})


def bare(name: str) -> Type | None:
    """The type of a name of pydantic's, None if it is no such type."""
    return TYPES.get(name.removeprefix("pydantic.")) if name.startswith("pydantic.") else None
