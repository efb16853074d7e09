"""What a decoder has to load and call to make an annotation again, which pydantic then builds values of.

AfterValidator(check)   →   Called(Loaded("pydantic", "AfterValidator"), (Loaded("shop", "check"),))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.recipes import ANNOTATED, FIELD, Called, Display, Indexed, Loaded, Recipe, Typed
from ..ir.types import Adapted, Bounds, Reference, TupleOf, Type, VariadicTupleOf
from ..ir.values import Constant, Value
from ..ir.walk import walk
from ..syntax import expressions as ex
from ..syntax.annotations import parse_annotation
from ..syntax.declarations import Scope
from .constants import Constants, NotConstant
from .symbols import (
    AliasSymbol,
    ClassSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    TypeVariable,
    ValueSymbol,
)

_NEWER = frozenset(
    """
    Buffer CapsuleType Doc NoDefault NoExtraItems ReadOnly Sentinel TypeAliasType TypeForm TypeIs deprecated override
    """.split()
)
"""Names of `typing` that the oldest Python we run on has only in `typing_extensions`, which comes with pydantic."""


CANT_READ = "can't read a tuple that is unpacked in another"
UNPACKED_REMEDY = "write the items out, or take the part with any number of them as a list of its own"


class Unmakeable(Exception):
    """`why` completes "a decoder can't make it again: …"."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def loaded(symbol: Symbol) -> Loaded:
    """What loads the object that a name means. Raises `Unmakeable` for what no module has at its top."""
    match symbol:
        case KnownSymbol(name) if not name.startswith("lauren."):
            module, _, last = name.rpartition(".")
            return Loaded("typing_extensions" if module == "typing" and last in _NEWER else module, last)
        case ClassSymbol(decl) | FunctionSymbol(decl) | AliasSymbol(decl):
            found = Loaded(decl.scope.module.file.module, decl.qualname)
        case ValueSymbol(qualname=qualname, scope=scope):
            found = Loaded(scope.module.file.module, qualname)
        case TypeVariable(name):
            raise Unmakeable(f"`{name}` is a type variable")
        case _:
            raise Unmakeable("it names something that can't be known")
    if "<locals>" in found.qualname:
        raise Unmakeable(f"`{found.qualname.rpartition('.')[2]}` is defined inside a function")
    return found


