"""What something is asked for by: an expression → `Token`.

Prices                      the class                   list[Plugin]       all of them
RATE = Token("rate")        the object of the variable  "rate"             the text
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ...ir.graph import Token
from ...ir.values import Constant, EnumMember
from ...semantics.not_constant import NotConstant
from ...semantics.symbols import ClassSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol
from ...semantics.types import TypeReader
from ...syntax import expressions as ex
from ...syntax.declarations import ClassDecl, FunctionDecl, Scope
from ..lists import Lists
from .plain import is_plain

Read: TypeAlias = Token | Unresolved | None
"""A token; why a name leads nowhere; None for what only running code would know."""

_TOKEN = KnownSymbol("lauren.Token")
_NEW_TYPE = KnownSymbol("typing.NewType")
LISTS = frozenset({KnownSymbol("builtins.list"), KnownSymbol("typing.List")})
_PARAMETERS = Token("form", "", None, "")
"""What the list of a callable's parameters is a form of."""
_UNIONS = frozenset({KnownSymbol("typing.Union"), KnownSymbol("typing.Optional")})


class TokenReader:
    """Reads tokens of one program."""

    def __init__(self, types: TypeReader) -> None:
        self._constants = types.constants
        self.resolver = types.resolver
        self.lists = Lists(types.constants)
        self.classes: dict[str, ClassDecl] = {}
        """The classes among the tokens read, by name."""

    def read(self, expr: ex.Expr, scope: Scope) -> Read:
        """The token that an expression is."""
        if isinstance(expr, (ex.Name, ex.Attribute)):
            return self.of_symbol(self.meaning(expr, scope), expr, scope)
        if isinstance(expr, ex.Subscript):
            return self._form(expr, scope)
        if isinstance(expr, ex.Chain) and expr.op == "|":
            return self._union(expr.items, scope)
        return self._constant(expr, scope)

    def meaning(self, expr: ex.Expr, scope: Scope) -> Symbol:
        """What a name means, through other names for it."""
        return self.resolver.dealias(self.resolver.resolve(expr, scope))

    def of_symbol(self, symbol: Symbol, expr: ex.Expr, scope: Scope) -> Read:
        """The token that a symbol is."""
        if isinstance(symbol, Unresolved):
            return symbol
        if isinstance(symbol, (ClassSymbol, FunctionSymbol)):
            if not is_plain(symbol.decl, self.resolver):
                return None
            if isinstance(symbol, ClassSymbol):
                self.classes[symbol.decl.key] = symbol.decl
            return of_declaration(symbol.decl, "class" if isinstance(symbol, ClassSymbol) else "function")
        if isinstance(symbol, KnownSymbol):
            # Protocols, whose members only typing knows, are not judged.
            if symbol.name.startswith("typing.Supports"):
                return None
            return _known(symbol)
        if isinstance(symbol, ValueSymbol) and symbol.expr is not None and symbol.expr is not expr:
            return self._value(symbol, symbol.expr)
        return None

    def _value(self, symbol: ValueSymbol, expr: ex.Expr) -> Read:
        """What a variable is set to."""
        if not isinstance(expr, ex.Call):
            return self.read(expr, symbol.scope)
        made = self.meaning(expr.func, symbol.scope)
        file = symbol.scope.module.file
        place, span = f"{file.module}:{symbol.qualname}", file.span(expr.pos)
        if made == _TOKEN:
            name = expr.args[0] if expr.args else expr.keyword("name")
            text = None if name is None else self._constants.evaluate(name, symbol.scope)
            if not isinstance(text, Constant) or not isinstance(text.value, str):
                return None
            return self._token(expr, symbol.scope, text.value, Token("token", place, None, "", span))
        if made == _NEW_TYPE:
            return Token("object", place, None, symbol.name, span)
        return self._constant(expr, symbol.scope)

    def _token(self, call: ex.Call, scope: Scope, name: str, unique: Token) -> Token | None:
        """A `Token(...)`: of its variable, or of its name if it is not unique."""
        said = call.keyword("unique")
        value = Constant(True) if said is None else self._constants.evaluate(said, scope)
        if not isinstance(value, Constant) or not isinstance(value.value, bool):
            return None
        if value.value:
            return Token("token", unique.name, None, f"Token({name!r})", unique.defined)
        return Token("token", f"={name}", None, f"Token({name!r}, unique=False)", unique.defined)

    def _form(self, expr: ex.Subscript, scope: Scope) -> Read:
        """`list[X]`, and other generic forms, which are equal if their parts are."""
        owner = self.meaning(expr.value, scope)
        if owner in LISTS and len(expr.arguments) == 1:
            element = self.read(expr.arguments[0], scope)
            if not isinstance(element, Token):
                return element
            return Token("list", "", element, f"list[{element.shown}]")
        if owner in _UNIONS:
            none = (ex.Constant(expr.pos, None),) if owner == KnownSymbol("typing.Optional") else ()
            return self._union((*expr.arguments, *none), scope)
        origin = _known(owner) if isinstance(owner, KnownSymbol) else self.of_symbol(owner, expr.value, scope)
        return _joined(origin, [self._part(each, scope) for each in expr.arguments])

    def _part(self, expr: ex.Expr, scope: Scope) -> Read:
        """One part of a generic form: a token, or the parameters of a `Callable[[A, B], R]`, or `...` for any."""
        if isinstance(expr, ex.Constant) and expr.value is ...:
            return Token("value", "...", None, "...")
        if not isinstance(expr, ex.ListDisplay):
            return self.read(expr, scope)
        return _joined(_PARAMETERS, [self._part(each, scope) for each in expr.items])

    def constant(self, expr: ex.Expr, scope: Scope) -> Constant | None:
        """The constant that an expression is, None for anything else."""
        value = self._constants.evaluate(expr, scope)
        return value if isinstance(value, Constant) else None

    def _union(self, arms: tuple[ex.Expr, ...], scope: Scope) -> Read:
        parts = [self.read(each, scope) for each in arms]
        known = [each for each in parts if isinstance(each, Token)]
        if len(known) < len(parts):
            return next((each for each in parts if isinstance(each, Unresolved)), None)
        names = sorted({_spelled(each) for each in known})
        return Token("form", " | ".join(names), None, " | ".join(each.shown for each in known))

    def _constant(self, expr: ex.Expr, scope: Scope) -> Read:
        value = self._constants.evaluate(expr, scope)
        if isinstance(value, NotConstant):
            return value.unresolved
        if isinstance(value, EnumMember):
            return Token("value", f"{value.enum}.{value.name}", None, value.name)
        if not isinstance(value, Constant):
            return None
        if isinstance(value.value, str):
            return Token("text", value.value, None, ascii(value.value))
        # 1, 1.0 and True are one key.
        number = value.value
        plain = int(number) if isinstance(number, (bool, float)) and number == int(number) else number
        return Token("value", repr(plain), None, repr(number))


def _known(symbol: KnownSymbol) -> Token:
    return Token("known", symbol.name, None, symbol.name.rpartition(".")[2])


def of_declaration(decl: FunctionDecl | ClassDecl, kind: Literal["class", "function"]) -> Token:
    """The token that a class or function is."""
    span = decl.scope.module.file.span(decl.name_pos)
    shown = decl.qualname.rpartition("<locals>.")[2]
    return Token(kind, decl.key, None, shown, span)


def _spelled(token: Token) -> str:
    return f"list[{_spelled(token.element)}]" if token.element is not None else f"{token.kind} {token.name}"


def _joined(origin: Read, parts: list[Read]) -> Read:
    for each in (origin, *parts):
        if not isinstance(each, Token):
            return each
    head, *rest = [each for each in (origin, *parts) if isinstance(each, Token)]
    name = f"{_spelled(head)}[{', '.join(map(_spelled, rest))}]"
    return Token("form", name, None, f"{head.shown}[{', '.join(each.shown for each in rest)}]")
