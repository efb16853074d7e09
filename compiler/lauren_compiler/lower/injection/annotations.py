"""What a parameter or attribute asks for, by its annotation: the rules of the runtime's container/annotations.py.

a: A                            A                 a: A | None                  A, which may be absent
a: list[A]                      all of A          a: Annotated[T, Inject(X)]   X
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ...diagnostics.rules.names import UNRESOLVED_NAME
from ...ir.graph import Token
from ...semantics.availability import Availability
from ...semantics.symbols import AliasSymbol, DynamicSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol
from ...syntax import expressions as ex
from ...syntax.annotations import parse_annotation
from ...syntax.declarations import Scope
from .tokens import LISTS, Read, TokenReader

_ANNOTATED = KnownSymbol("typing.Annotated")
_OPTIONAL = KnownSymbol("typing.Optional")
_UNION = KnownSymbol("typing.Union")
INJECT = KnownSymbol("lauren.Inject")
OPTIONAL_DEP = KnownSymbol("lauren.OptionalDep")
_MAX_DEPTH = 20
_ATTRIBUTES = frozenset(
    f"typing.{name}" for name in "Callable ClassVar Dict Final FrozenSet Literal Optional Set Tuple Type Union".split()
)
"""Annotations in class bodies that no token is meant by, with or without brackets."""


class Asked(Struct, frozen=True):
    """`token` is None if it can't be known; `problem` says why the annotation means nothing."""

    token: Token | None
    collects: Literal["no", "list", "multi"] = "no"
    optional: bool = False
    problem: str | None = None


_UNKNOWN = Asked(None)