class RecipeMaker:
    """Makes recipes of expressions in a scope."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants

    def value(self, expr: ex.Expr, scope: Scope) -> Recipe:
        """The recipe of an argument or an item of metadata. Raises `Unmakeable`."""
        if isinstance(expr, ex.Constant) and expr.value is ...:
            return Loaded("builtins", "Ellipsis")
        handler = _HANDLERS.get(type(expr))
        if handler is not None:
            return handler(self, expr, scope)
        value = self.constants.evaluate(expr, scope)
        if isinstance(value, NotConstant):
            raise Unmakeable("a lambda has no name to load it by" if isinstance(expr, ex.Lambda) else value.why)
        return value

    def annotation(self, expr: ex.Expr, scope: Scope) -> Recipe:
        """The recipe of an annotation inside metadata. Raises `Unmakeable`."""
        if isinstance(expr, ex.Constant) and isinstance(expr.value, str):
            inner = parse_annotation(expr, scope.module.file)
            if inner is None:
                raise Unmakeable("it is not valid Python")
            return self.annotation(inner, scope)
        if isinstance(expr, ex.Chain) and expr.op == "|":
            return Indexed(Loaded("typing", "Union"), tuple(self.annotation(item, scope) for item in expr.items))
        if isinstance(expr, ex.Subscript):
            base = self.symbol(expr.value, scope)
            if base == Loaded("typing", "Literal"):
                return Indexed(base, tuple(self.value(item, scope) for item in expr.arguments))
            if base == ANNOTATED:
                first, *rest = expr.arguments
                return Indexed(base, (self.annotation(first, scope), *(self.value(item, scope) for item in rest)))
            return Indexed(base, tuple(self.annotation(item, scope) for item in expr.arguments))
        return self.value(expr, scope)

    def symbol(self, expr: ex.Expr, scope: Scope) -> Loaded:
        resolver = self.constants.resolver
        return loaded(resolver.dealias(resolver.resolve(expr, scope)))

    def attribute(self, expr: ex.Attribute, scope: Scope) -> Loaded:
        resolver = self.constants.resolver
        owner = resolver.dealias(resolver.resolve(expr.value, scope))
        if isinstance(owner, ModuleSymbol):
            return Loaded(owner.name, expr.attr)
        found = loaded(owner)
        return Loaded(found.module, f"{found.qualname}.{expr.attr}")


def _name(maker: RecipeMaker, expr: ex.Name | ex.Attribute, scope: Scope) -> Recipe:
    try:
        return maker.symbol(expr, scope)
    except Unmakeable:
        value = maker.constants.evaluate(expr, scope)
        if isinstance(value, Constant):
            return value
        if isinstance(expr, ex.Attribute):  # of a class, or of a module that has no source
            return maker.attribute(expr, scope)
        raise


def _call(maker: RecipeMaker, expr: ex.Call, scope: Scope) -> Recipe:
    named: list[tuple[str, Recipe]] = []
    for word in expr.keywords:
        if word.name is None or not word.name.isascii():
            raise Unmakeable("it unpacks a dict" if word.name is None else f"the keyword `{word.name}`")
        named.append((word.name, maker.value(word.value, scope)))
    arguments = tuple(maker.value(item, scope) for item in expr.args)
    return Called(maker.symbol(expr.func, scope), arguments, tuple(named))


def _subscript(maker: RecipeMaker, expr: ex.Subscript, scope: Scope) -> Recipe:
    return maker.annotation(expr, scope)


def _chain(maker: RecipeMaker, expr: ex.Chain, scope: Scope) -> Recipe:
    value = maker.constants.evaluate(expr, scope)
    return maker.annotation(expr, scope) if isinstance(value, NotConstant) and expr.op == "|" else _known(value)


def _known(value: Value | NotConstant) -> Value:
    if isinstance(value, NotConstant):
        raise Unmakeable(value.why)
    return value


def _display(maker: RecipeMaker, expr: ex.ListDisplay | ex.Tuple, scope: Scope) -> Recipe:
    kind = "tuple" if isinstance(expr, ex.Tuple) else "list"
    return Display(kind, tuple(maker.value(item, scope) for item in expr.items))


_HANDLERS: dict[type[ex.Expr], Callable[[RecipeMaker, Any, Scope], Recipe]] = {
    ex.Name: _name,
    ex.Attribute: _name,
    ex.Call: _call,
    ex.Subscript: _subscript,
    ex.Chain: _chain,
    ex.ListDisplay: _display,
    ex.Tuple: _display,
}


def made(*ways: Callable[[], Recipe]) -> Recipe | str:
    """The recipe by the first way that leads to one; else why the last one does not."""
    why = ""
    for way in ways:
        try:
            return way()
        except Unmakeable as problem:
            why = problem.why
    return why


def annotated(inner: Recipe, items: tuple[Recipe, ...]) -> Recipe:
    """`Annotated[inner, items]`."""
    return Indexed(ANNOTATED, (inner, *items)) if items else inner


def field_of(bounds: Bounds) -> Recipe:
    """`Field(...)` with bounds."""
    return Called(FIELD, (), tuple((name, Constant(value)) for name, value in bounds.given))


def is_unpacked(kind: Type) -> bool:
    """Whether a tuple was written with another one unpacked in it. pydantic 2 refuses that in a model, and elsewhere
    takes the inner tuple for one item."""
    return isinstance(kind, (TupleOf, VariadicTupleOf)) and kind.unpacked


def recipe_of(kind: Type) -> Recipe:
    """How to make the annotation that a type was read from, texts left out. Raises `Unmakeable`."""
    for part in walk(kind):
        if isinstance(part, Reference) and "<locals>" in part.key:
            raise Unmakeable(f"`{part.key.rpartition('.')[2]}` is defined inside a function")
    return kind.annotation if isinstance(kind, Adapted) else Typed(kind)
