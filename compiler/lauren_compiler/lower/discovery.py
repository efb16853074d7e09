"""Where the tools of a module are: decorated functions and classes at any depth, and calls that make one.

What makes a tool in a way that can't be followed (a computed list, a registry, `**options`) is reported where it
stands and counted: nothing goes missing unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..semantics.constants import Constants
from ..semantics.symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, Unresolved
from ..syntax.bodies import may_use
from ..syntax.calls import CallSite, calls_below, calls_in
from ..syntax.declarations import AliasDecl, ClassDecl, Definition, Dynamic, FunctionDecl, Lazy, ParsedModule, Scope
from ..syntax.expressions import Attribute, Call, Expr, Name, Subscript
from ..syntax.scopes import scopes_in
from .arguments import arguments_of, overridden
from .makers import Maker, Makers
from .registered import Candidate, Registered
from .signature import wrapped_by
from .telling import is_inside_a_function

if TYPE_CHECKING:
    from .passed_on import PassedOn
    from .passes import Passes


class Found(Struct):
    """The candidates of a module, and how many makers could not be followed."""

    candidates: list[Candidate]
    undecidable: int = 0
    refused: int = 0


class Making(Struct, frozen=True, eq=False):
    """A call that may make a tool. It stands in `scope`; its names are read in `read_in`, which is a pass of the loops
    around it, but for those that are `local`, which are not followed."""

    call: Call
    site: CallSite
    scope: Scope
    read_in: Scope
    local: frozenset[str]


class Discovery:
    """Finds the candidates of one module."""

    def __init__(self, constants: Constants, makers: Makers, sink: Sink) -> None:
        self._resolver = constants.resolver
        self._constants = constants
        self._makers = makers
        self._sink = sink

    @cached_property
    def _passes(self) -> Passes:
        from .passes import Passes  # for calls in loops, which few sources have

        return Passes(self._constants)

    def find(self, module: ParsedModule) -> Found:
        """All candidates, in source order."""
        found = Found([])
        if not self._may_have_tools(module):
            return found
        consumed: set[int] = set()
        reached = self._resolver.choice.may_be_reached
        telling = self._makers.telling.names(module)

        def entered(binding: Definition, scope: Scope) -> bool:
            return self._may_make(binding.decl, telling) and reached(binding, scope) is not False

        inside = scopes_in(module.scope, entered)
        scopes = [scope for scope in inside if not self._makers.configured.surrounds(scope)]
        for scope in scopes:
            for binding in scope.members:
                if isinstance(binding, Definition) and isinstance(binding.decl, (FunctionDecl, ClassDecl)):
                    taken = reached(binding, scope)
                    if taken is not False:
                        self._decorated(binding.decl, binding, taken is True, found, consumed)
        for scope in scopes:
            loops = any(isinstance(each, Dynamic) and each.loop is not None for each in scope.members)
            for site in calls_in(scope):
                if site.key not in consumed and reached(site, scope) is not False:
                    self._call(site, scope, found, consumed, loops=loops)
        found.candidates.sort(key=lambda candidate: (candidate.decl.line, candidate.maker.expr.pos))
        self._twice(found)
        return found

    def _may_make(self, decl: FunctionDecl | ClassDecl | AliasDecl, telling: frozenset[str] | None) -> bool:
        """Whether a tool may be made inside a function or class; `telling` are the names that it takes to make one."""
        if telling is None or not isinstance(decl, FunctionDecl) or is_inside_a_function(decl.scope):
            return True
        return may_use(decl, telling)

    def _may_have_tools(self, module: ParsedModule) -> bool:
        """Whether a module names `tool` or a configured decorator, or may use one under another name: through a star
        import or a re-export."""
        text = module.file.text
        if "tool" in text or any(word in text for word in self._makers.configured.words):
            return True
        return "import" in text and ("@" in text or self._passed_on.may_apply(module))

    @cached_property
    def _passed_on(self) -> PassedOn:
        from .passed_on import PassedOn

        return PassedOn(self._resolver.program, self._makers.configured)

    def _decorated(
        self,
        decl: FunctionDecl | ClassDecl,
        binding: Definition,
        decided: bool,
        found: Found,
        consumed: set[int],
    ) -> None:
        for index, decorator in enumerate(decl.decorators):
            maker = self._makers.find(decorator.expr, decl.scope)
            if maker is not None and self._wraps_a_parameter(decl, decl.decorators[index + 1 :]):
                self._undecidable(decorator.expr, decl.scope, found, "which function it wraps can't be known")
            elif maker is not None:
                below, above = decl.decorators[index + 1 :], decl.decorators[:index]
                found.candidates.append(Candidate(decl, maker, below, decided, binding.guards, above=above))
            elif self._makers.may_be(decorator.expr, decl.scope):
                self._undecidable(decorator.expr, decl.scope, found, "its decorator depends on a condition")
            elif (problem := self._makers.misspelt(decorator.expr, decl.scope)) is not None:
                self._sink.add(problem.diagnostic)
                found.refused += 1
            elif (method := self._makers.unknown_method(decorator.expr, decl.scope)) is not None:
                self._unknown_method(decorator.expr, method, decl.scope, found)
            elif not self._inside(decorator, decl.scope, found):
                if self._makers.may_be_computed(decorator.expr, decl.scope):
                    self._undecidable(decorator.expr, decl.scope, found, "its decorator is computed")
                elif (wrapper := self._makers.library_wrapper(decorator.expr, decl.scope)) is not None:
                    self._wrapped(decorator.expr, wrapper, decl.scope, found)
            consumed.add(id(decorator.node))

    def _wrapped(self, expr: Expr, wrapper: FunctionDecl, scope: Scope, found: Found) -> None:
        """Count a decorator of a library that wraps `tool`."""
        message = f"a tool is made here that can't be compiled: `{wrapper.name}` of a library wraps `tool`"
        remedy = f'say what it does: `decorators = ["{wrapper.key}"]`'
        self._sink.add(rules.UNDECIDABLE_TOOL.at(scope.module.file.span(expr.pos), message, help=remedy))
        found.undecidable += 1

    def _inside(self, decorator: Lazy, scope: Scope, found: Found) -> bool:
        """Count a maker that is a part of a decorator: `@compose(tool(), traced)`. Whether there is one."""
        for call in calls_below(decorator.node):
            if self._makers.find(call, scope) is not None:
                self._undecidable(call, scope, found, "its decorator is computed")
                return True
        return False

    def _unknown_method(self, expr: Expr, method: str, scope: Scope, found: Found) -> None:
        """Count a decorator that has the name of a configured method, of an object whose class is not known."""
        span = scope.module.file.span(expr.pos)
        message = f"a tool may be made here: whether this is `{method}` can't be known from the source"
        label = "the class of this object is not known"
        remedy = f"annotate the object with its class, `{method.replace(':', '.').rpartition('.')[0]}`"
        self._sink.add(rules.UNDECIDABLE_TOOL.at(span, message, label=label, help=remedy))
        found.undecidable += 1

    def _unknown_call(self, making: Making) -> str | None:
        """The configured method that `unknown.tool(…)(function)` or `unknown.tool(function)` may call."""
        call, scope = making.call, making.read_in
        if not call.args or root(call.args[0]) in making.local or not isinstance(call.args[0], (Name, Attribute)):
            return None
        method = self._makers.unknown_method(call.func, scope)
        given = self._makers.given(call.args[0], scope) if method is not None else None
        return method if isinstance(given, FunctionSymbol) else None

    def _wraps_a_parameter(self, decl: FunctionDecl | ClassDecl, below: tuple[Lazy, ...]) -> bool:
        """Whether a decorator below is `functools.wraps(function)` of what the surrounding function is given."""
        wrapped = wrapped_by(below, decl.scope, self._resolver)
        return isinstance(wrapped, DynamicSymbol)

    def _call(self, site: CallSite, scope: Scope, found: Found, consumed: set[int], *, loops: bool) -> None:
        """A tool that is made by a call in a statement, once in each pass of the loops around it, if there are any in
        its scope."""
        if site.spelling.path == "map" and self._mapped(site, scope, found, consumed):
            return
        if site.spelling.root in site.local or self._makers.is_none(site, scope):
            return
        call = site.call
        if call is None:
            return
        passes = self._passes.of(site, scope) if loops or site.within else [scope]
        if passes is None:
            self._made(Making(call, site, scope, scope, site.local), found, consumed)
            return
        before = (found.undecidable, found.refused)
        for each in passes:
            if (found.undecidable, found.refused) == before:  # what is wrong in one pass is told once
                self._made(Making(call, site, scope, each, frozenset()), found, consumed)

    def _made(self, making: Making, found: Found, consumed: set[int]) -> None:
        """A tool that a call makes in one pass."""
        call, site, read_in = making.call, making.site, making.read_in
        maker = self._makers.find(call.func, read_in)
        if maker is not None and not maker.direct:
            consumed.add(site.function_key)
            self._application(making, maker, found)
        elif maker is not None and (target := self._target(making)) is not None:
            given = overridden(maker.arguments, arguments_of(call, read_in)[1:])
            applied = replace(maker, expr=call, scope=read_in, arguments=given)
            self._applied((call.args[0], read_in), target, applied, making, found)
        elif maker is not None and (lost := self._lost_target(making)) is not None:
            self._sink.add(lost.diagnostic)
            found.refused += 1
        elif maker is None and (method := self._unknown_call(making)) is not None:
            consumed.add(site.function_key)
            self._unknown_method(call.func, method, making.scope, found)
        elif (made := self._makers.find(call, read_in)) is not None and not made.direct and not site.assigned:
            # A maker at the top of a module's statement is made and dropped; anywhere else it goes somewhere, and so
            # does what is given to a decorator of another framework.
            if not site.whole or making.scope.kind == "function" or (made.listed is not None and call.args):
                why = "what it is applied to can't be known from the source"
                self._undecidable(call, making.scope, found, why)
        elif made is None and self._is_computed(making):
            consumed.add(site.function_key)
            self._undecidable(call, making.scope, found, "what makes it a tool is computed")

    def _mapped(self, site: CallSite, scope: Scope, found: Found, consumed: set[int]) -> bool:
        """Whether a call is `map(tool(), functions)`, of which something takes all: each function is then a tool."""
        call = site.call
        if call is None or len(call.args) != 2 or site.within or not site.taken_by:
            return False
        maker = self._makers.find(call.args[0], scope)
        if maker is None or maker.direct or not self._passes.is_taken(site.taken_by, scope):
            return False
        items = self._passes.given(call.args[1], scope)
        if items is None:
            return False
        targets = [(expr, where, self._given(expr, where)) for expr, where in items]
        if any(target is None for _, _, target in targets):
            return False
        consumed.update(site.given_keys)
        for expr, where, target in targets:
            if target is not None:
                making = Making(call, site, scope, scope, frozenset())
                self._applied((expr, where), target, maker, making, found)
        return True

    def _is_computed(self, making: Making) -> bool:
        """Whether a function or class is given to what may be `tool`: `TOOLS["tool"]()(function)`."""
        if not isinstance(making.call.func, (Call, Subscript)) or self._target(making) is None:
            return False
        return self._makers.may_be_computed(making.call.func, making.read_in)

    def _applied(
        self,
        given: tuple[Expr, Scope],
        decl: FunctionDecl | ClassDecl,
        maker: Maker,
        making: Making,
        found: Found,
    ) -> None:
        """A function or class that a call makes a tool; the function inside a decorator stands for another."""
        expr, read_in = given
        if maker.framework is None and self._makers.is_bound(expr, read_in, decl):
            message = f"`tool` can't make a tool of the bound method `{decl.name}`: it takes no attributes"
            help = "decorate the function in the class, and give the method to `TABLE.bind(...)`"
            self._sink.add(
                rules.BOUND_METHOD.at(
                    read_in.module.file.span(expr.pos), message, label="bound to an object", help=help
                )
            )
            found.refused += 1
        elif self._wraps_a_parameter(decl, decl.decorators):
            self._undecidable(maker.expr, making.scope, found, "which function it wraps can't be known")
        else:
            site = making.site
            decided = self._resolver.choice.may_be_reached(site, making.scope) is True
            found.candidates.append(Candidate(decl, maker, decl.decorators, decided, site.guards))

    def _given(self, expr: Expr, scope: Scope) -> FunctionDecl | ClassDecl | None:
        """The function or class that something means; None if it may be something else."""
        symbol = self._makers.given(expr, scope)
        return symbol.decl if isinstance(symbol, (FunctionSymbol, ClassSymbol)) else None

    def _target(self, making: Making) -> FunctionDecl | ClassDecl | None:
        """The function or class that is a call's first argument; None if it may be something else."""
        call = making.call
        if not call.args or root(call.args[0]) in making.local:
            return None
        return self._given(call.args[0], making.read_in)

    def _lost_target(self, making: Making) -> Unresolved | None:
        """What is wrong with the name that is a call's first argument, if it leads nowhere."""
        call = making.call
        if not call.args or root(call.args[0]) in making.local or not isinstance(call.args[0], (Name, Attribute)):
            return None
        symbol = self._makers.given(call.args[0], making.read_in)
        return symbol if isinstance(symbol, Unresolved) else None

    def _application(self, making: Making, maker: Maker, found: Found) -> None:
        """`tool(...)(something)`."""
        call = making.call
        target = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if isinstance(target, (Name, Attribute)) and root(target) not in making.local:
            if (decl := self._target(making)) is not None:
                self._applied((target, making.read_in), decl, maker, making, found)
                return
            symbol = self._makers.given(target, making.read_in)
            if isinstance(symbol, Unresolved):
                self._sink.add(symbol.diagnostic)
                found.refused += 1
                return
        why = "which function it makes a tool can't be known from the source"
        self._undecidable(call, making.scope, found, why)

    def _undecidable(self, expr: Expr, scope: Scope, found: Found, why: str) -> None:
        span = scope.module.file.span(expr.pos)
        message = f"a tool is made here that can't be compiled: {why}"
        remedy = "decorate the function where it is defined"
        if scope.kind == "function":
            name = f"{scope.module.file.module}:{scope.qualname.partition('.<locals>')[0]}"
            remedy = f'if this is a decorator that wraps `tool`, list it: `decorators = ["{name}"]`'
        self._sink.add(rules.UNDECIDABLE_TOOL.at(span, message, help=remedy))
        found.undecidable += 1

    def _twice(self, found: Found) -> None:
        """Report functions and classes that are made a tool more than once; they count once, as refused.

        Not those in two servers, nor under conditions of which one may hold without the other.
        """
        if len({id(candidate.decl) for candidate in found.candidates}) == len(found.candidates):
            return
        first: dict[int, Candidate] = {}
        again: list[Candidate] = []
        seen: dict[int, Registered] = {}
        for candidate in found.candidates:
            earlier = first.setdefault(id(candidate.decl), candidate)
            others = seen.setdefault(id(candidate.decl), Registered())
            both = others.with_it(candidate)
            if both is None:
                others.add(candidate)
                again += [candidate] if earlier is not candidate else []
                continue
            first[id(candidate.decl)] = replace(earlier, sound=False)
            file = candidate.maker.scope.module.file
            message = f"`{candidate.decl.name}` is made a tool twice"
            label = Label(both.maker.scope.module.file.span(both.maker.expr.pos), "first here")
            self._sink.add(
                rules.DECORATED_TWICE.at(file.span(candidate.maker.expr.pos), message, label="again", labels=(label,))
            )
        found.candidates = [*first.values(), *again]


def root(expr: Expr) -> str:
    """The name that a dotted name begins with; "" if the expression is none."""
    while isinstance(expr, Attribute):
        expr = expr.value
    return expr.id if isinstance(expr, Name) else ""


def classes_of(module: ParsedModule) -> Iterator[ClassDecl]:
    """All classes of a module, at any depth."""
    return (decl for _, _, decl in module.classes)
