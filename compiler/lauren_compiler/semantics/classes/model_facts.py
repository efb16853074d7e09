"""What is to be known of a model besides its definition: whether its values are constants, what it is written as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from ...ir.types import DictOf, ListOf, Reference, SetOf, Type
from ...ir.walk import walk
from ...syntax.declarations import Assignment, ClassDecl, Definition, FunctionDecl
from ...syntax.expressions import Call
from ..symbols import KnownSymbol
from .model_config import ModelConfig

if TYPE_CHECKING:
    from ..types import TypeReader

_SERIALIZERS = frozenset({"pydantic.computed_field", "pydantic.field_serializer", "pydantic.model_serializer"})
_PLAIN = _SERIALIZERS | {"builtins.property", "builtins.classmethod", "builtins.staticmethod", "functools.cache"}
_BUILDERS = ("__init__", "model_post_init", "__new__")


class ModelFacts(Struct, frozen=True):
    """What is to be known of a model besides its definition.

    `changing`: its values need not be what was given, because code of its own runs when it is built. `reshaped`: why
    what it is written as differs from what it is read from, None if it does not.
    """

    by_name: bool
    changing: bool
    reshaped: str | None


def is_hashable(types: TypeReader, kind: Type) -> bool:
    """Whether a frozen model that has such a field can be in a set."""
    for part in walk(kind):
        if isinstance(part, (ListOf, DictOf)) or (isinstance(part, SetOf) and not part.frozen):
            return False
        if isinstance(part, Reference) and part.key in types.classes.unhashable:
            return False
    return True


def facts_of(types: TypeReader, order: tuple[ClassDecl, ...], config: ModelConfig, reshaped: bool) -> ModelFacts:
    decorators = {name for owner in order for name in _decorators(types, owner)}
    own = any(name in owner.body.bindings for owner in order for name in _BUILDERS)
    made = any(_is_made(binding) for owner in order for binding in owner.body.members)
    why = "a field is written under another name, in another form, or not at all" if reshaped else config.reshaped
    serializer = min(decorators & _SERIALIZERS, default=None)
    if serializer is not None:
        why = f"`{serializer.removeprefix('pydantic.')}` changes what the model is written as"
    elif any("model_dump" in owner.body.bindings for owner in order):
        why = "a `model_dump` of its own changes what the model is written as"
    return ModelFacts(config.by_name, bool(decorators - _PLAIN) or own or made or config.changing or reshaped, why)


def _is_made(binding: object) -> bool:
    """Whether a member may be a validator that a call made: `check = field_validator("x")(function)`."""
    if not isinstance(binding, Assignment) or binding.annotation is not None or binding.name == "model_config":
        return False
    return binding.value is not None and isinstance(binding.value.expr, Call)


def _decorators(types: TypeReader, owner: ClassDecl) -> Iterator[str]:
    """The known names of what decorates the functions of a class; one that is not known is `?`."""
    for binding in owner.body.members:
        decl = binding.decl if isinstance(binding, Definition) else None
        for decorator in decl.decorators if isinstance(decl, FunctionDecl) else ():
            expr = decorator.expr
            target = expr.func if isinstance(expr, Call) else expr
            symbol = types.resolver.dealias(types.resolver.resolve(target, owner.body))
            yield symbol.name if isinstance(symbol, KnownSymbol) else "?"
