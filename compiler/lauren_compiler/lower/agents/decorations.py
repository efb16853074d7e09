"""What decorators and calls say of a class: `@agent(...)`, and the lists of `@use_tools(...)`.

@use_tools(search)                    the options of the mark, and two lists of tools: `clock`, then `search`
@agent(model="m")
@use_tools(clock)
class Support: ...

Support = use_tools(search)(agent(model="m")(Plain))        the same of `Plain`
"""

from __future__ import annotations

from msgspec import Struct, field

from ...diagnostics.model import Sink
from ...diagnostics.rules import agents as rules
from ...diagnostics.rules.tools import BARE_DECORATOR
from ...semantics.resolver import Resolver
from ...semantics.symbols import ClassSymbol, DynamicSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol
from ...syntax.calls import CallSite, calls_in
from ...syntax.declarations import ClassDecl, ParsedModule, Scope
from ...syntax.expressions import Attribute, Call, Expr, Name
from ...syntax.scopes import scopes_in
from ..arguments import Argument, arguments_of, overridden

AGENT = KnownSymbol("lauren.agent")
USE_TOOLS = KnownSymbol("lauren.use_tools")
_NAMES = {AGENT: "agent", USE_TOOLS: "use_tools"}
_PARTIAL = KnownSymbol("functools.partial")


class Use(Struct, frozen=True, eq=False):
    """One `agent(...)` or `use_tools(...)`; `bare` without the parentheses."""

    symbol: Symbol
    arguments: tuple[Argument, ...]
    expr: Expr
    scope: Scope
    bare: bool = False


class Decorated(Struct, eq=False):
    """What is said of one class. `mark` is the topmost `agent(...)`; `lists` are those of tools, lowest first.

    `decided`: False for a class under a condition that can't be decided. `sound`: False after an error. `unclear` says
    why not all of it can be known.
    """

    decl: ClassDecl
    decided: bool = True
    mark: Use | None = None
    lists: list[Use] = field(default_factory=list[Use])
    sound: bool = True
    unclear: tuple[Expr, Scope, str] | None = None


