"""Which dataclasses are no more than their fields: the constructor that `dataclass` generates only sets them.

Such an instance may be made without the constructor. What is not surely so is not: a base without source, a second
decorator, arguments of the class statement, any method that takes part in making an instance or in setting a field.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.types import Field
from ...syntax.declarations import Assignment, ClassDecl
from ..resolver import Resolver
from .kinds import Ancestry, decorator_call

_INERT = frozenset({"builtins.object", "typing.Generic"})
_WITHOUT_EFFECT = frozenset({"eq", "kw_only", "match_args", "order", "repr", "unsafe_hash"})
_TAKING_PART = frozenset(
    "__getattribute__ __init__ __init_subclass__ __new__ __post_init__ __setattr__ __slots__".split()
)


def is_plain(found: Ancestry, fields: Iterable[Field], resolver: Resolver) -> bool:
    """Whether instances of a dataclass, with all its fields, are what setting `fields` makes of an empty object."""
    if found.lost is not None or found.called or not found.known <= _INERT:
        return False
    fields = list(fields)
    names = {field.name for field in fields}
    return all(map(_is_simple, fields)) and all(_is_inert(owner, names, resolver) for owner in found.classes)


def _is_simple(field: Field) -> bool:
    """Whether it is set to what is given, or to a default that is known to be no descriptor, or is made anew."""
    known = (
        field.required or field.factory is not None or (field.default is not None and field.default.json is not None)
    )
    return known and field.init and field.stored and field.passed is None


def _is_inert(owner: ClassDecl, names: set[str], resolver: Resolver) -> bool:
    """Whether a class, or a base of one, does nothing when an instance is made but to have fields."""
    is_dataclass, call = decorator_call(owner, "dataclasses.dataclass", resolver)
    words = {word.name for word in call.keywords} if call is not None else set[str | None]()
    if owner.keywords or len(owner.decorators) != is_dataclass or not words <= _WITHOUT_EFFECT:
        return False
    if not _TAKING_PART.isdisjoint(owner.body.bindings):
        return False
    own = [binding for binding in owner.body.members if binding.name in names]
    return all(isinstance(each, Assignment) and each.annotation is not None for each in own)
