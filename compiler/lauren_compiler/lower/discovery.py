"""Where the tools of a module are: decorated functions and classes at any depth, and calls that make one.

What makes a tool in a way that can't be followed (a loop, a registry, `**options`) is reported where it stands and
counted: nothing goes missing unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..semantics.resolver import Resolver
from ..semantics.symbols import ClassSymbol, FunctionSymbol, Unresolved
from ..syntax.calls import CallSite, calls_in
from ..syntax.declarations import ClassDecl, Definition, FunctionDecl, Lazy, ParsedModule, Scope
from ..syntax.expressions import Attribute, Call, Expr, Name
from .makers import Maker, Makers


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A function or class that is made a tool by `maker`; `below` are the decorators applied before it.

    `decided` is False if it stands under a condition that can't be decided.
    """

    decl: FunctionDecl | ClassDecl
    maker: Maker
    below: tuple[Lazy, ...]
    decided: bool


@dataclass(slots=True)
class Found:
    """The candidates of a module, and how many makers could not be followed."""

    candidates: list[Candidate]
    undecidable: int = 0
    refused: int = 0


class Discovery:
    """Finds the candidates of one module."""

    def __init__(self, resolver: Resolver, makers: Makers, sink: Sink) -> None:
        self._resolver = resolver
        self._makers = makers
        self._sink = sink

    def find(self, module: ParsedModule) -> Found:
        """All candidates, in source order."""
        found = Found([])
        if "tool" not in module.file.text and not self._makers_may_hide(module):
            return found
        consumed: set[int] = set()
        scopes = list(_scopes(module.scope))
        for scope in scopes:
            for binding in scope.members:
                if isinstance(binding, Definition) and isinstance(binding.decl, (FunctionDecl, ClassDecl)):
                    reached = self._resolver.choice.reached(binding, scope)
                    if reached is not False:
                        self._decorated(binding.decl, reached is True, found, consumed)
        for scope in scopes:
            if not self._makers.inside_wrapper(scope):
                self._calls(scope, found, consumed)
        found.candidates.sort(key=lambda candidate: (candidate.decl.line, candidate.maker.expr.pos))
        self._twice(found)
        return found

    def _makers_may_hide(self, module: ParsedModule) -> bool:
        """Whether a module without the word "tool" may still use one: through a star import or a re-export."""
        return "import" in module.file.text and "@" in module.file.text

    def _decorated(self, decl: FunctionDecl | ClassDecl, decided: bool, found: Found, consumed: set[int]) -> None:
        for index, decorator in enumerate(decl.decorators):
            maker = self._makers.find(decorator.expr, decl.scope)
            consumed.add(id(decorator.node))
            if isinstance(maker, Maker):
                found.candidates.append(Candidate(decl, maker, decl.decorators[index + 1 :], decided))
            elif self._makers.may_be(decorator.expr, decl.scope):
                self._undecidable(decorator.expr, decl.scope, found, "its decorator depends on a condition")
            elif (problem := self._makers.misspelt(decorator.expr, decl.scope)) is not None:
                self._sink.add(problem.diagnostic)
                found.refused += 1

    def _calls(self, scope: Scope, found: Found, consumed: set[int]) -> None:
        """Tools made by calls in the statements of a scope."""
        for site in calls_in(scope):
            if site.key not in consumed:
                self._call(site, scope, found, consumed)

    def _call(self, site: CallSite, scope: Scope, found: Found, consumed: set[int]) -> None:
        if site.call is None:
            return
        maker = self._makers.find(site.call.func, scope)
        if isinstance(maker, Maker) and not maker.bare:
            consumed.add(site.function_key)
            self._application(site.call, maker, scope, found)
        elif isinstance(self._makers.find(site.call, scope), Maker) and not site.assigned:
            # A maker at the top of a module's statement is made and dropped; anywhere else it goes somewhere.
            if not site.whole or scope.kind == "function":
                self._undecidable(site.call, scope, found, "what it is applied to can't be known from the source")

    def _application(self, call: Call, maker: Maker, scope: Scope, found: Found) -> None:
        """`tool(...)(something)`."""
        target = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if isinstance(target, (Name, Attribute)):
            symbol = self._resolver.dealias(self._resolver.resolve(target, scope))
            if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
                decl = symbol.decl
                found.candidates.append(Candidate(decl, maker, decl.decorators, decided=True))
                return
            if isinstance(symbol, Unresolved):
                self._sink.add(symbol.diagnostic)
                found.refused += 1
                return
        self._undecidable(call, scope, found, "which function it makes a tool can't be known from the source")

    def _undecidable(self, expr: Expr, scope: Scope, found: Found, why: str) -> None:
        span = scope.module.file.span(expr.pos)
        self._sink.add(rules.UNDECIDABLE_TOOL.at(span, f"a tool is made here that can't be compiled: {why}"))
        found.undecidable += 1

    def _twice(self, found: Found) -> None:
        """Report functions and classes that are made a tool more than once; the first maker counts."""
        first: dict[int, Candidate] = {}
        kept: list[Candidate] = []
        for candidate in found.candidates:
            earlier = first.setdefault(id(candidate.decl), candidate)
            if earlier is candidate:
                kept.append(candidate)
                continue
            file = candidate.maker.scope.module.file
            message = f"`{candidate.decl.name}` is made a tool twice"
            label = Label(earlier.maker.scope.module.file.span(earlier.maker.expr.pos), "first here")
            self._sink.add(
                rules.DECORATED_TWICE.at(file.span(candidate.maker.expr.pos), message, label="again", labels=(label,))
            )
        found.candidates = kept


def _scopes(scope: Scope) -> Iterator[Scope]:
    """A scope and all inside it, in source order."""
    pending = [scope]
    while pending:
        step = pending.pop()
        yield step
        inner = [
            binding.decl.body
            for binding in step.members
            if isinstance(binding, Definition) and isinstance(binding.decl, (FunctionDecl, ClassDecl))
        ]
        pending.extend(reversed(inner))


def classes_of(module: ParsedModule) -> Iterator[ClassDecl]:
    """All classes of a module, at any depth."""
    for scope in _scopes(module.scope):
        for binding in scope.members:
            if isinstance(binding, Definition) and isinstance(binding.decl, ClassDecl):
                yield binding.decl
