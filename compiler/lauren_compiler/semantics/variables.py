"""Type variables: which ones a class or alias has, and what they stand for where it is read.

`Box[int]` of `class Box(Generic[T])` is read with T bound to `int` in the body of `Box`; in the bodies of its bases
their own variables are bound to what `Box` says of them. A variable that is bound nowhere stands for its default, one
of its constraints, its bound, or anything, in this order: as for pydantic.

Sources: the typing specification, "Generics" and "Type parameter defaults"; PEP 695; PEP 696.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from ..ir.types import Reference, Type
from ..syntax import expressions as ex
from ..syntax.declarations import AliasDecl, ClassDecl, Scope, TypeParameter
from .symbols import KnownSymbol, Symbol, TypeVariable, ValueSymbol

if TYPE_CHECKING:
    from .resolver import Resolver

_MAKERS = {f"typing.{kind}": kind for kind in ("TypeVar", "ParamSpec", "TypeVarTuple")}
_ANY_STR = "typing.AnyStr"
_DECLARING = frozenset({"typing.Generic", "typing.Protocol"})


def type_parameter(binding: TypeParameter, scope: Scope) -> TypeVariable:
    """The variable of a name in the brackets of a `class`, `def` or `type` statement."""
    bound = binding.bound.expr if binding.bound is not None else None
    constraints = bound.items if isinstance(bound, ex.Tuple) else ()
    default = binding.default.expr if binding.default is not None else None
    return TypeVariable(
        id(binding), binding.name, binding.kind, scope, None if constraints else bound, constraints, default
    )


def variable_of(symbol: Symbol, resolver: Resolver) -> TypeVariable | None:
    """The variable that a name means; None if it means something else.

    What a value is made of may be the value itself: `part = part.strip()` in a loop.
    """
    if isinstance(symbol, TypeVariable):
        return symbol
    if not isinstance(symbol, ValueSymbol) or not isinstance(symbol.expr, ex.Call):
        return None
    call = symbol.expr
    if id(call) in resolver.asked:
        return None
    resolver.asked.add(id(call))
    maker = resolver.dealias(resolver.resolve(call.func, symbol.scope))
    resolver.asked.discard(id(call))
    kind = _MAKERS.get(maker.name) if isinstance(maker, KnownSymbol) else None
    if kind is None:
        return None
    words = (call.keyword("bound"), call.args[1:] if kind == "TypeVar" else (), call.keyword("default"))
    return TypeVariable(id(call), symbol.name, kind, symbol.scope, *words)


def variables_in(expr: ex.Expr, scope: Scope, resolver: Resolver) -> tuple[TypeVariable, ...]:
    """The variables in a type expression, in order of their first use. What stands in quotes has none, as in Python."""
    found: dict[TypeVariable, None] = {}
    pending = [expr]
    while pending:
        part = pending.pop()
        if isinstance(part, (ex.Name, ex.Attribute)):
            variable = variable_of(resolver.dealias(resolver.resolve(part, scope)), resolver)
            if variable is not None:
                found.setdefault(variable)
        pending.extend(reversed(_inner(part)))
    return tuple(found)


def unpacked_in(expr: ex.Expr, scope: Scope, resolver: Resolver) -> ex.Expr | None:
    """What `*X` or `Unpack[X]` unpacks; None for anything else."""
    if isinstance(expr, ex.Starred):
        return expr.value
    if isinstance(expr, ex.Subscript):
        owner = resolver.dealias(resolver.resolve(expr.value, scope))
        return expr.index if owner == KnownSymbol("typing.Unpack") else None
    return None


def _inner(expr: ex.Expr) -> tuple[ex.Expr, ...]:
    if isinstance(expr, ex.Subscript):
        return (expr.value, *expr.arguments)
    if isinstance(expr, (ex.Tuple, ex.Chain, ex.ListDisplay)):
        return expr.items
    return (expr.value,) if isinstance(expr, ex.Starred) else ()


def class_variables(decl: ClassDecl, resolver: Resolver) -> tuple[TypeVariable, ...]:
    """The type parameters of a class: of PEP 695, else of `Generic[...]`, else the variables of its other bases."""
    own = declared_variables(decl.signature_scope)
    if own:
        return own
    found: dict[TypeVariable, None] = {}
    for base in decl.bases:
        if not isinstance(base.expr, ex.Subscript):
            continue
        variables = variables_in(base.expr.index, decl.signature_scope, resolver)
        symbol = resolver.base_symbol(base.expr, decl)
        if isinstance(symbol, KnownSymbol) and symbol.name in _DECLARING:
            return variables
        for variable in variables:
            found.setdefault(variable)
    return tuple(found)


def alias_variables(decl: AliasDecl) -> tuple[TypeVariable, ...]:
    """The type parameters of `type X[T] = …`."""
    return declared_variables(decl.value_scope)


def declared_variables(scope: Scope) -> tuple[TypeVariable, ...]:
    """The type parameters that a scope consists of."""
    if scope.kind != "parameters":
        return ()
    return tuple(type_parameter(item, scope) for item in scope.members if isinstance(item, TypeParameter))


class Unread(Struct, frozen=True, eq=False):
    """An argument in brackets that is read when it is needed: in a scope, with what was bound there."""

    expr: ex.Expr
    scope: Scope
    bound: Mapping[Scope, Arguments]


class Spread(Struct, frozen=True):
    """Any number of values of a type, among others: `*tuple[item, ...]`."""

    item: Type


Part: TypeAlias = "Type | Unread | Spread"
Argument: TypeAlias = "Type | Unread | tuple[Part, ...]"
"""What a variable stands for; a TypeVarTuple for several."""


class Arguments(Struct, frozen=True, eq=False):
    """What the variables of a class or alias stand for, by identity, and what `Self` is there.

    `suffix` is what a definition's key has behind the class's, because of them. `late` says that pydantic puts them in
    place as it reads the class or the named alias, and not Python at the brackets.
    """

    values: Mapping[int, Argument] = field(default_factory=dict[int, "Argument"])
    suffix: str = ""
    given: tuple[Type, ...] = ()
    self_type: Reference | None = None
    late: bool = False


class Variables:
    """What variables stand for just now, by the scope they are read in. `replaced` counts those put in place late."""

    def __init__(self) -> None:
        self.replaced = 0
        self._bound: dict[Scope, Arguments] = {}
        self._falling: set[int] = set()

    @contextmanager
    def bound(self, arguments: Mapping[Scope, Arguments]) -> Generator[None]:
        """Meanwhile the variables that are read in these scopes, or in scopes inside them, stand for these."""
        before = self._bound
        self._bound = {**before, **arguments}
        try:
            yield
        finally:
            self._bound = before

    @contextmanager
    def apart(self) -> Generator[None]:
        """Meanwhile something is read that gets a definition of its own: what is put in place there is not counted.

        It is read once, and where that happens to be must not matter.
        """
        before = self.replaced
        try:
            yield
        finally:
            self.replaced = before

    def snapshot(self) -> Mapping[Scope, Arguments]:
        return self._bound

    def at(self, scope: Scope) -> Arguments | None:
        """What holds in a scope, from wherever around it that comes; None if nothing is bound."""
        step: Scope | None = scope
        while step is not None:
            found = self._bound.get(step)
            if found is not None:
                return found
            step = step.parent
        return None

    def value(self, variable: TypeVariable, scope: Scope) -> Argument | None:
        """What a variable stands for that is read in a scope; None if nothing is said of it."""
        found = self.at(scope)
        value = None if found is None else found.values.get(variable.identity)
        if found is not None and found.late and value is not None:
            self.replaced += 1
        return value

    @contextmanager
    def falling_back(self, variable: TypeVariable) -> Generator[bool]:
        """While the bound or default of a variable is read; False if that is so already, further out."""
        if variable.identity in self._falling:
            yield False
            return
        self._falling.add(variable.identity)
        try:
            yield True
        finally:
            self._falling.discard(variable.identity)
