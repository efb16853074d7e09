"""Classes and aliases with type parameters, and the variables themselves.

class Box(Generic[T]):      Box[int]   →   Reference("shop:Box[int]")
    item: T                                whose definition has the field `item: int`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..diagnostics.model import Label
from ..diagnostics.rules import names as name_rules
from ..diagnostics.rules import types as rules
from ..ir.types import Reference, Type, VariadicTupleOf
from ..syntax import expressions as ex
from ..syntax.annotations import parse_annotation
from ..syntax.declarations import ClassDecl, Scope
from . import type_table as table
from .subject import Subject
from .symbols import ClassSymbol, TypeVariable
from .variables import Argument, Arguments, Part, Spread, Unread, class_variables, unpacked_in, variable_of

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
        unpacked = self._unpacked(expr, scope)
        several = any(variable.kind == "TypeVarTuple" for variable in variables)
        if several and self._types.classes.is_model(decl):
            message = f"`{decl.name}`, in the type of {subject.text}, takes no arguments"
            label = "models of pydantic's have no TypeVarTuple"
            self._types.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message, label=label)
            return None
        if unpacked is not None and not several:
            message = f"`{decl.name}`, in the type of {subject.text}, takes no arguments that are unpacked"
            label = "Python counts this as one argument: the class has no TypeVarTuple"
            self._types.report(rules.INVALID_TYPE_ARGUMENTS, unpacked.pos, scope, subject, message, label=label)
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
        from ..ir.pprint import type_identity

        if not variables:
            self._takes_none(name, expr, scope, subject)
            return None
        parts = self._parts(expr.arguments, scope, self._types.variables.snapshot())
        shared = self._shares(variables, parts)
        if shared is not None and all(self._is_itself(*pair) for pair in shared.items()):
            return Arguments()
        if shared is None:
            least = sum(1 for variable in variables if variable.default is None and variable.kind != "TypeVarTuple")
            takes = f"{'at least ' if least < len(variables) else ''}{least} argument{'' if least == 1 else 's'}"
            number = "any number" if any(map(self._is_open, parts)) else len(parts)
            message = f"`{name}`, in the type of {subject.text}, takes {takes}, not {number}"
            self._types.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message)
            return None
        values: dict[int, Argument] = {}
        given: list[Type | Spread] = []
        before = self._types.variables.replaced
        for variable in variables:
            if variable.kind == "ParamSpec":
                continue
            if variable.kind == "TypeVarTuple":
                several = self._read_all(shared[variable], subject)
                if several is None:
                    return None
                given += several
                values[variable.identity] = several
                continue
            alone = shared[variable][0] if variable in shared else _default(variable, values)
            assert not isinstance(alone, Spread)
            kind = self._read(alone, subject)
            if kind is None:
                return None
            given.append(kind)
            values[variable.identity] = kind
        texts = (
            f"*{type_identity(_as_type(kind))}" if isinstance(kind, Spread) else type_identity(kind) for kind in given
        )
        late = self._types.variables.replaced > before
        return Arguments(values, f"[{', '.join(texts)}]", tuple(map(_as_type, given)), late=late)

    def takes(self, variables: tuple[TypeVariable, ...], expr: ex.Subscript, scope: Scope) -> bool:
        """Whether a class with these variables takes as many arguments as stand in brackets."""
        kinds = {variable.kind for variable in variables}
        if "ParamSpec" in kinds:
            return True
        parts = self._parts(expr.arguments, scope, self._types.variables.snapshot())
        if "TypeVarTuple" in kinds:  # Python counts what is unpacked as one
            return len(parts) >= len([each for each in variables if each.kind == "TypeVar"])
        return self._unpacked(expr, scope) is None and self._shares(variables, parts) is not None

    def _unpacked(self, expr: ex.Subscript, scope: Scope) -> ex.Expr | None:
        """The first argument that is unpacked."""
        return next((part for part in expr.arguments if unpacked_in(part, scope, self._types.resolver)), None)

    def _parts(
        self, arguments: tuple[ex.Expr, ...], scope: Scope, bound: Mapping[Scope, Arguments]
    ) -> tuple[Part, ...]:
        """The arguments in brackets; what is unpacked there stands in its place, as far as its number is known."""
        from .tuples import in_place

        found: list[Part] = []
        with self._types.variables.bound(bound):
            for expr, home in in_place(arguments, scope, self._types):
                variable = self._unpacked_variable(expr, home)
                value = None if variable is None else self._types.variables.value(variable, home)
                found += value if isinstance(value, tuple) else (Unread(expr, home, bound),)
        return tuple(found)

    def _unpacked_variable(self, expr: ex.Expr, scope: Scope) -> TypeVariable | None:
        """The TypeVarTuple in `*Ts`; None for anything else."""
        resolver = self._types.resolver
        inner = unpacked_in(expr, scope, resolver)
        if not isinstance(inner, (ex.Name, ex.Attribute)):
            return None
        return variable_of(resolver.dealias(resolver.resolve(inner, scope)), resolver)

    def _is_open(self, part: Part) -> bool:
        """Whether a part stands for any number of arguments."""
        if isinstance(part, Unread):
            return unpacked_in(part.expr, part.scope, self._types.resolver) is not None
        return isinstance(part, Spread)

    def _is_itself(self, variable: TypeVariable, parts: tuple[Part, ...]) -> bool:
        """Whether a variable of which nothing is said stands for itself: `Node[T]` inside `Node`."""
        if len(parts) != 1 or not isinstance(parts[0], Unread):
            return False
        expr, scope = parts[0].expr, parts[0].scope
        resolver = self._types.resolver
        meant = self._unpacked_variable(expr, scope)
        if isinstance(expr, (ex.Name, ex.Attribute)):
            meant = variable_of(resolver.dealias(resolver.resolve(expr, scope)), resolver)
        return meant == variable and self._types.variables.value(variable, scope) is None

    def _shares(
        self, variables: tuple[TypeVariable, ...], parts: tuple[Part, ...]
    ) -> dict[TypeVariable, tuple[Part, ...]] | None:
        """Which arguments each variable takes; those with a default may have none. None if the number is wrong."""
        kinds = [variable.kind for variable in variables]
        if "TypeVarTuple" not in kinds:
            missing = variables[len(parts) :]
            wrong = len(parts) > len(variables) or any(variable.default is None for variable in missing)
            if wrong or any(map(self._is_open, parts)):
                return None
            return {variable: (part,) for variable, part in zip(variables, parts, strict=False)}
        before = kinds.index("TypeVarTuple")
        end = len(parts) - (len(variables) - before - 1)
        if end < before or any(map(self._is_open, (*parts[:before], *parts[end:]))):
            return None
        alone = [(part,) for part in parts]
        return dict(zip(variables, [*alone[:before], parts[before:end], *alone[end:]], strict=True))

    def bindings(self, decl: ClassDecl, own: Arguments) -> Mapping[Scope, Arguments]:
        """What the variables stand for in the body of a class and in those of its bases."""
        found: dict[Scope, Arguments] = {decl.body: replace(own, late=True)}
        pending = [decl]
        while pending:
            step = pending.pop(0)
            here = {**self._types.variables.snapshot(), step.signature_scope: found[step.body]}
            for base in step.bases:
                symbol = self._types.resolver.base_symbol(base.expr, step)
                if isinstance(symbol, ClassSymbol) and symbol.decl.body not in found:
                    values = self._base_values(symbol.decl, base.expr, Unread(base.expr, step.signature_scope, here))
                    found[symbol.decl.body] = Arguments(values, self_type=own.self_type, late=True)
                    pending.append(symbol.decl)
        return found

    def _base_values(self, decl: ClassDecl, expr: ex.Expr, where: Unread) -> dict[int, Argument]:
        """What `Base[int]` among the bases of a class says of the variables of `Base`; nothing if it says it wrong."""
        if not isinstance(expr, ex.Subscript):
            return {}
        variables = class_variables(decl, self._types.resolver)
        shared = self._shares(variables, self._parts(expr.arguments, where.scope, where.bound))
        values: dict[int, Argument] = {}
        for variable in variables if shared is not None else ():
            parts = (shared or {}).get(variable, ())
            if variable.kind == "TypeVarTuple":
                values[variable.identity] = parts
                continue
            alone = parts[0] if parts else _default(variable, values)
            assert not isinstance(alone, Spread)
            values[variable.identity] = alone
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

    def several(self, variable: TypeVariable, scope: Scope, subject: Subject) -> tuple[Type | Spread, ...] | None:
        """The types that a TypeVarTuple stands for, any number of any if nothing is said; None if one can't be read."""
        value = self._types.variables.value(variable, scope)
        return self._read_all(value, subject) if isinstance(value, tuple) else (Spread(table.ANYTHING),)

    def _read_all(self, parts: tuple[Part, ...], subject: Subject) -> tuple[Type | Spread, ...] | None:
        from .tuples import unpacked_parts

        found: list[Type | Spread] = []
        for part in parts:
            read: tuple[Type | Spread, ...] | None
            if isinstance(part, Unread) and (inner := unpacked_in(part.expr, part.scope, self._types.resolver)):
                with self._types.variables.bound(part.bound):
                    read = unpacked_parts(self._types, inner, part.scope, subject)
            else:
                kind = part if isinstance(part, Spread) else self._read(part, subject)
                read = None if kind is None else (kind,)
            if read is None:
                return None
            found += read
        return tuple(found)

    def _read(self, value: Type | Unread, subject: Subject) -> Type | None:
        if not isinstance(value, Unread):
            return value
        with self._types.variables.bound(value.bound):
            return self._types.inside_container(value.expr, value.scope, subject)

    def _fallback(self, variable: TypeVariable, subject: Subject) -> Type | None:
        """What a variable means of which nothing is said."""
        scope = variable.scope
        if self._is_its_own_bound(variable):
            message = f"the bound of the type variable `{variable.name}`, in the type of {subject.text}, is itself"
            assert variable.bound is not None
            self._types.report(name_rules.CIRCULAR_DEFINITION, variable.bound.pos, scope, subject, message)
            return None
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

    def _is_its_own_bound(self, variable: TypeVariable) -> bool:
        """Whether the bound of a variable is a variable whose bound, in any number of steps, is the first one."""
        resolver, step, seen = self._types.resolver, variable, set[int]()
        while step.bound is not None and step.identity not in seen:
            seen.add(step.identity)
            bound: ex.Expr | None = step.bound
            if isinstance(bound, ex.Constant) and isinstance(bound.value, str):
                bound = parse_annotation(bound, step.scope.module.file)
            if not isinstance(bound, (ex.Name, ex.Attribute)):
                return False
            following = variable_of(resolver.dealias(resolver.resolve(bound, step.scope)), resolver)
            if following is None:
                return False
            step = following
        return step.identity in seen

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


def _as_type(given: Type | Spread) -> Type:
    return VariadicTupleOf(given.item) if isinstance(given, Spread) else given


def _default(variable: TypeVariable, earlier: Mapping[int, Argument]) -> Unread:
    """The default of a variable, which may name those before it."""
    assert variable.default is not None
    return Unread(variable.default, variable.scope, {variable.scope: Arguments(earlier)})
