"""Names for types: PEP 695 aliases, plain ones, and types made by calls such as `NewType`.

Plain aliases stand for what they are; one that comes back to itself inside a container becomes a named type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostics.model import Label
from ..diagnostics.rules import names as name_rules
from ..diagnostics.rules import types as rules
from ..ir.types import AliasDefinition, Reference, Type
from ..source.file import Pos
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from .subject import Subject
from .symbols import AliasSymbol, KnownSymbol, TypeVariable, ValueSymbol

if TYPE_CHECKING:
    from .types import TypeReader


@dataclass(slots=True)
class _OpenAlias:
    """A plain alias being read; `recursive` once it is met again inside itself."""

    key: str
    depth: int
    recursive: bool = False


class AliasReader:
    """Reads aliases for a `TypeReader`; each plain one once."""

    def __init__(self, types: TypeReader) -> None:
        self._types = types
        self._open: dict[int, _OpenAlias] = {}
        self.results: dict[int, Type | None] = {}

    def is_open(self, value: ex.Expr) -> bool:
        """Whether the alias with this value is just being read."""
        return id(value) in self._open

    def named(self, symbol: AliasSymbol, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """`type X = …`: a reference, under the alias's name."""
        decl = symbol.decl
        if decl.parameters:
            message = f"the generic alias `{decl.name}` is not covered by this version"
            self._types.report(rules.TYPE_NOT_COVERED, expr.pos, scope, subject, message)
            return None
        return self._definition(decl.qualname, decl.value.expr, decl.scope, decl.name_pos, expr, scope, subject)

    def _definition(
        self,
        qualname: str,
        value: ex.Expr,
        home: Scope,
        pos: Pos,
        expr: ex.Expr,
        scope: Scope,
        subject: Subject,
    ) -> Type | None:
        """A reference to a named alias, read once."""
        module = home.module.file.module
        key = f"{module}:{qualname}"
        if key in self._types.definitions:
            return Reference(key)
        state = self._open.get(id(value))
        if state is not None:
            return self._met_again(state, expr, scope, subject)
        found = self._alias_value(value, home, key, subject)
        if found is None:
            return None
        self._types.definitions[key] = AliasDefinition(module, qualname, found, home.module.file.span(pos))
        return Reference(key)

    def _met_again(self, state: _OpenAlias, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """An alias inside itself: fine behind a container, meaningless otherwise."""
        if self._types.containers > state.depth:
            state.recursive = True
            return Reference(state.key)
        message = f"`{state.key.partition(':')[2]}` is defined by itself"
        self._types.report(name_rules.CIRCULAR_DEFINITION, expr.pos, scope, subject, message, label="refers to itself")
        return None

    def _alias_value(self, value: ex.Expr, home: Scope, key: str, subject: Subject) -> Type | None:
        state = _OpenAlias(key, self._types.containers)
        self._open[id(value)] = state
        try:
            return self._types.argument(value, home, subject)
        finally:
            del self._open[id(value)]

    def variable(self, symbol: ValueSymbol, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """A plain alias, or a type made by a call (`NewType`, `TypeAliasType`, …)."""
        if symbol.expr is None:
            return self._types.not_a_type(expr, scope, subject, "a variable without a value")
        if isinstance(symbol.expr, (ex.Name, ex.Attribute)):  # followed to its end already: it comes back to itself
            message = f"`{symbol.name}` is defined by itself"
            rule = name_rules.CIRCULAR_DEFINITION
            self._types.report(rule, expr.pos, scope, subject, message, label="refers to itself")
            return None
        if isinstance(symbol.expr, ex.Call):
            return self._made_by_call(symbol, symbol.expr, expr, scope, subject)
        state = self._open.get(id(symbol.expr))
        if state is not None:
            return self._met_again(state, expr, scope, subject)
        if id(symbol.expr) in self.results:
            return self.results[id(symbol.expr)]
        return self._plain_alias(symbol, symbol.expr, expr, scope, subject)

    def _plain_alias(
        self, symbol: ValueSymbol, value: ex.Expr, expr: ex.Expr, scope: Scope, subject: Subject
    ) -> Type | None:
        if not isinstance(value, (ex.Subscript, ex.Chain, ex.Constant)) or (
            isinstance(value, ex.Constant) and not isinstance(value.value, (str, type(None)))
        ):
            return self._types.not_a_type(expr, scope, subject, f"a variable, `{symbol.name}`")
        module = symbol.scope.module.file
        key = f"{module.module}:{symbol.qualname}"
        state = _OpenAlias(key, self._types.containers)
        self._open[id(value)] = state
        via = Label(scope.module.file.span(expr.pos), f"`{symbol.name}` is the type of {subject.text}")
        try:
            found = self._types.argument(value, symbol.scope, Subject(subject.text, (*subject.via, via)))
        finally:
            del self._open[id(value)]
        if found is not None and state.recursive:
            self._types.definitions[key] = AliasDefinition(
                module.module, symbol.qualname, found, module.span(value.pos)
            )
            found = Reference(key)
        self.results[id(value)] = found
        return found

    def _made_by_call(
        self, symbol: ValueSymbol, call: ex.Call, expr: ex.Expr, scope: Scope, subject: Subject
    ) -> Type | None:
        maker = self._types.resolver.dealias(self._types.resolver.resolve(call.func, symbol.scope))
        name = maker.name if isinstance(maker, KnownSymbol) else ""
        if name == "typing.NewType" and len(call.args) == 2:
            state = self._open.get(id(call))
            if state is not None:
                return self._met_again(state, expr, scope, subject)
            return self._alias_value(call.args[1], symbol.scope, f":{symbol.name}", subject)
        if name == "typing.TypeAliasType" and len(call.args) == 2:
            return self._definition(symbol.qualname, call.args[1], symbol.scope, call.pos, expr, scope, subject)
        if name in ("typing.TypeVar", "typing.ParamSpec", "typing.TypeVarTuple"):
            return self._types.symbol_type(TypeVariable(symbol.name), expr, scope, subject)
        if self._types.classes.read_call(symbol, call, name, subject.via):
            return Reference(f"{symbol.scope.module.file.module}:{symbol.qualname}")
        if self._types.classes.is_class_call(name):
            return None
        return self._types.not_a_type(expr, scope, subject, f"a value made by a call, `{symbol.name}`")
