"""Names for types: PEP 695 aliases, plain ones, and types made by calls such as `NewType`.

Plain aliases stand for what they are; one that comes back to itself inside a container becomes a named type. An alias
with type variables is read anew for each list of arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Label
from ..diagnostics.rules import names as name_rules
from ..ir.types import AliasDefinition, Reference, Type
from ..source.file import Pos
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from .subject import Subject
from .symbols import AliasSymbol, KnownSymbol, TypeVariable, ValueSymbol
from .variables import Arguments, alias_variables, variable_of, variables_in

if TYPE_CHECKING:
    from .types import TypeReader


class _OpenAlias(Struct):
    """A plain alias being read; `recursive` once it is met again inside itself."""

    key: str
    depth: int
    recursive: bool = False


class _Named(Struct, frozen=True):
    """An alias that is a named type: its value, and the scope that is read in."""

    qualname: str
    value: ex.Expr
    scope: Scope
    pos: Pos


_Form: TypeAlias = tuple[int, str, bool]
"""An alias's value, by identity, and what it is read for: the arguments' text, and whether they come late."""
_NOTHING = Arguments()
_MOST_OPEN = 12


class AliasReader:
    """Reads aliases for a `TypeReader`; each plain one once."""

    def __init__(self, types: TypeReader) -> None:
        self._types = types
        self._open: dict[_Form, _OpenAlias] = {}
        self.results: dict[_Form, Type | None] = {}

    def is_open(self, value: ex.Expr) -> bool:
        """Whether the alias with this value is just being read."""
        return any(id(value) == form[0] for form in self._open)

    def _form(self, value: ex.Expr, arguments: Arguments) -> _Form:
        return (id(value), self._suffix(arguments), arguments.late)

    def _suffix(self, arguments: Arguments) -> str:
        """What tells apart the forms of an alias: its arguments, and the model that it is read in."""
        return f"{arguments.suffix}{self._types.config.mark}"

    def named(
        self, symbol: AliasSymbol, expr: ex.Expr, scope: Scope, subject: Subject, arguments: Arguments = _NOTHING
    ) -> Type | None:
        """`type X = …`: a reference, under the alias's name."""
        decl = symbol.decl
        named = _Named(decl.qualname, decl.value.expr, decl.value_scope, decl.name_pos)
        return self._definition(named, expr, scope, subject, arguments)

    def subscripted(
        self, symbol: AliasSymbol | ValueSymbol, expr: ex.Subscript, scope: Scope, subject: Subject
    ) -> Type | None:
        """`X[int]`, of an alias with type variables."""
        types, shown = self._types, symbol.decl.name if isinstance(symbol, AliasSymbol) else symbol.name
        variables = self._variables(symbol)
        if variables is None:
            return types.symbol_type(symbol, expr.value, scope, subject)
        given = types.parametrized.arguments(variables, shown, expr, scope, subject)
        if given is None:
            return None
        if isinstance(symbol, AliasSymbol):
            return self.named(symbol, expr.value, scope, subject, given)
        return self.variable(symbol, expr.value, scope, subject, given)

    def _variables(self, symbol: AliasSymbol | ValueSymbol) -> tuple[TypeVariable, ...] | None:
        """The type variables of an alias; None of what is no alias."""
        if isinstance(symbol, AliasSymbol):
            return alias_variables(symbol.decl)
        value, resolver = symbol.expr, self._types.resolver
        if isinstance(value, (ex.Subscript, ex.Chain)):
            return variables_in(value, symbol.scope, resolver)
        if not isinstance(value, ex.Call):
            return None
        if self._maker(symbol, value) == "typing.TypeAliasType":
            listed = value.keyword("type_params")
            return () if listed is None else variables_in(listed, symbol.scope, resolver)
        return () if self._maker(symbol, value) == "typing.NewType" else None

    def _definition(
        self, named: _Named, expr: ex.Expr, scope: Scope, subject: Subject, arguments: Arguments
    ) -> Type | None:
        """A reference to a named alias, read once for each list of arguments."""
        home = named.scope
        module = home.module.file.module
        arguments = replace(arguments, late=True)
        key = f"{module}:{named.qualname}{self._suffix(arguments)}"
        if key in self._types.definitions:
            return Reference(key)
        state = self._open.get(self._form(named.value, arguments))
        if state is not None:
            return self._met_again(state, expr, scope, subject)
        if self._is_endless(named.value):
            return self._endless(named.qualname, expr, scope, subject)
        with self._types.variables.apart():
            found = self._alias_value(named.value, home, key, subject, arguments)
        if found is None:
            return None
        span = home.module.file.span(named.pos)
        self._types.definitions[key] = AliasDefinition(module, named.qualname, found, span, arguments.given)
        return Reference(key)

    def _is_endless(self, value: ex.Expr) -> bool:
        return sum(1 for form in self._open if form[0] == id(value)) > _MOST_OPEN

    def _endless(self, name: str, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        message = f"`{name}` holds itself with ever other arguments, without an end"
        self._types.report(name_rules.CIRCULAR_DEFINITION, expr.pos, scope, subject, message)
        return None

    def _met_again(self, state: _OpenAlias, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """An alias inside itself: fine behind a container, meaningless otherwise."""
        if self._types.containers > state.depth:
            state.recursive = True
            return Reference(state.key)
        self._circular(state.key.partition(":")[2], expr, scope, subject)
        return None

    def _circular(self, name: str, expr: ex.Expr, scope: Scope, subject: Subject) -> None:
        message = f"`{name}` is defined by itself"
        self._types.report(name_rules.CIRCULAR_DEFINITION, expr.pos, scope, subject, message, label="refers to itself")

    def _alias_value(
        self, value: ex.Expr, home: Scope, key: str, subject: Subject, arguments: Arguments = _NOTHING
    ) -> Type | None:
        form = self._form(value, arguments)
        self._open[form] = _OpenAlias(key, self._types.containers)
        try:
            with self._types.variables.bound({home: arguments}):
                return self._types.argument(value, home, subject)
        finally:
            del self._open[form]

    def variable(
        self, symbol: ValueSymbol, expr: ex.Expr, scope: Scope, subject: Subject, arguments: Arguments = _NOTHING
    ) -> Type | None:
        """A plain alias, or a type made by a call (`NewType`, `TypeAliasType`, …)."""
        if symbol.expr is None:
            return self._types.not_a_type(expr, scope, subject, "a variable without a value")
        owner = symbol.scope.owner
        if owner is not None and self._types.classes.is_enum(owner):
            help = f"write `Literal[{owner.name}.{symbol.name}]` if it may be no other member"
            return self._types.not_a_type(expr, scope, subject, f"a member of enum `{owner.name}`", help)
        if isinstance(symbol.expr, (ex.Name, ex.Attribute)):  # followed to its end already: it comes back to itself
            self._circular(symbol.name, expr, scope, subject)
            return None
        if isinstance(symbol.expr, ex.Call):
            return self._made_by_call(symbol, symbol.expr, expr, scope, subject, arguments)
        form = self._form(symbol.expr, arguments)
        state = self._open.get(form)
        if state is not None:
            return self._met_again(state, expr, scope, subject)
        if form in self.results:
            return self.results[form]
        if self._is_endless(symbol.expr):
            return self._endless(symbol.name, expr, scope, subject)
        self.results[form] = found = self._plain_alias(symbol, symbol.expr, expr, scope, subject, arguments)
        return found

    def _plain_alias(
        self,
        symbol: ValueSymbol,
        value: ex.Expr,
        expr: ex.Expr,
        scope: Scope,
        subject: Subject,
        arguments: Arguments,
    ) -> Type | None:
        if not isinstance(value, (ex.Subscript, ex.Chain, ex.Constant, ex.Conditional)) or (
            isinstance(value, ex.Constant) and not isinstance(value.value, (str, type(None)))
        ):
            return self._types.not_a_type(expr, scope, subject, f"a variable, `{symbol.name}`")
        module = symbol.scope.module.file
        key = f"{module.module}:{symbol.qualname}{self._suffix(arguments)}"
        state = _OpenAlias(key, self._types.containers)
        form = self._form(value, arguments)
        self._open[form] = state
        via = Label(scope.module.file.span(expr.pos), f"`{symbol.name}` is the type of {subject.text}")
        try:
            with self._types.variables.bound({symbol.scope: arguments}):
                found = self._types.argument(value, symbol.scope, Subject(subject.text, (*subject.via, via)))
        finally:
            del self._open[form]
        if found is not None and state.recursive:
            self._types.definitions[key] = AliasDefinition(
                module.module, symbol.qualname, found, module.span(value.pos), arguments.given
            )
            found = Reference(key)
        return found

    def _made_by_call(
        self,
        symbol: ValueSymbol,
        call: ex.Call,
        expr: ex.Expr,
        scope: Scope,
        subject: Subject,
        arguments: Arguments,
    ) -> Type | None:
        name = self._maker(symbol, call)
        if name == "typing.NewType" and len(call.args) == 2:
            if self.is_open(call.args[1]):  # no type checker and no library has such a type, in whatever container
                self._circular(symbol.name, expr, scope, subject)
                return None
            return self._alias_value(call.args[1], symbol.scope, f":{symbol.name}", subject)
        if name == "typing.TypeAliasType" and len(call.args) == 2:
            named = _Named(symbol.qualname, call.args[1], symbol.scope, call.pos)
            return self._definition(named, expr, scope, subject, arguments)
        variable = variable_of(symbol, self._types.resolver)
        if variable is not None:
            return self._types.parametrized.variable(variable, expr, scope, subject)
        if self._types.classes.read_call(symbol, call, name, subject.via):
            return Reference(self._types.classes.call_key(symbol, name))
        if self._types.classes.is_class_call(name):
            return None
        return self._types.not_a_type(expr, scope, subject, f"a value made by a call, `{symbol.name}`")

    def _maker(self, symbol: ValueSymbol, call: ex.Call) -> str:
        """The known name of what a call calls, "" if it is none."""
        maker = self._types.resolver.dealias(self._types.resolver.resolve(call.func, symbol.scope))
        return maker.name if isinstance(maker, KnownSymbol) else ""
