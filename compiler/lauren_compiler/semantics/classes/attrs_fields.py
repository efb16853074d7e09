"""The attributes of an attrs class: which of its class's members, and what `attrs.field(...)` says of each.

Source: attrs' API reference (`attrs.field`, `attr.ib`, `auto_attribs`, `these`) and its chapters on initialization and
inheritance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Definition, FunctionDecl, Scope
from ...syntax.expressions import Attribute as AttributeExpr
from ...syntax.expressions import Call, Constant, DictDisplay, Expr, ListDisplay, Name, Tuple
from ..symbols import KnownSymbol
from .attrs_flags import AttrsFlags
from .fields import field_subject, qualifier
from .linearization import linearized
from .members import Member, Undecided, annotated_members, known_members, mangled, valued_members

if TYPE_CHECKING:
    from ..types import TypeReader

_FIELDS = frozenset(f"attrs.{name}" for name in ("field", "ib", "attr", "attrib"))
_POSITIONAL = (
    "default validator repr cmp hash init metadata type converter factory kw_only eq order on_setattr alias"
).split()
"""The parameters of `attr.ib`, in order."""


class Attribute(Struct, frozen=True):
    """An attribute as its class declares it. `words` are the arguments of its `field(...)`, which stand in `scope`."""

    name: str
    pos: Pos
    owner: ClassDecl
    annotation: Expr | None
    words: Mapping[str, Expr]
    scope: Scope
    keyword_only: bool
    made: bool
    """Whether a method decorated with `@x.default` makes its default."""


def attributes(
    types: TypeReader, decl: ClassDecl, flags: Mapping[ClassDecl, AttrsFlags], via: tuple[Label, ...]
) -> list[Attribute] | None:
    """All attributes of an attrs class in attrs' order: inherited ones first, without those declared again."""
    order = linearized(decl, types.resolver)
    found: dict[ClassDecl, list[Attribute]] = {}
    whole: dict[ClassDecl, list[Attribute]] = {}
    for owner in reversed(order or ()):
        if owner not in flags:
            continue
        own = _own(types, owner, flags[owner], via)
        if own is None:
            return None
        found[owner] = own
        bases = (linearized(owner, types.resolver) or ())[1:]
        taken = {item.name for item in own}
        if flags[owner].values["collect_by_mro"]:
            inherited = _by_order([base for base in bases if base in found], found, taken)
        else:
            inherited = _classic([base for base in bases if base in found], whole, taken)
        whole[owner] = [*inherited, *own]
        if flags[owner].values["kw_only"] and flags[owner].values["force_kw_only"]:
            found[owner] = [replace(item, keyword_only=True) for item in own]
            whole[owner] = [replace(item, keyword_only=True) for item in whole[owner]]
    return whole.get(decl)


def _by_order(bases: list[ClassDecl], own: Mapping[ClassDecl, list[Attribute]], taken: set[str]) -> list[Attribute]:
    """Of each name the declaration that Python would find first, where that stands."""
    found: dict[str, Attribute] = {}
    for base in reversed(bases):
        for item in own[base]:
            if item.name not in taken:
                found.pop(item.name, None)
                found[item.name] = item
    return list(found.values())


def _classic(bases: list[ClassDecl], whole: Mapping[ClassDecl, list[Attribute]], taken: set[str]) -> list[Attribute]:
    """What `attr.s` does unless told otherwise: the nearest base first, with all that it has inherited."""
    found: dict[str, Attribute] = {}
    for base in bases:
        for item in whole[base]:
            if item.name not in taken:
                found.setdefault(item.name, item)
    return list(found.values())


def _own(types: TypeReader, owner: ClassDecl, flags: AttrsFlags, via: tuple[Label, ...]) -> list[Attribute] | None:
    """The attributes that one class declares; None, reported, if they can't be known."""
    annotated = known_members(types, owner, annotated_members(owner, types), "attribute", via)
    valued = known_members(types, owner, _fields_only(types, owner), "attribute", via)
    if annotated is None or valued is None:
        return None
    notes = {member.name: member for member in annotated}
    given = {member.name: member for member in valued}
    automatic = flags.values["auto_attribs"]
    if flags.these is not None:
        return _these(types, owner, flags, flags.these, notes, via)
    if automatic is None:
        automatic = given.keys() <= notes.keys()
    if not automatic:
        chosen = [replace(member, annotation=_annotation(notes.get(name))) for name, member in given.items()]
    elif given.keys() <= notes.keys():
        chosen = [member for member in annotated if not _is_class_variable(types, member, owner)]
    else:
        missing = next(name for name in given if name not in notes)
        message = f"field `{missing}` of `{owner.name}` has no annotation, which attrs asks for with `auto_attribs`"
        _refuse(types, owner, given[missing].pos, message, via)
        return None
    declared = [_declared(types, owner, flags, member, owner.body, via) for member in chosen]
    known = [item for item in declared if item is not None]
    return known if len(known) == len(declared) else None


