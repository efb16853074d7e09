"""Classes and aliases with type parameters, and the variables themselves.

class Box(Generic[T]):      Box[int]   →   Reference("shop:Box[int]")
    item: T                                whose definition has the field `item: int`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..diagnostics.model import Label
from ..diagnostics.rules import names as name_rules
from ..diagnostics.rules import types as rules
from ..ir.pprint import type_identity
from ..ir.types import Reference, Type
from ..syntax import expressions as ex
from ..syntax.declarations import ClassDecl, Scope
from . import type_table as table
from .subject import Subject
from .symbols import ClassSymbol, TypeVariable
from .variables import Argument, Arguments, Unread, class_variables, unpacked_in, variable_of

if TYPE_CHECKING:
    from .types import TypeReader

_MOST_OPEN = 12
"""How many forms of one class may be read inside each other: `A` that holds an `A[list[T]]` has no end."""


class ParametrizedReader:
    """Reads what has to do with type variables, for a `TypeReader`."""

    def __init__(self, types: TypeReader) -> None:
        self._types = types
        self._open: list[ClassDecl] = []

    def class_type(
        self, decl: ClassDecl, expr: ex.Expr, scope: Scope, subject: Subject, arguments: Arguments | None = None
    ) -> Type | None:
        """A reference to the definition of a class, for these arguments; it is read if it has not been."""
        via = (*subject.via, Label(scope.module.file.span(expr.pos), f"`{decl.name}` is the type of {subject.text}"))
        if self._open.count(decl) > _MOST_OPEN:
            message = f"`{decl.name}` holds itself with ever other arguments, without an end"
            self._types.report(name_rules.CIRCULAR_DEFINITION, expr.pos, scope, subject, message)
            return None
        self._open.append(decl)
        try:
            key = self._types.classes.read(decl, via, arguments or Arguments())
        finally:
            self._open.pop()
        return None if key is None else Reference(key)

    def subscripted_class(self, decl: ClassDecl, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
        """`Box[int]`."""
        variables = class_variables(decl, self._types.resolver)
        if not variables:
            if self.class_type(decl, expr.value, scope, subject) is not None:
                self._takes_none(decl.name, expr, scope, subject)
            return None
        given = self.arguments(variables, decl.name, expr, scope, subject)
        return None if given is None else self.class_type(decl, expr.value, scope, subject, given)

    def _takes_none(self, name: str, expr: ex.Subscript, scope: Scope, subject: Subject) -> None:
        message = f"`{name}`, in the type of {subject.text}, takes no arguments"
        self._types.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message)

    def arguments(
        self, variables: tuple[TypeVariable, ...], name: str, expr: ex.Subscript, scope: Scope, subject: Subject
    ) -> Arguments | None:
        """What the variables stand for in `name[...]`; None, reported, if their number or one of them is wrong."""
        if not variables:
            self._takes_none(name, expr, scope, subject)
            return None
        shared = self._shares(variables, expr.arguments)
        if shared is not None and all(self._is_itself(*pair, scope) for pair in shared.items()):
            return Arguments()
        if shared is None:
            least = sum(1 for variable in variables if variable.default is None and variable.kind != "TypeVarTuple")
            takes = f"{'at least ' if least < len(variables) else ''}{least} argument{'' if least == 1 else 's'}"
            message = f"`{name}`, in the type of {subject.text}, takes {takes}, not {len(expr.arguments)}"
            self._types.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message)
            return None
        values: dict[int, Argument] = {}
        given: list[Type] = []
        for variable in variables:
            if variable.kind == "ParamSpec":
                continue
            if variable in shared:
                read = [self._types.inside_container(part, scope, subject) for part in shared[variable]]
            else:
                read = [self._read(_default(variable, values), subject)]
            known = tuple(kind for kind in read if kind is not None)
            if len(known) < len(read):
                return None
            given += known
            values[variable.identity] = known if variable.kind == "TypeVarTuple" else known[0]
        return Arguments(values, f"[{', '.join(map(type_identity, given))}]", tuple(given))

    def _is_itself(self, variable: TypeVariable, parts: tuple[ex.Expr, ...], scope: Scope) -> bool:
        """Whether a variable of which nothing is said stands for itself: `Node[T]` inside `Node`."""
        if len(parts) != 1 or not isinstance(parts[0], (ex.Name, ex.Attribute)):
            return False
        resolver = self._types.resolver
        meant = variable_of(resolver.dealias(resolver.resolve(parts[0], scope)), resolver)
        return meant == variable and self._types.variables.value(variable, scope) is None

    def _shares(
        self, variables: tuple[TypeVariable, ...], arguments: tuple[ex.Expr, ...]
    ) -> dict[TypeVariable, tuple[ex.Expr, ...]] | None:
        """Which arguments each variable takes; those with a default may have none. None if the number is wrong."""
        kinds = [variable.kind for variable in variables]
        if "TypeVarTuple" in kinds:
            before = kinds.index("TypeVarTuple")
            after = len(variables) - before - 1
            if len(arguments) < before + after:
                return None
            end = len(arguments) - after
            alone = [(part,) for part in arguments]
            return dict(zip(variables, [*alone[:before], arguments[before:end], *alone[end:]], strict=True))
        missing = variables[len(arguments) :]
        if len(arguments) > len(variables) or any(variable.default is None for variable in missing):
            return None
        return {variable: (part,) for variable, part in zip(variables, arguments, strict=False)}

    def bindings(self, decl: ClassDecl, own: Arguments) -> Mapping[Scope, Arguments]:
        """What the variables stand for in the body of a class and in those of its bases."""
        found: dict[Scope, Arguments] = {decl.body: own}
        pending = [decl]
        while pending:
            step = pending.pop(0)
            here = {**self._types.variables.snapshot(), step.signature_scope: found[step.body]}
            for base in step.bases:
                symbol = self._types.resolver.base_symbol(base.expr, step)
                if isinstance(symbol, ClassSymbol) and symbol.decl.body not in found:
                    values = self._base_values(symbol.decl, base.expr, Unread(base.expr, step.signature_scope, here))
                    found[symbol.decl.body] = Arguments(values, self_type=own.self_type)
                    pending.append(symbol.decl)
        return found

    def _base_values(self, decl: ClassDecl, expr: ex.Expr, where: Unread) -> dict[int, Argument]:
        """What `Base[int]` among the bases of a class says of the variables of `Base`; nothing if it says it wrong."""
        if not isinstance(expr, ex.Subscript):
            return {}
        variables = class_variables(decl, self._types.resolver)
        shared = self._shares(variables, expr.arguments)
        values: dict[int, Argument] = {}
        for variable in variables if shared is not None else ():
            parts = (shared or {}).get(variable)
            if parts is None:
                values[variable.identity] = _default(variable, values)
                continue
            unread = tuple(Unread(part, where.scope, where.bound) for part in parts)
            values[variable.identity] = unread if variable.kind == "TypeVarTuple" else unread[0]
        return values

    def variable(self, variable: TypeVariable, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """The type that a variable stands for where it is read."""
        if variable.kind != "TypeVar":
            what = f"a {variable.kind}, `{variable.name}`"
            return self._types.not_a_type(expr, scope, subject, what)
        value = self._types.variables.value(variable, scope)
        if value is None:
            return self._fallback(variable, subject)
        assert not isinstance(value, tuple)
        return self._read(value, subject)

    def unpacked(self, expr: ex.Expr, scope: Scope, subject: Subject) -> tuple[Type, ...] | None:
        """The types that a TypeVarTuple stands for; None if nothing is said of it, or if one can't be read."""
        resolver = self._types.resolver
        variable = variable_of(resolver.dealias(resolver.resolve(expr, scope)), resolver)
        value = None if variable is None else self._types.variables.value(variable, scope)
        if not isinstance(value, tuple):
            return None
        found: list[Type] = []
        for part in value:
            read = self._several(part, subject)
            if read is None:
                return None
            found += read
        return tuple(found)

    def _several(self, part: Type | Unread, subject: Subject) -> tuple[Type, ...] | None:
        """The types that one argument of a TypeVarTuple gives: it may be another one, unpacked."""
        if isinstance(part, Unread):
            inner = unpacked_in(part.expr, part.scope, self._types.resolver)
            if inner is not None:
                with self._types.variables.bound(part.bound):
                    return self.unpacked(inner, part.scope, subject)
        kind = self._read(part, subject)
        return None if kind is None else (kind,)

    def _read(self, value: Type | Unread, subject: Subject) -> Type | None:
        if not isinstance(value, Unread):
            return value
        with self._types.variables.bound(value.bound):
            return self._types.inside_container(value.expr, value.scope, subject)

    def _fallback(self, variable: TypeVariable, subject: Subject) -> Type | None:
        """What a variable means of which nothing is said."""
        scope = variable.scope
        with self._types.variables.falling_back(variable) as first, self._types.variables.bound({scope: Arguments()}):
            if not first:
                return table.ANYTHING
            if variable.default is not None:
                return self._types.inside_container(variable.default, scope, subject)
            if variable.constraints:
                return self._union(variable.constraints, scope, subject)
            if variable.bound is not None:
                return self._types.inside_container(variable.bound, scope, subject)
        return table.ANYTHING

    def _union(self, parts: Iterable[ex.Expr], scope: Scope, subject: Subject) -> Type | None:
        read = [self._types.inside_container(part, scope, subject) for part in parts]
        known = [kind for kind in read if kind is not None]
        return self._types.union(known) if len(known) == len(read) else None

    def self_type(self, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """`Self`: the class that is being read, also in the body of one of its bases."""
        found = self._types.variables.at(scope)
        if found is not None and found.self_type is not None:
            return found.self_type
        message = f"`Self` can't stand in the type of {subject.text}"
        label = "there is no class here that the value could be of"
        self._types.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message, label=label)
        return None


def _default(variable: TypeVariable, earlier: Mapping[int, Argument]) -> Unread:
    """The default of a variable, which may name those before it."""
    assert variable.default is not None
    return Unread(variable.default, variable.scope, {variable.scope: Arguments(earlier)})
