"""What kind of class a class is, by its decorators and bases."""

from __future__ import annotations

from msgspec import Struct

from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Expr
from ..metadata import is_pydantic
from ..resolver import Resolver
from ..symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol

ENUM_BASES = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "enum.ReprEnum"})
_ENUM_DECORATOR = "enum:_simple_enum"
FLAG_BASES = frozenset({"enum.Flag", "enum.IntFlag"})
MODEL_BASES = frozenset({"pydantic.BaseModel", "pydantic.RootModel", "pydantic.create_model"})
"""What `create_model` makes is written as a class with that for its base, see `syntax/made_classes.py`."""
STRUCT_BASES = frozenset({"msgspec.Struct"})
PYDANTIC_MAKER = "pydantic.dataclasses.dataclass"
_DATACLASS_MAKERS = ("dataclasses.dataclass", PYDANTIC_MAKER)


class CalledBase(Struct, frozen=True):
    """A base that a call makes, `class P(namedtuple("P", "x y"))`: the known name of what is called, and the call."""

    name: str
    call: Call
    scope: Scope


_CALLED = {
    "collections.namedtuple": "typing.NamedTuple",
    "typing.NamedTuple": "typing.NamedTuple",
    "typing.TypedDict": "typing.TypedDict",
}
"""What makes a base, and the known base that it is one of."""


class Ancestry(Struct, frozen=True):
    """A class and its bases. `classes` have source, the class itself first; `known` are the bases we know by name,
    those that the `called` are of among them.

    `lost` is the first base that can't be known, with the class that names it.
    """

    classes: tuple[ClassDecl, ...]
    known: frozenset[str]
    lost: tuple[Unresolved | DynamicSymbol, Expr, ClassDecl] | None = None
    cycle: bool = False
    called: tuple[CalledBase, ...] = ()


def ancestry(decl: ClassDecl, resolver: Resolver) -> Ancestry:
    """All bases of a class, breadth first."""
    bases: dict[ClassDecl, list[ClassDecl]] = {}
    known: set[str] = set()
    called: list[CalledBase] = []
    lost: tuple[Unresolved | DynamicSymbol, Expr, ClassDecl] | None = None
    pending: list[ClassDecl] = [decl]
    while pending:
        step = pending.pop(0)
        if step in bases:
            continue
        bases[step] = []
        for base in step.bases:
            symbol = resolver.base_symbol(base.expr, step)
            if isinstance(symbol, ClassSymbol):
                bases[step].append(symbol.decl)
                pending.append(symbol.decl)
            elif isinstance(symbol, KnownSymbol):
                known.add(symbol.name)
            elif (made := _called_base(base.expr, symbol, step, resolver)) is not None:
                called.append(made)
                known.add(_CALLED[made.name])
            else:
                lost = lost or (_lost(symbol), base.expr, step)
    return Ancestry(tuple(bases), frozenset(known), lost, _circular(bases), tuple(called))


def _called_base(expr: Expr, symbol: Symbol, decl: ClassDecl, resolver: Resolver) -> CalledBase | None:
    """The base that a call makes, in the brackets of the class statement or in an assignment."""
    call, scope = expr, decl.signature_scope
    if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
        call, scope = symbol.expr, symbol.scope
    if not isinstance(call, Call):
        return None
    maker = resolver.dealias(resolver.resolve(call.func, scope))
    return CalledBase(maker.name, call, scope) if isinstance(maker, KnownSymbol) and maker.name in _CALLED else None


def _circular(bases: dict[ClassDecl, list[ClassDecl]]) -> bool:
    """Whether some class is its own ancestor: then classes remain when those without open bases are taken away."""
    waiting = {decl: len(set(found)) for decl, found in bases.items()}
    derived: dict[ClassDecl, list[ClassDecl]] = {decl: [] for decl in bases}
    for decl, found in bases.items():
        for base in set(found):
            derived[base].append(decl)
    closed = [decl for decl, count in waiting.items() if not count]
    for decl in closed:  # grows while it is read
        for each in derived[decl]:
            waiting[each] -= 1
            if not waiting[each]:
                closed.append(each)
    return len(closed) < len(bases)


def _lost(symbol: Symbol) -> Unresolved | DynamicSymbol:
    if isinstance(symbol, (Unresolved, DynamicSymbol)):
        return symbol
    return DynamicSymbol(getattr(symbol, "name", ""), "an expression")


def foreign_rule(found: Ancestry, resolver: Resolver) -> str | None:
    """What, of those that change what data a class takes, is not covered by this version: pydantic's decorators, and
    enums made by a decorator."""
    for owner in found.classes:
        for decorator in owner.decorators:
            expr = decorator.expr.func if isinstance(decorator.expr, Call) else decorator.expr
            symbol = resolver.dealias(resolver.resolve(expr, owner.scope))
            if isinstance(symbol, (ClassSymbol, FunctionSymbol)):
                home = symbol.decl.scope
                if is_pydantic(home) or symbol.decl.key == _ENUM_DECORATOR:
                    return f"`@{symbol.decl.name}` of `{home.module.file.module}`"
    return None


def decorator_call(decl: ClassDecl, known: str, resolver: Resolver) -> tuple[bool, Call | None]:
    """Whether a class has the decorator of that known name, and its call if it is called."""
    for decorator in decl.decorators:
        expr = decorator.expr
        call = expr if isinstance(expr, Call) else None
        target = call.func if call is not None else expr
        symbol = resolver.dealias(resolver.resolve(target, decl.scope))
        if symbol == KnownSymbol(known):
            return True, call
    return False, None


def dataclass_maker(decl: ClassDecl, resolver: Resolver) -> str | None:
    """The known name of the decorator that makes the class itself a dataclass; None if it has none."""
    return next((maker for maker in _DATACLASS_MAKERS if decorator_call(decl, maker, resolver)[0]), None)


def other_base(decl: ClassDecl, resolver: Resolver, known: str) -> Pos | None:
    """The place of a base that is neither `known`, nor derived from it, nor `Generic`; None if there is none."""
    for base in decl.bases:
        symbol = resolver.base_symbol(base.expr, decl)
        if isinstance(symbol, ClassSymbol) and known not in ancestry(symbol.decl, resolver).known:
            return base.pos
        if isinstance(symbol, KnownSymbol) and symbol.name not in (known, "typing.Generic"):
            return base.pos
    return None
