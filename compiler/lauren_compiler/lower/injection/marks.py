"""Which functions and classes are providers, which classes are modules, and which methods are hooks."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ...diagnostics.model import Diagnostic, Sink
from ...diagnostics.rules import injection as rules
from ...ir.graph import Named, Scope, Token
from ...ir.values import Constant
from ...semantics.resolver import Resolver
from ...semantics.suggestions import did_you_mean
from ...semantics.symbols import ClassSymbol, KnownSymbol, ValueSymbol
from ...source.span import Span
from ...syntax import expressions as ex
from ...syntax.declarations import ClassDecl, FunctionDecl
from ...syntax.declarations import Scope as Names
from ..makers import Makers
from .displays import items_of
from .tokens import TokenReader

INJECTABLE = KnownSymbol("lauren.injectable")
MODULE = KnownSymbol("lauren.module")
AGENT = KnownSymbol("lauren.agent")
_SCOPE = KnownSymbol("lauren.Scope")
TOOL_HOOK = KnownSymbol("lauren.ToolHook")
_OPTIONS = {INJECTABLE: ("scope", "provides", "multi"), MODULE: ("controllers", "providers", "imports", "exports")}


class Injectable(Struct, frozen=True):
    """What `@injectable(...)` says. `scope` and `multi` are None where that can't be known."""

    span: Span
    scope: Scope | None = Scope.SINGLETON
    provides: tuple[Named, ...] = ()
    knows_tokens: bool = True
    multi: bool | None = False


class Applied(Struct, frozen=True):
    """A decorator that is a call of a known name, and where the call is read."""

    call: ex.Call
    names: Names
    made: KnownSymbol


class Marks:
    """Reads the marks of definitions. `sink` gets what Python would refuse."""

    def __init__(self, tokens: TokenReader, makers: Makers, sink: Sink) -> None:
        self._tokens = tokens
        self._resolver: Resolver = tokens.resolver
        self._makers = makers
        self._sink = sink
        self.elsewhere: set[int] = set()
        """Definitions that a call in a statement may mark: whether they are marked can't be known."""

    def injectable(self, decl: FunctionDecl | ClassDecl) -> Injectable | None:
        """The mark of a provider, the tool class's and the hook's own included; None for what has none."""
        applied = self._applied(decl, INJECTABLE)
        if applied is not None:
            return self._read(applied, decl)
        is_implied = isinstance(decl, ClassDecl) and (self._applied(decl, AGENT) or self._is_tool(decl))
        if is_implied or (isinstance(decl, ClassDecl) and self.derives_from(decl, TOOL_HOOK)):
            return Injectable(decl.scope.module.file.span(decl.name_pos))
        return None

    def module(self, decl: ClassDecl) -> Applied | None:
        """The `@module(...)` of a class, None if it has none."""
        return self._applied(decl, MODULE)

    def marked_base(self, decl: ClassDecl, *, module: bool) -> ClassDecl | None:
        """The base that a class has the mark of, while it has none itself."""
        for base in self._resolver.linear_bases(decl)[1:]:
            if (self.module(base) if module else self.injectable(base)) is not None:
                return base
        return None

    def derives_from(self, decl: ClassDecl, known: KnownSymbol) -> bool:
        """Whether a class has a known base."""
        owners = self._resolver.linear_bases(decl)
        return any(self._resolver.base_symbol(base.expr, owner) == known for owner in owners for base in owner.bases)

    def _is_tool(self, decl: ClassDecl) -> bool:
        makers = (self._makers.find(each.expr, decl.scope) for each in decl.decorators)
        return any(maker is not None and maker.framework is None for maker in makers)

    def _applied(self, decl: FunctionDecl | ClassDecl, mark: KnownSymbol) -> Applied | None:
        for decorator in decl.decorators:
            expr, names = decorator.expr, decl.scope
            if isinstance(expr, (ex.Name, ex.Attribute)):
                symbol = self._tokens.meaning(expr, names)
                if symbol == mark:
                    self._bare(mark, expr, names)
                    return Applied(ex.Call(expr.pos, expr, (), ()), names, mark)
                if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
                    continue
                expr, names = symbol.expr, symbol.scope
            if isinstance(expr, ex.Call) and self._tokens.meaning(expr.func, names) == mark:
                return Applied(expr, names, mark)
        return None

    def _read(self, applied: Applied, decl: FunctionDecl | ClassDecl) -> Injectable:
        call, names = applied.call, applied.names
        self.check_call(applied)
        span = names.module.file.span(call.pos)
        unpacked = any(word.name is None for word in call.keywords)
        provided = items_of(call.keyword("provides"), names, self._tokens.lists)
        tokens = [(self._tokens.read(*item), names.module.file.span(item[0].pos)) for item in provided.known]
        known = tuple(Named(token, place) for token, place in tokens if isinstance(token, Token))
        return Injectable(
            span,
            None if unpacked else self.scope(call.keyword("scope"), names),
            known,
            not unpacked and not provided.unknown and len(known) == len(tokens),
            None if unpacked else self.flag(call.keyword("multi"), names),
        )

    def scope(self, expr: ex.Expr | None, names: Names) -> Scope | None:
        """`Scope.REQUEST`; SINGLETON where nothing is said, None for what can't be known."""
        if expr is None:
            return Scope.SINGLETON
        if isinstance(expr, ex.Name):
            symbol = self._tokens.meaning(expr, names)
            if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Attribute):
                return self.scope(symbol.expr, symbol.scope)
        if not isinstance(expr, ex.Attribute) or self._tokens.meaning(expr.value, names) != _SCOPE:
            if isinstance(expr, ex.Constant):
                self.misused(f"`{expr.value!r}` is no `Scope`", names.module.file.span(expr.pos), "`Scope.REQUEST`")
            return None
        return Scope[expr.attr] if expr.attr in Scope.__members__ else None

    def flag(self, expr: ex.Expr | None, names: Names) -> bool | None:
        """True or False; False where nothing is said, None for what can't be known."""
        if expr is None:
            return False
        value = self._tokens.constant(expr, names)
        return bool(value.value) if isinstance(value, Constant) else None

    def check_call(self, applied: Applied) -> None:
        """Report what the decorator does not take."""
        name = f"`@{applied.made.name.rpartition('.')[2]}()`"
        file = applied.names.module.file
        for argument in applied.call.args:
            self.misused(f"{name} takes its options as keywords", file.span(argument.pos), "")
        for word in applied.call.keywords:
            if word.name is not None and word.name not in _OPTIONS[applied.made]:
                self._sink.add(unknown_option(name, word.name, _OPTIONS[applied.made], file.span(word.pos)))

    def misused(self, message: str, span: Span, instead: str) -> None:
        """Report what Python refuses when it gets there."""
        self._sink.add(rules.MISUSED_DECORATOR.at(span, message, help=f"write {instead}" if instead else None))

    def _bare(self, mark: KnownSymbol, expr: ex.Expr, names: Names) -> None:
        name = mark.name.rpartition(".")[2]
        message = f"`@{name}` is written without parentheses"
        self.misused(message, names.module.file.span(expr.pos), f"`@{name}()`")

    def meaning_of_class(self, expr: ex.Expr, names: Names) -> ClassDecl | None:
        """The class that a name means."""
        symbol = self._tokens.meaning(expr, names)
        return symbol.decl if isinstance(symbol, ClassSymbol) else None


def unknown_option(owner: str, option: str, options: Iterable[str], span: Span) -> Diagnostic:
    """An option that what is called does not have."""
    return rules.MISUSED_DECORATOR.at(span, f"{owner} has no option `{option}`", help=did_you_mean(option, options))