def _fields_only(types: TypeReader, owner: ClassDecl) -> Iterator[Member | Undecided]:
    """The members whose value is a `field(...)`, and those of which that can't be known."""
    for member in valued_members(owner, types):
        if isinstance(member, Undecided):
            if member.name not in owner.body.bindings or not _may_be_field(types, owner, member.name):
                continue
            yield member
        elif _field_call(types, member.value, owner.body) is not None:
            yield replace(member, name=mangled(member.name, owner.name))


def _may_be_field(types: TypeReader, owner: ClassDecl, name: str) -> bool:
    values = [getattr(binding, "value", None) for binding in owner.body.bindings[name]]
    return any(_field_call(types, value.expr, owner.body) is not None for value in values if value is not None)


def _annotation(member: Member | None) -> Expr | None:
    return member.annotation if member is not None else None


def _is_class_variable(types: TypeReader, member: Member, owner: ClassDecl) -> bool:
    assert member.annotation is not None
    return qualifier(types, member.annotation, owner.body) == KnownSymbol("typing.ClassVar")


def _field_call(types: TypeReader, expr: Expr | None, scope: Scope) -> Call | None:
    """`expr` if it is a call of `field`, `attr.ib` or another name of theirs."""
    if not isinstance(expr, Call):
        return None
    symbol = types.resolver.dealias(types.resolver.resolve(expr.func, scope))
    return expr if isinstance(symbol, KnownSymbol) and symbol.name in _FIELDS else None


def _these(
    types: TypeReader,
    owner: ClassDecl,
    flags: AttrsFlags,
    these: Expr,
    notes: Mapping[str, Member],
    via: tuple[Label, ...],
) -> list[Attribute] | None:
    """The attributes of `these={"x": attr.ib()}`, which count in place of the class's own; those of `make_class` may be
    names alone."""
    found: list[Attribute | None] = []
    pairs: tuple[tuple[Expr | None, Expr | None], ...] = ((None, these),)
    if isinstance(these, DictDisplay):
        pairs = these.items
    elif isinstance(these, (ListDisplay, Tuple)):
        pairs = tuple((item, None) for item in these.items)
    for key, value in pairs:
        if not isinstance(key, Constant) or not isinstance(key.value, str):
            message = f"the fields of the attrs class `{owner.name}` can't be known from the source"
            _refuse(types, owner, these.pos, message, via)
            return None
        member = Member(key.value, key.pos, _annotation(notes.get(key.value)), value)
        found.append(_declared(types, owner, flags, member, flags.scope, via))
    known = [item for item in found if item is not None]
    return known if len(known) == len(found) else None


def _declared(
    types: TypeReader, owner: ClassDecl, flags: AttrsFlags, member: Member, scope: Scope, via: tuple[Label, ...]
) -> Attribute | None:
    """One attribute; None, reported, if the arguments of its `field(...)` can't be known."""
    call = _field_call(types, member.value, scope)
    words: dict[str, Expr] = {"default": member.value} if member.value is not None and call is None else {}
    if call is not None:
        if any(word.name is None for word in call.keywords):
            message = f"the arguments of {field_subject(owner.name, member.name, via).text} can't be known"
            _refuse(types, owner, call.pos, message, via)
            return None
        words.update(zip(_POSITIONAL, call.args, strict=False))
        words.update((word.name, word.value) for word in call.keywords if word.name is not None)
    keyword_only = _flag(types, words.get("kw_only"), scope, bool(flags.values["kw_only"]))
    if keyword_only is None:
        message = f"`kw_only` of field `{member.name}` of `{owner.name}` can't be known from the source"
        _refuse(types, owner, words["kw_only"].pos, message, via)
        return None
    made = any(_decorates_default(name, member.name, owner) for name in owner.body.members)
    return Attribute(member.name, member.pos, owner, member.annotation, words, scope, keyword_only, made)


def _flag(types: TypeReader, expr: Expr | None, scope: Scope, default: bool) -> bool | None:
    """A flag of a field: None, which stands for the class's, or a constant."""
    value = types.constants.evaluate(expr, scope) if expr is not None else None
    plain = getattr(value, "value", value)
    if plain is None:
        return default
    return plain if isinstance(plain, bool) else None


def _decorates_default(binding: object, name: str, owner: ClassDecl) -> bool:
    """Whether a member is a method under `@name.default`."""
    decl = binding.decl if isinstance(binding, Definition) else None
    for decorator in decl.decorators if isinstance(decl, FunctionDecl) else ():
        expr = decorator.expr
        if isinstance(expr, AttributeExpr) and expr.attr == "default" and isinstance(expr.value, Name):
            if mangled(expr.value.id, owner.name) == name:
                return True
    return False


def _refuse(types: TypeReader, owner: ClassDecl, pos: Pos, message: str, via: tuple[Label, ...]) -> None:
    types.sink.add(rules.INVALID_CLASS.at(owner.scope.module.file.span(pos), message, labels=via))