class AnnotationReader:
    """Reads what annotations ask for."""

    def __init__(self, tokens: TokenReader) -> None:
        self._tokens = tokens
        self._available = Availability(tokens.resolver)

    def asked(self, expr: ex.Expr, scope: Scope, depth: int = 0) -> Asked:
        """What an annotation asks for."""
        plain = _unquoted(expr, scope)
        if plain is None or depth > _MAX_DEPTH:
            return Asked(None, problem="it is not valid Python")
        missing = self._missing(plain, scope)
        if missing is not None:
            return Asked(None, problem=missing)
        if isinstance(plain, ex.Chain) and plain.op == "|":
            return self._union(plain, scope, depth)
        if isinstance(plain, ex.Subscript):
            return self._subscript(plain, scope, depth)
        if isinstance(plain, (ex.Name, ex.Attribute)):
            symbol = self._tokens.meaning(plain, scope)
            if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (ex.Subscript, ex.Chain, ex.Constant)):
                return self.asked(symbol.expr, symbol.scope, depth + 1)
            return _of(self._tokens.of_symbol(symbol, plain, scope))
        return _of(self._tokens.read(plain, scope))

    def token(self, expr: ex.Expr, scope: Scope, depth: int = 0) -> Asked:
        """What an entry of `injects`, or the token of an `Inject`, asks for. Texts are tokens here."""
        call = self._call(expr, scope)
        if call is not None and depth < _MAX_DEPTH:
            made, where, meant = call
            inner = made.args[0] if len(made.args) == 1 and not made.keywords else made.keyword("token")
            if meant in (INJECT, OPTIONAL_DEP):
                asked = _UNKNOWN if inner is None else self.token(inner, where, depth + 1)
                return replace(asked, optional=asked.optional or meant == OPTIONAL_DEP)
        read = self._tokens.read(expr, scope)
        if isinstance(read, Token) and read.element is not None:
            return Asked(read.element, "list")
        return _of(read)

    def described(self, expr: ex.Expr, scope: Scope) -> str | None:
        """An entry of `injects` as the runtime describes it; None if that can't be told."""
        call = self._call(expr, scope)
        if call is not None and call[2] in (INJECT, OPTIONAL_DEP):
            inner = self.described(call[0].args[0], call[1]) if len(call[0].args) == 1 else None
            name = "Inject" if call[2] == INJECT else "OptionalDep"
            return None if inner is None else f"{name}({inner})"
        read = self._tokens.read(expr, scope)
        return read.described if isinstance(read, Token) else None

    def is_attribute_only(self, expr: ex.Expr, scope: Scope, depth: int = 0) -> bool | None:
        """Whether a class body's annotation only declares an attribute; None if that can't be known."""
        plain = _unquoted(expr, scope)
        if plain is None or depth > _MAX_DEPTH or self._missing(plain, scope) is not None:
            return False
        if isinstance(plain, ex.Constant):
            return plain.value is None
        if isinstance(plain, ex.Chain):
            return plain.op == "|"
        owner = plain.value if isinstance(plain, ex.Subscript) else plain
        symbol = self._tokens.meaning(owner, scope) if isinstance(owner, (ex.Name, ex.Attribute)) else None
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (ex.Subscript, ex.Chain, ex.Constant)):
            return self.is_attribute_only(symbol.expr, symbol.scope, depth + 1)
        if isinstance(plain, ex.Subscript) and symbol in LISTS:
            return self.is_attribute_only(plain.arguments[0], scope, depth + 1)
        if isinstance(symbol, (DynamicSymbol, AliasSymbol)) or symbol is None:
            return None
        return isinstance(symbol, KnownSymbol) and _is_attribute(symbol.name)

    def _subscript(self, expr: ex.Subscript, scope: Scope, depth: int) -> Asked:
        owner = self._tokens.meaning(expr.value, scope)
        if owner == _ANNOTATED:
            return self._annotated(expr, scope, depth)
        if owner in (_OPTIONAL, _UNION):
            return self._union(expr, scope, depth)
        if owner in LISTS and len(expr.arguments) == 1:
            inner = self.asked(expr.arguments[0], scope, depth + 1)
            return replace(inner, collects="list", optional=False)
        return _of(self._tokens.read(expr, scope))

    def _annotated(self, expr: ex.Subscript, scope: Scope, depth: int) -> Asked:
        inner, *metadata = expr.arguments
        written = self.asked(inner, scope, depth + 1)
        for each in metadata:
            call = self._call(each, scope)
            if call is not None and call[2] == INJECT:
                token = self.token(each, scope)
                collects = token.collects if token.collects != "no" else "multi" if written.collects != "no" else "no"
                return Asked(token.token, collects, written.optional or token.optional)
            if call is None and not isinstance(each, ex.Constant) and not self._is_no_marker(each, scope):
                return _UNKNOWN
        return written

    def _is_no_marker(self, expr: ex.Expr, scope: Scope) -> bool:
        """Whether metadata is known to be something else than an `Inject(...)`."""
        if not isinstance(expr, (ex.Name, ex.Attribute)):
            return True
        return not isinstance(self._tokens.meaning(expr, scope), (DynamicSymbol, Unresolved))

    def _call(self, expr: ex.Expr, scope: Scope) -> tuple[ex.Call, Scope, Symbol] | None:
        """A call, also one that a variable is set to; where it is read; and what it calls."""
        if isinstance(expr, (ex.Name, ex.Attribute)):
            symbol = self._tokens.meaning(expr, scope)
            if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
                return None
            expr, scope = symbol.expr, symbol.scope
        if not isinstance(expr, ex.Call):
            return None
        return expr, scope, self._tokens.meaning(expr.func, scope)

    def _union(self, expr: ex.Expr, scope: Scope, depth: int) -> Asked:
        """`T | None` asks for T, which may be absent; any other union is a token as it stands."""
        arms = list(self._arms(expr, scope))
        others = [arm for arm in arms if not _is_none(arm[0])]
        if len(others) == 1 and len(arms) == 2:
            return replace(self.asked(*others[0], depth + 1), optional=True)
        return _of(self._tokens.read(expr, scope))

    def _arms(self, expr: ex.Expr, scope: Scope) -> list[tuple[ex.Expr, Scope]]:
        """The members of a union, unions in it flattened."""
        items: tuple[ex.Expr, ...] | None = None
        if isinstance(expr, ex.Chain) and expr.op == "|":
            items = expr.items
        elif isinstance(expr, ex.Subscript):
            owner = self._tokens.meaning(expr.value, scope)
            if owner == _UNION:
                items = expr.arguments
            elif owner == _OPTIONAL:
                items = (*expr.arguments, ex.Constant(expr.pos, None))
        if items is None:
            return [(expr, scope)]
        return [arm for item in items for arm in self._arms(item, scope)]

    def _missing(self, expr: ex.Expr, scope: Scope) -> str | None:
        """Why an annotation can't be evaluated as the sources run, None if nothing is known to be against it."""
        for quoted in (True, False):
            for name in self._available.names(expr, scope, quoted=quoted):
                owner = scope.parent if scope.kind == "parameters" else scope
                if owner is not None and owner.kind == "class" and name.id in owner.bindings:
                    continue
                if self._available.missing(name, scope, None):
                    symbol = self._tokens.meaning(name, scope)
                    if isinstance(symbol, Unresolved) and symbol.diagnostic.rule is UNRESOLVED_NAME:
                        return symbol.diagnostic.message
                    if not isinstance(symbol, Unresolved):
                        return f"`{name.id}` is there for type checkers only"
        return None


def _unquoted(expr: ex.Expr, scope: Scope) -> ex.Expr | None:
    depth = 0
    while isinstance(expr, ex.Constant) and isinstance(expr.value, str):
        inner = parse_annotation(expr, scope.module.file)
        depth += 1
        if inner is None or depth > _MAX_DEPTH:
            return None
        expr = inner
    return expr


def _of(read: Read) -> Asked:
    if isinstance(read, Unresolved):
        rule = read.diagnostic.rule
        return Asked(None, problem=read.diagnostic.message) if rule is UNRESOLVED_NAME else _UNKNOWN
    return Asked(read)


def _is_none(expr: ex.Expr) -> bool:
    return isinstance(expr, ex.Constant) and expr.value is None


def _is_attribute(name: str) -> bool:
    if name == "builtins.object":
        return False
    return name in _ATTRIBUTES or name.startswith(("builtins.", "collections.abc.")) or name == "types.NoneType"
