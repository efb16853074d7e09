"""Classes made by calls of `make_dataclass`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...ir.types import Anything, Field, ObjectDefinition, ObjectKind
from ...source.file import Pos
from ...syntax.expressions import Call, Constant, Expr, ListDisplay, Name, Tuple
from ..symbols import KnownSymbol, ValueSymbol
from .class_calls import is_local, refuse
from .dataclass_fields import Declared, declaration, exclude, read_field
from .dataclass_rules import fields_in_order
from .fields import constant_flag, qualifier
from .members import Member
from .model_facts import ModelFacts

if TYPE_CHECKING:
    from ..types import TypeReader

_WITHOUT_EFFECT = frozenset("repr order match_args slots weakref_slot module".split())
_READ = frozenset({"eq", "frozen", "unsafe_hash", "kw_only"})


def read_dataclass_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = make_dataclass("X", [("a", int), ("b", str, "")])`; with bases or a namespace it is not covered."""
    file = symbol.scope.module.file
    span = file.span(call.pos)
    if is_local(types, symbol, call, via):
        return None
    declared = call.args[1] if len(call.args) == 2 else call.keyword("fields")
    members = list(members_of(declared))
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
    seen: list[Declared] = []
    keyword_only = bool(flags["kw_only"])
    fields = [_field(types, symbol, member, keyword_only, seen, via) for member in members if member is not None]
    if not fields_in_order(types, symbol.name, seen, via):
        return None
    found = [part for part in fields if part is not None]
    if len(found) < len(fields):
        return None
    key = f"{file.module}:{symbol.qualname}"
    if flags["eq"] and not flags["frozen"] and not flags["unsafe_hash"]:
        types.classes.unhashable.add(key)
    ordered = [field for group in (False, True) for field, keyword_only in found if keyword_only is group and field]
    changing = any(field.passed is not None for field in ordered)
    types.classes.models[key] = ModelFacts(False, changing, None)
    return ObjectDefinition(ObjectKind.DATACLASS, file.module, symbol.qualname, tuple(ordered), None, False, span)


def members_of(declared: Expr | None) -> Iterator[Member | None]:
    """The fields in a list of names, pairs and triples; None for one that is none of these."""
    for item in declared.items if isinstance(declared, (ListDisplay, Tuple)) else (None,):
        parts = item.items if isinstance(item, Tuple) and 2 <= len(item.items) <= 3 else (item,)
        first = parts[0]
        if not isinstance(first, Constant) or not isinstance(first.value, str):
            yield None
            continue
        annotation = parts[1] if len(parts) > 1 else None
        yield Member(first.value, first.pos, annotation, parts[2] if len(parts) > 2 else None)


def _field(
    types: TypeReader,
    symbol: ValueSymbol,
    member: Member,
    keyword_only: bool,
    seen: list[Declared],
    via: tuple[Label, ...],
) -> tuple[Field | None, bool] | None:
    """One field, None for one that the constructor does not take, and whether it is keyword-only; None, reported.

    As declared it is added to `seen`.
    """
    scope = symbol.scope
    place: Pos = member.pos
    if member.annotation is None:
        seen.append(Declared(member.name, place, Name(place, "Any"), scope, None, place, True, keyword_only))
        untyped = Field(member.name, member.name, Anything(), True, None, None, None, scope.module.file.span(place))
        return untyped, keyword_only
    outermost = qualifier(types, member.annotation, scope)
    name = outermost.name if isinstance(outermost, KnownSymbol) else ""
    if name == "typing.ClassVar":
        return None, keyword_only
    item = declaration(types, member, scope, symbol.name, keyword_only, name, via)
    if item is None:
        return None
    seen.append(item)
    if not item.init:
        exclude(types, symbol.name, item, via)
        return None, item.keyword_only
    read = read_field(types, symbol.name, item, via, by_pydantic=False)
    return (read[0], item.keyword_only) if read is not None else None
