"""What pydantic refuses when a model's class is made: a module with such a class can't be imported.

Source: the usage errors of pydantic, `model-field-missing-annotation` among them; `inspect_namespace` raises them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...source.file import Pos
from ...syntax.declarations import Assignment, Binding, ClassDecl, Dynamic, ModuleImport, SymbolImport
from ...syntax.expressions import Attribute, Call, Constant, DictDisplay, Expr, ListDisplay, Name, SetDisplay, Tuple
from ..constants import NotConstant
from ..symbols import ClassSymbol, KnownSymbol, ModuleSymbol
from ..type_table import BARE
from .fields import qualifier
from .kinds import ancestry
from .members import Member, annotated_members, valued_members

if TYPE_CHECKING:
    from ..types import TypeReader

_PRIVATE = "pydantic.PrivateAttr"
_DISPLAYS = (Constant, DictDisplay, ListDisplay, SetDisplay, Tuple)
_Problem = tuple[Pos, str]


def attributes_are_allowed(
    types: TypeReader,
    order: tuple[ClassDecl, ...],
    bases: frozenset[str],
    via: tuple[Label, ...],
    *,
    ignoring: bool,
) -> bool:
    """Whether pydantic makes models of these class bodies; reported if not. `bases` are the known names of its own
    models; `ignoring`: the configuration names types whose values are no fields, so only names are looked at."""
    sound = True
    for owner in order:
        if not bases & ancestry(owner, types.resolver).known:
            # A plain class among the bases may have what attributes it likes.
            continue
        for pos, message in (*_noted(types, owner), *(() if ignoring else _bare(types, owner, order))):
            types.sink.add(rules.INVALID_CLASS.at(owner.scope.module.file.span(pos), message, labels=via))
            sound = False
    return sound


def _noted(types: TypeReader, owner: ClassDecl) -> Iterator[_Problem]:
    """Attributes with an annotation whose name and value contradict each other."""
    for member in annotated_members(owner, types):
        if not isinstance(member, Member) or member.value is None:
            continue
        private = member.name.startswith("_")
        if member.name == "__pydantic_extra__":
            continue
        if private and types.metadata.field_call(member.value, owner.body) is not None:
            yield (
                member.pos,
                f"field `{member.name}` of `{owner.name}` starts with an underscore, which pydantic refuses",
            )
        if not private and _called(types, member.value, owner) == KnownSymbol(_PRIVATE):
            message = (
                f"private attribute `{member.name}` of `{owner.name}` has the name of a field, which pydantic refuses"
            )
            yield member.pos, message


def _bare(types: TypeReader, owner: ClassDecl, order: tuple[ClassDecl, ...]) -> Iterator[_Problem]:
    """Public attributes without an annotation, whose value pydantic would take for a field's."""
    noted = {each.name for each in owner.body.members if isinstance(each, Assignment) and each.annotation is not None}
    shared = {name for base in order for name in _class_variables(types, base)}
    for member in valued_members(owner, types):
        name = member.name
        if not isinstance(member, Member) or member.value is None or name in noted or name in shared:
            continue
        if name.startswith("_") or name == "model_config" or not _is_taken(types, member.value, owner):
            continue
        message = f"`{name}` of model `{owner.name}` has no annotation, which pydantic refuses"
        yield member.pos, message
    for binding in owner.body.members:
        name = binding.name
        if name.startswith("_") or name in noted or name in shared or len(owner.body.bindings[name]) > 1:
            continue
        if _binds_value(types, binding, owner) and types.resolver.choice.reached(binding, owner.body) is True:
            message = f"`{name}`, bound in the body of model `{owner.name}`, has no annotation, which pydantic refuses"
            yield binding.pos, message


def _binds_value(types: TypeReader, binding: Binding, owner: ClassDecl) -> bool:
    """Whether an import or a loop in the body surely binds a name to something that pydantic takes for a field's value:
    a module, a class of another place, a constant."""
    if isinstance(binding, ModuleImport):
        return True
    if isinstance(binding, SymbolImport):
        symbol = types.resolver.dealias(types.resolver.resolve(Name(binding.pos, binding.name), owner.body))
        known = isinstance(symbol, KnownSymbol) and symbol.name in BARE
        return known or isinstance(symbol, (ModuleSymbol, ClassSymbol))
    if isinstance(binding, Dynamic) and binding.loop is not None:
        from ..iteration import iterated

        items = iterated(types.constants, binding.loop.over.expr, owner.body)
        return not isinstance(items, NotConstant) and bool(items)
    return False


def _class_variables(types: TypeReader, owner: ClassDecl) -> Iterator[str]:
    for member in annotated_members(owner, types):
        if isinstance(member, Member) and member.annotation is not None:
            if qualifier(types, member.annotation, owner.body) == KnownSymbol("typing.ClassVar"):
                yield member.name


def _is_taken(types: TypeReader, value: Expr, owner: ClassDecl) -> bool:
    """Whether a value surely is one that pydantic takes for a field's: no function, property or the like."""
    if isinstance(value, _DISPLAYS) or types.metadata.field_call(value, owner.body) is not None:
        return True
    if isinstance(value, (Name, Attribute)):
        symbol = types.resolver.dealias(types.resolver.resolve(value, owner.body))
        if isinstance(symbol, ClassSymbol):
            return symbol.decl.scope is not owner.body
    return not isinstance(types.constants.evaluate(value, owner.body), NotConstant)


def _called(types: TypeReader, value: Expr, owner: ClassDecl) -> object:
    return types.resolver.resolve(value.func, owner.body) if isinstance(value, Call) else None