class Decorations:
    """Reads the decorations of classes, each once."""

    def __init__(self, resolver: Resolver, sink: Sink) -> None:
        self._resolver = resolver
        self._sink = sink
        self._read: dict[int, Decorated] = {}
        self._applied: dict[int, list[Use]] = {}
        self._looked: set[int] = set()
        self._open: set[int] = set()
        self.undecidable = 0
        """How many calls of `agent(...)` make agents of something that can't be known."""

    def classes(self, module: ParsedModule) -> list[Decorated]:
        """The classes of a module of which something is said, in source order."""
        text = module.file.text
        if "agent" not in text and not ("import" in text and "@" in text):
            return []
        self._look(module)
        found: list[Decorated] = []
        for scope, binding, decl in module.classes:
            reached = self._resolver.choice.reached(binding, scope)
            said = self.of(decl)
            said.decided = reached is True
            if reached is not False and (said.mark is not None or said.lists):
                found.append(said)
        return sorted(found, key=lambda each: each.decl.name_pos)

    def of(self, decl: ClassDecl) -> Decorated:
        """What is said of a class, its bases aside."""
        if id(decl) not in self._read:
            self._look(decl.scope.module)
            said = self._read[id(decl)] = Decorated(decl)
            for decorator in reversed(decl.decorators):
                use = self._use(decorator.expr, decl.scope)
                if use is not None:
                    self._add(said, use)
                elif self._may_be(decorator.expr, decl.scope):
                    said.unclear = (decorator.expr, decl.scope, "a decorator of it depends on a condition")
                elif (lost := self._misspelt(decorator.expr, decl.scope)) is not None:
                    self._sink.add(lost.diagnostic)
            for use in self._applied.get(id(decl), ()):
                self._add(said, use)
        return self._read[id(decl)]

    def _add(self, said: Decorated, use: Use) -> None:
        if use.bare:
            name = _NAMES[use.symbol]  # type: ignore[index]
            span = use.scope.module.file.span(use.expr.pos)
            message = f"`{said.decl.name}` is decorated with `{name}` without parentheses"
            remedy = f"write `@{name}(...)`: without parentheses it raises DecoratorUsageError at run time"
            self._sink.add(BARE_DECORATOR.at(span, message, label="parentheses are missing", help=remedy))
            said.sound = False
        if use.symbol == AGENT:
            said.mark = use
        else:
            said.lists.append(use)

    def _look(self, module: ParsedModule) -> None:
        """Find what calls apply to classes, as decorators would."""
        if id(module) in self._looked:
            return
        self._looked.add(id(module))
        if "agent" not in module.file.text:
            return
        consumed: set[int] = set()
        for scope in scopes_in(module.scope):
            for site in calls_in(scope):
                if site.key in consumed or not site.spelling.root or site.spelling.root in site.local:
                    continue
                if self._resolver.choice.reached(site, scope) is not False:
                    self._call(site, scope, consumed)

    def _call(self, site: CallSite, scope: Scope, consumed: set[int]) -> None:
        call = site.call
        if call is None:
            return
        use = self._use(call.func, scope)
        if use is not None and not use.bare:
            consumed.add(site.function_key)
            uses = [use]
            target = call.args[0] if len(call.args) == 1 and not call.keywords else None
            while isinstance(target, Call) and (inner := self._use(target.func, scope)) is not None:
                uses.append(inner)
                target = target.args[0] if len(target.args) == 1 else None
            symbol = self._meaning(target, scope) if isinstance(target, (Name, Attribute)) else None
            if isinstance(symbol, ClassSymbol):
                consumed.update(site.applied)
                self._applied.setdefault(id(symbol.decl), []).extend(reversed(uses))
            elif any(each.symbol == AGENT for each in uses):
                self._lost(call, scope, "which class it makes an agent can't be known from the source")
        elif (made := self._use(call, scope)) is not None and made.symbol == AGENT and not site.assigned:
            self._lost(call, scope, "what it is applied to can't be known from the source")

    def _lost(self, call: Call, scope: Scope, why: str) -> None:
        if not self._resolver.program.is_source(scope.module):
            return  # a library's agents are none of the build's
        span = scope.module.file.span(call.pos)
        message = f"an agent is made here that can't be compiled: {why}"
        self._sink.add(rules.UNDECIDABLE_AGENT.at(span, message, help="decorate the class where it is defined"))
        self.undecidable += 1

    def _use(self, expr: Expr, scope: Scope) -> Use | None:
        """What a decorator is, if it is one of the two: a call, a name for one, or the function itself."""
        if isinstance(expr, Call):
            factory = self._factory(expr.func, scope)
            if factory is None:
                return None
            given = overridden(factory.arguments, arguments_of(expr, scope))
            return Use(factory.symbol, given, expr, scope)
        if not isinstance(expr, (Name, Attribute)):
            return None
        symbol = self._meaning(expr, scope)
        if symbol in _NAMES:
            return Use(symbol, (), expr, scope, bare=True)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call):
            return self._use(symbol.expr, symbol.scope) or self._partial(symbol.expr, symbol.scope)
        return None

    def _factory(self, expr: Expr, scope: Scope) -> Use | None:
        """What is one of the two once it is called: the function itself, or a `partial` of it."""
        if isinstance(expr, Call):
            return self._partial(expr, scope)
        if not isinstance(expr, (Name, Attribute)):
            return None
        symbol = self._meaning(expr, scope)
        if symbol in _NAMES:
            return Use(symbol, (), expr, scope)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call):
            return self._partial(symbol.expr, symbol.scope)
        return None

    def _partial(self, call: Call, scope: Scope) -> Use | None:
        """`partial(agent, …)`: one of the two with some arguments, still to be called."""
        if not call.args or not isinstance(call.func, (Name, Attribute)) or self._meaning(call.func, scope) != _PARTIAL:
            return None
        if id(call) in self._open:
            return None
        self._open.add(id(call))
        factory = self._factory(call.args[0], scope)
        self._open.discard(id(call))
        if factory is None:
            return None
        given = overridden(factory.arguments, arguments_of(call, scope)[1:])
        return Use(factory.symbol, given, call, scope, bare=True)

    def _may_be(self, expr: Expr, scope: Scope) -> bool:
        target = expr.func if isinstance(expr, Call) else expr
        if not isinstance(target, (Name, Attribute)):
            return False
        symbol = self._resolver.resolve(target, scope)
        options = symbol.options if isinstance(symbol, DynamicSymbol) else ()
        return any(self._resolver.dealias(option) in _NAMES for option in options)

    def _misspelt(self, expr: Expr, scope: Scope) -> Unresolved | None:
        """The problem of a decorator that is nearly one of the two."""
        target = expr.func if isinstance(expr, Call) else expr
        symbol = self._resolver.resolve(target, scope) if isinstance(target, (Name, Attribute)) else None
        help = (symbol.diagnostic.help or "") if isinstance(symbol, Unresolved) else ""
        meant = any(word in help for name in _NAMES.values() for word in (f"`{name}`", f"import {name}`"))
        return symbol if isinstance(symbol, Unresolved) and meant else None

    def _meaning(self, expr: Name | Attribute, scope: Scope) -> Symbol:
        return self._resolver.dealias(self._resolver.resolve(expr, scope))
