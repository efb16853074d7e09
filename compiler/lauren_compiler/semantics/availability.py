"""Which names are there when Python itself looks for them: without what stands under `TYPE_CHECKING`, and in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..syntax.annotations import parse_annotation
from ..syntax.declarations import Assignment, Scope
from ..syntax.expressions import (
    Attribute,
    Chain,
    Comprehension,
    Constant,
    Expr,
    Keyword,
    Lambda,
    Name,
    Subscript,
    Tuple,
)
from . import known
from .choice import Choice, absolute_module
from .conditions import Conditions
from .reading import Reading
from .resolver import Resolver
from .symbols import ClassSymbol, KnownSymbol

_CLASSES = frozenset(
    f"builtins.{name}" for name in "bool bytes complex dict float frozenset int list object set str tuple type".split()
)


class Availability:
    """Answers for one program, as it runs: `choice` is the resolver's with `TYPE_CHECKING` false."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        conditions = Conditions(resolver, resolver.program.environment, type_checking=False)
        self.choice = Choice(conditions, resolver.module_exists)

    def missing(self, name: Name, scope: Scope, at: tuple[int, int] | None) -> bool:
        """Whether a name that is read in a scope at a place (None: when all has run) is surely not bound then."""
        if name.id in known.BUILTINS or _is_bound_once(name.id, scope, at):
            return False
        for step, place in Reading(scope, at).outwards(name.id):
            if self.choice.options(step, name.id, place) or name.id in step.module.global_names:
                return False
            if self.starred(step, name.id, place):
                return False
        return not scope.module.writes_globals

    def starred(self, scope: Scope, name: str, at: tuple[int, int] | None) -> bool:
        """Whether a star import may bring the name."""
        for star in scope.stars:
            if self.choice.reached(star, scope) is False or (at is not None and star.since > at):
                continue
            source = absolute_module(star, scope.module) or ""
            parsed = self._resolver.program.module(source)
            if parsed is None or known.known_name(source, name) is not None or self._resolver.exports.has(parsed, name):
                return True
        return False

    def names(self, expr: Expr, scope: Scope, *, quoted: bool) -> Iterator[Name]:
        """The names in an annotation: those that Python evaluates with it, or those that it leaves as text (`quoted`).

        What stands in `Literal[...]`, and behind the type in `Annotated`, is no annotation. The body of a lambda is
        evaluated when it is called, and what a comprehension goes over has names of its own.
        """
        pending: list[Any] = [expr]
        while pending:
            part = pending.pop()
            if isinstance(part, Name):
                if part.deferred is quoted:
                    yield part
            elif isinstance(part, Tuple):
                pending += part.items
            elif isinstance(part, Constant):
                if quoted and isinstance(part.value, str):
                    inner = parse_annotation(part, scope.module.file)
                    pending += [] if inner is None or isinstance(inner, Constant) else [inner]
            elif isinstance(part, Subscript) and quoted:
                pending += [part.value, *self._types(part, scope)]
            elif isinstance(part, Lambda):
                continue
            elif isinstance(part, Comprehension):
                yield from self._of_comprehension(part, scope, quoted)
            elif isinstance(part, (Expr, Keyword)):
                pending += [getattr(part, field) for field in part.__struct_fields__ if field != "pos"]
            elif isinstance(part, tuple):
                pending += part  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    def read_names(self, expr: Expr, scope: Scope) -> Iterator[Name]:
        """All names in an annotation, those in texts included."""
        yield from self.names(expr, scope, quoted=False)
        yield from self.names(expr, scope, quoted=True)

    def joined_texts(self, expr: Expr, scope: Scope) -> Iterator[Constant]:
        """The texts in an annotation that Python can't join with `|` to what stands beside them.

        A class, None or another text can't take them; the types of `typing` can, and what is not known may.
        """
        pending: list[Any] = [expr]
        while pending:
            part = pending.pop()
            if isinstance(part, Chain) and part.op == "|":
                first = next((index for index, item in enumerate(part.items) if _is_text(item)), None)
                if first is not None and all(
                    self._takes_no_text(item, scope) for item in part.items[: max(first, 1) + 1]
                ):
                    text = part.items[first]
                    assert isinstance(text, Constant)
                    yield text
            if isinstance(part, Subscript):
                pending += [part.value, *self._types(part, scope)]
            elif isinstance(part, (Chain, Tuple)):
                pending += part.items

    def _takes_no_text(self, expr: Expr, scope: Scope) -> bool:
        if isinstance(expr, Constant):
            return expr.value is None or _is_text(expr)
        named = expr.value if isinstance(expr, Subscript) else expr
        if not isinstance(named, (Name, Attribute)) or (isinstance(named, Name) and named.deferred):
            return False
        symbol = self._resolver.dealias(self._resolver.resolve(named, scope))
        if isinstance(symbol, ClassSymbol):
            # In brackets it is a type of `typing`; and a metaclass may say what `|` does.
            return named is expr and "metaclass" not in symbol.decl.keywords
        return isinstance(symbol, KnownSymbol) and symbol.name in _CLASSES

    def _of_comprehension(self, part: Comprehension, scope: Scope, quoted: bool) -> Iterator[Name]:
        """The names that are not its own."""
        yield from self.names(part.source, scope, quoted=quoted)
        own = {name.id for name in self.names(part.target, scope, quoted=quoted)}
        for inner in part.evaluated_inside:
            yield from (name for name in self.names(inner, scope, quoted=quoted) if name.id not in own)

    def _types(self, part: Subscript, scope: Scope) -> tuple[Expr, ...]:
        owner = self._resolver.dealias(self._resolver.resolve(part.value, scope))
        if owner == KnownSymbol("typing.Literal"):
            return ()
        return part.arguments[:1] if owner == KnownSymbol("typing.Annotated") else part.arguments


def _is_bound_once(name: str, scope: Scope, at: tuple[int, int] | None) -> bool:
    """Whether a name of a module is bound by one statement for certain, before a place: so most of them are."""
    bindings = scope.bindings.get(name, ()) if scope.kind == "module" else ()
    if len(bindings) != 1 or bindings[0].guards is not None or (at is not None and bindings[0].since > at):
        return False
    return not (isinstance(bindings[0], Assignment) and bindings[0].value is None)


def _is_text(expr: Expr) -> bool:
    return isinstance(expr, Constant) and isinstance(expr.value, str)
