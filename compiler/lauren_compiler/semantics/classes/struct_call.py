"""Structs made by a call: `X = msgspec.defstruct("X", [("a", int), ("b", str, "")])`.

Source: msgspec's reference of `defstruct`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Anything, Field, ObjectDefinition, ObjectKind
from ...syntax.expressions import Call
from ..symbols import KnownSymbol, ValueSymbol
from .class_calls import is_local, refuse
from .dataclass_call import members_of
from .fields import constant_flag, qualifier
from .model_facts import ModelFacts
from .struct import FieldReader, problem_of
from .struct_config import StructConfig

if TYPE_CHECKING:
    from ..types import TypeReader

_WITHOUT_EFFECT = frozenset("cache_hash dict gc module omit_defaults order repr_omit_defaults weakref".split())
"""Keywords that change neither what JSON the struct takes nor how it is built."""
_READ = frozenset({"eq", "forbid_unknown_fields", "frozen", "kw_only"})


def read_struct_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition; None, reported, if it can't be known. With bases, a namespace or a tag it is not covered."""
    file = symbol.scope.module.file
    span = file.span(call.pos)
    if is_local(types, symbol, call, via):
        return None
    members = list(members_of(call.args[1] if len(call.args) == 2 else call.keyword("fields")))
    words = {word.name for word in call.keywords} - {"fields"}
    if not words <= _WITHOUT_EFFECT | _READ or any(member is None for member in members):
        refuse(types, symbol, call, name, via)
        return None
    flags = {
        flag: constant_flag(types, call.keyword(flag), symbol.scope, flag == "eq", f"`{flag}` of `{symbol.name}`", via)
        for flag in _READ
    }
    if None in flags.values():
        return None
    config = StructConfig(keyword_only=bool(flags["kw_only"]))
    fields: list[Field] = []
    for member in members:
        assert member is not None
        if member.annotation is None:
            place = file.span(member.pos)
            fields.append(Field(member.name, member.name, Anything(), True, None, None, None, place))
        elif qualifier(types, member.annotation, symbol.scope) != KnownSymbol("typing.ClassVar"):
            field = FieldReader(types, symbol.name, member, symbol.scope, config, None, via).field()
            if field is None:
                return None
            fields.append(field)
    problem = problem_of(symbol.name, [] if config.keyword_only else fields, fields, None)
    if problem is not None:
        types.sink.add(rules.INVALID_CLASS.at(span, problem, labels=via))
        return None
    key = f"{file.module}:{symbol.qualname}"
    types.classes.models[key] = ModelFacts(False, False, None)
    if flags["eq"] and not flags["frozen"]:
        types.classes.unhashable.add(key)
    closed = bool(flags["forbid_unknown_fields"])
    return ObjectDefinition(ObjectKind.STRUCT, file.module, symbol.qualname, tuple(fields), None, closed, span)
