"""What Python refuses when it makes a class, by what stands in the class statement and in `__slots__`.

Sources: the documentation of `typing.Generic`; the data model, "`__slots__`"; Python itself, which tests ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.values import Constant, Mapping, Sequence
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl, Definition
from ...syntax.expressions import Expr, Subscript
from ..symbols import ClassSymbol, KnownSymbol, TypeVariable
from ..variables import class_variables, declared_variables, unpacked_in, variable_of, variables_in
from .kinds import ancestry, decorator_call

if TYPE_CHECKING:
    from ..types import TypeReader

_GENERIC = KnownSymbol("typing.Generic")
_PROTOCOL = KnownSymbol("typing.Protocol")
_PLAIN = frozenset({"builtins.object", "pydantic.BaseModel", "pydantic.create_model"})
"""Bases that make no class generic by themselves."""
_OWN_SLOTS = frozenset({"pydantic.BaseModel", "pydantic.RootModel", "pydantic.create_model", "msgspec.Struct"})
"""Bases that do with `__slots__` what they like."""
_Problem = tuple[Pos, str]


def statement_is_allowed(types: TypeReader, order: tuple[ClassDecl, ...], via: tuple[Label, ...]) -> bool:
    """Whether Python makes these classes, a class and its bases; reported if not. What a library has, it has made."""
    sound = True
    for owner in order:
        if not types.resolver.program.is_source(owner.scope.module):
            continue
        for pos, message in (*_bases(types, owner), *_slots(types, owner)):
            place = owner.scope.module.file.span(pos)
            types.sink.add(rules.INVALID_CLASS.at(place, f"{message}, which Python refuses", labels=via))
            sound = False
    return sound


def _bases(types: TypeReader, owner: ClassDecl) -> Iterator[_Problem]:
    """Type variables in the bases, and the number of what stands in brackets."""
    declared = declared_variables(owner.signature_scope)
    listed: set[TypeVariable] | None = set(declared) or None
    used: list[tuple[Pos, TypeVariable]] = []
    generic = 1 if declared else 0
    for base in owner.bases:
        symbol = types.resolver.base_symbol(base.expr, owner)
        if not isinstance(base.expr, Subscript):
            if symbol == _GENERIC:
                yield base.pos, f"`{owner.name}` has the base `Generic` without type variables"
            continue
        if symbol in (_GENERIC, _PROTOCOL):
            yield from _variables(types, owner, base.expr)
        if symbol == _GENERIC:
            generic += 1
            listed = {*(listed or ()), *variables_in(base.expr.index, owner.signature_scope, types.resolver)}
            continue
        found = variables_in(base.expr.index, owner.signature_scope, types.resolver)
        used += [(base.pos, variable) for variable in found]
        if isinstance(symbol, ClassSymbol):
            yield from _arguments(types, owner, symbol.decl, base.expr)
    if generic > 1:
        yield owner.name_pos, f"`{owner.name}` lists its type variables twice"
    for pos, variable in used if listed is not None else ():
        if variable not in (listed or ()):
            yield pos, f"`{owner.name}` does not list the type variable `{variable.name}` of this base as its own"


def _variables(types: TypeReader, owner: ClassDecl, expr: Subscript) -> Iterator[_Problem]:
    """What stands in the brackets of `Generic[...]` or `Protocol[...]`."""
    seen: set[TypeVariable] = set()
    resolver, scope = types.resolver, owner.signature_scope
    for argument in expr.arguments:
        named: Expr = unpacked_in(argument, scope, resolver) or argument
        variable = variable_of(resolver.dealias(resolver.resolve(named, scope)), resolver)
        if variable is None:
            yield argument.pos, f"`{owner.name}` is generic in something that is no type variable"
        elif variable in seen:
            yield argument.pos, f"`{owner.name}` names the type variable `{variable.name}` twice"
        else:
            seen.add(variable)


def _arguments(types: TypeReader, owner: ClassDecl, base: ClassDecl, expr: Subscript) -> Iterator[_Problem]:
    """The number of arguments that a base is given."""
    variables = class_variables(base, types.resolver)
    if not variables:
        found = ancestry(base, types.resolver)
        own = any("__class_getitem__" in each.body.bindings or "metaclass" in each.keywords for each in found.classes)
        if found.known <= _PLAIN and found.lost is None and not own:
            yield expr.pos, f"`{owner.name}` gives its base `{base.name}` arguments, which takes none"
    elif not types.parametrized.takes(variables, expr, owner.signature_scope):
        yield expr.pos, f"`{owner.name}` gives its base `{base.name}` another number of arguments than it takes"


def _slots(types: TypeReader, owner: ClassDecl) -> Iterator[_Problem]:
    """Slots whose name the class has for something else already."""
    known = ancestry(owner, types.resolver).known
    bindings = owner.body.bindings.get("__slots__", ())
    written = bindings[-1] if bindings else None
    if not isinstance(written, Assignment) or written.value is None or known & _OWN_SLOTS:
        return
    _, call = decorator_call(owner, "dataclasses.dataclass", types.resolver)
    flag = call.keyword("slots") if call is not None else None
    if flag is not None and types.constants.evaluate(flag, owner.scope) == Constant(True):
        yield written.pos, f"`{owner.name}` has `__slots__`, and its decorator is to make them"
    names = _names(types, written.value.expr, owner)
    if names and "typing.NamedTuple" in known:
        yield written.pos, f"named tuple `{owner.name}` has `__slots__` that are not empty"
    for name in names:
        own = (each for each in owner.body.bindings.get(name, ()))
        if any(isinstance(each, Definition) or (isinstance(each, Assignment) and each.value) for each in own):
            yield written.pos, f"`{owner.name}` has `{name}` in its `__slots__` and as an attribute"


def _names(types: TypeReader, value: Expr, owner: ClassDecl) -> list[str]:
    """The names in `__slots__`, as far as they can be known."""
    given = types.constants.evaluate(value, owner.body)
    if isinstance(given, Mapping):
        given = Sequence("list", tuple(key for key, _ in given.items))
    items = given.items if isinstance(given, Sequence) else (given,)
    return [item.value for item in items if isinstance(item, Constant) and isinstance(item.value, str)]
