"""Whether `typing.get_type_hints` can evaluate a function's annotations when `@tool()` of lauren-ai asks it to.

It evaluates what is text, in the namespace that the function's module has at that moment, and all or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...semantics.availability import Availability
from ...semantics.resolver import Resolver
from ...semantics.symbols import KnownSymbol
from ...source.span import Span
from ...syntax.annotations import parse_annotation
from ...syntax.declarations import FunctionDecl, Lazy, Scope
from ...syntax.expressions import Chain, Comprehension, Constant, Expr, Keyword, Lambda, Name, Subscript, is_tuple

_LITERAL, _ANNOTATED = KnownSymbol("typing.Literal"), KnownSymbol("typing.Annotated")


class Evaluation:
    """Of the annotations of one function, whose tool is made at a place of its module (None: when all has run)."""

    def __init__(
        self, decl: FunctionDecl, at: tuple[int, int] | None, resolver: Resolver, available: Availability
    ) -> None:
        self._home = decl.scope.module.scope
        self._at = at
        self._resolver = resolver
        self._available = available
        self.failure: Span | None = None
        """The place of what can't be evaluated, the first of all."""
        for annotation in _annotations(decl):
            self._check(annotation.expr, decl.signature_scope, text=decl.scope.module.future_annotations)

    def text(self, expr: Expr, scope: Scope) -> Expr | None:
        """What a text inside an annotation (or an alias that one names) holds; whether it can be evaluated is noted."""
        inner = parse_annotation(expr, scope.module.file) if isinstance(expr, Constant) and _is_text(expr) else None
        if inner is not None:
            self._check(inner, scope, text=True)
        return inner

    def _check(self, expr: Expr, scope: Scope, *, text: bool) -> None:
        for part, is_type in self._evaluated(expr, scope, text):
            if self.failure is not None:
                return
            if isinstance(part, Name):
                own = scope.kind == "parameters" and part.id in scope.bindings  # a type parameter of the function
                if part.deferred and not own and self._available.missing(part, self._home, self._at):
                    self.failure = scope.module.file.span(part.pos)
            elif isinstance(part, Chain) and is_type and part.op == "|" and not self._takes_text(part, scope):
                self.failure = scope.module.file.span(part.pos)

    def _evaluated(self, expr: Expr, scope: Scope, text: bool, *, as_type: bool = True) -> Iterator[tuple[Expr, bool]]:
        """The names and unions that are evaluated, with whether each is (part of) a type."""
        pending: list[tuple[Any, bool, bool]] = [(expr, as_type, text)]
        while pending:
            part, is_type, inside = pending.pop()
            if isinstance(part, Name):
                yield part, is_type
            elif isinstance(part, Constant):
                inner = parse_annotation(part, scope.module.file) if _is_text(part) and is_type else None
                pending += [] if inner is None else [(inner, True, True)]
            elif isinstance(part, Subscript):
                pending += [(part.value, False, inside), *self._arguments(part, scope, is_type, inside)]
            elif isinstance(part, Lambda):
                continue  # its body is evaluated when it is called
            elif isinstance(part, Comprehension):
                yield from self._of_comprehension(part, scope, inside)
            elif isinstance(part, (Expr, Keyword)):
                if isinstance(part, Chain) and inside:
                    yield part, is_type
                fields = [getattr(part, field) for field in part.__struct_fields__ if field != "pos"]
                pending += [(each, is_type, inside) for each in fields]
            elif is_tuple(part):
                pending += [(each, is_type, inside) for each in part]

    def _of_comprehension(self, part: Comprehension, scope: Scope, text: bool) -> Iterator[tuple[Expr, bool]]:
        """What is evaluated but the names that are its own; nothing of it is a type."""
        yield from self._evaluated(part.source, scope, text, as_type=False)
        own = {each.id for each, _ in self._evaluated(part.target, scope, text) if isinstance(each, Name)}
        for inner in part.evaluated_inside:
            for each in self._evaluated(inner, scope, text, as_type=False):
                if not (isinstance(each[0], Name) and each[0].id in own):
                    yield each

    def _arguments(
        self, part: Subscript, scope: Scope, is_type: bool, inside: bool
    ) -> Iterator[tuple[Any, bool, bool]]:
        owner = self._resolver.dealias(self._resolver.resolve(part.value, scope))
        for number, each in enumerate(part.arguments):
            inner = owner != _LITERAL and (owner != _ANNOTATED or number == 0)
            yield each, is_type and inner, inside

    def _takes_text(self, part: Chain, scope: Scope) -> bool:
        """Whether `a | "B"` can be evaluated: only objects of `typing` take a text beside them."""
        if not any(_is_text(item) for item in part.items):
            return True
        first = part.items[0].value if isinstance(part.items[0], Subscript) else part.items[0]
        symbol = self._resolver.dealias(self._resolver.resolve(first, scope))
        return isinstance(symbol, KnownSymbol) and symbol.name.startswith("typing.")


def _annotations(decl: FunctionDecl) -> Iterator[Lazy]:
    for each in (*(parameter.annotation for parameter in decl.parameters), decl.returns):
        if each is not None:
            yield each


def _is_text(expr: Expr) -> bool:
    return isinstance(expr, Constant) and isinstance(expr.value, str)
