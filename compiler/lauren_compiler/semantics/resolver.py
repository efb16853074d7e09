"""Names followed to what they mean: through scopes, imports, re-exports, star imports and attributes.

Following is a loop, not a recursion, so that a chain of re-exports may be of any length; a chain that comes back to
itself is an error at the name that started it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from ..diagnostics.model import Label
from ..diagnostics.rules import names as rules
from ..source.span import Span
from ..syntax.declarations import (
    Assignment,
    Binding,
    ClassDecl,
    Definition,
    Deletion,
    Dynamic,
    FunctionDecl,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
    TypeParameter,
)
from ..syntax.expressions import Attribute, Expr, Name, Opaque, Subscript, equal
from . import known, typeshed
from .choice import Choice, absolute_module
from .conditions import Conditions
from .exports import Exports
from .program import Program
from .reading import Reading
from .symbols import (
    AliasSymbol,
    ClassSymbol,
    DeclaredSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    Unresolved,
    ValueSymbol,
)
from .trail import Trail
from .variables import type_parameter, variable_of

_WHERE_MODULES_ARE = "install it where `--python` looks, or name the folder that it lies in with `--root`"


class Resolver:
    """Answers what a name or dotted name means in a scope."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.conditions = Conditions(self, program.environment)
        self._running = Conditions(self, program.environment, type_checking=False)
        self.choice = Choice(self.conditions, self.module_exists)
        self.exports = Exports(self, program.module)
        self.declared: set[str] = set()
        """Names without source that the configuration declares: `module:name`."""
        self._following: set[int] = set()
        self.asked: set[int] = set()
        """Ids of the calls of which it is being found out whether they make type variables."""
        self._resolved: dict[tuple[int, int], tuple[Expr, Scope, Symbol]] = {}
        """By identity: each name of a signature is asked for half a dozen times."""
        self._late: dict[tuple[Scope, str], Symbol] = {}
        """By scope and name: what is read when all has run means the same wherever it stands."""

    def let_go(self) -> None:
        """Let go what names mean by where they stand: of a module that is done, nobody asks again."""
        self._resolved.clear()

    def resolve(self, expr: Expr, scope: Scope) -> Symbol:
        """The symbol of a `Name` or `Attribute` that is read in a scope, where it stands there."""
        known = self._resolved.get((id(expr), id(scope)))
        if known is not None:
            return known[2]
        late = (scope, expr.id) if isinstance(expr, Name) and _is_late(expr, scope) else None
        symbol = None if late is None else self._late.get(late)
        if symbol is None:
            symbol = self._resolve(expr, scope)
            # What is found while another question is open may rest on that question's first answer, "not yet".
            unsettled = self.conditions.deciding or self._running.deciding or self.exports.listing
            if unsettled or self.asked or self._following:
                return symbol
            if late is not None and not isinstance(symbol, (Unresolved, DynamicSymbol)):  # which tell of the place
                self._late[late] = symbol
        self._resolved[id(expr), id(scope)] = (expr, scope, symbol)
        return symbol

    def _resolve(self, expr: Expr, scope: Scope) -> Symbol:
        if isinstance(expr, Name):
            reading = Reading(scope, None if expr.deferred else expr.pos[:2])
            return self.lookup(expr.id, reading, scope.module.file.span(expr.pos))
        if isinstance(expr, Attribute):
            owner = self.resolve(expr.value, scope)
            if isinstance(owner, Unresolved) and isinstance(expr.value, Name):
                owner = _as_module(owner, expr.value.id, expr.attr)
            file = scope.module.file
            return self.member(owner, expr.attr, file.span(expr.attr_pos), in_stub=file.is_stub)
        deep = isinstance(expr, Opaque) and expr.too_deep
        return DynamicSymbol("", "nesting too deep" if deep else "an expression")

    def dealias(self, symbol: Symbol) -> Symbol:
        """What a variable stands for where it is just another name: `Alias = shop.Item`.

        A variable that comes back to itself (`node = node.parent`) is what it is.
        """
        if not isinstance(symbol, ValueSymbol):
            return symbol
        entered: list[int] = []
        while isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Name, Attribute)):
            if id(symbol.expr) in self._following:
                break
            self._following.add(id(symbol.expr))
            entered.append(id(symbol.expr))
            symbol = self.resolve(symbol.expr, symbol.scope)
        self._following.difference_update(entered)
        return symbol

    def lookup(self, name: str, reading: Reading, span: Span) -> Symbol:
        """A bare name, from the scope outwards; one that is bound nowhere yet may be bound later."""
        for scope, at in reading.outwards(name):
            if name in scope.bindings or scope.stars or name in scope.module.global_names:
                symbol = self._in_scope(scope, name, at, span, Trail(name))
                if symbol is not None:
                    return symbol
        if name in known.BUILTINS:
            return KnownSymbol(f"builtins.{name}")
        if reading.at is not None:
            return self.lookup(name, Reading(reading.scope, None), span)
        return self._unresolved_name(name, reading.scope, span)

    def _in_scope(self, scope: Scope, name: str, at: tuple[int, int] | None, span: Span, trail: Trail) -> Symbol | None:
        """What a name means in one scope, bound there or brought by a star import; None if it is not in it."""
        symbol = self._bound(scope, name, at, span, trail)
        if symbol is None and scope.kind == "module" and name in scope.module.global_names:
            return DynamicSymbol(name, "a `global` statement in a function")
        return symbol

    def _bound(self, scope: Scope, name: str, at: tuple[int, int] | None, span: Span, trail: Trail) -> Symbol | None:
        """What a name is bound to in one scope; None if it is not. Star imports bind as other statements do."""
        options = self.choice.options(scope, name, at)
        stars, certain = self._from_stars(scope, name, span, trail, options, at) if scope.stars else ([], False)
        if len(options) == 1 and not scope.stars:
            return self._follow(options[0], scope, span, trail)
        symbols = [] if certain else [self._follow(binding, scope, span, trail.copy()) for binding in options]
        symbols += stars
        if not symbols:
            return None
        if len(symbols) == 1 or all(self._same(symbols[0], other) for other in symbols[1:]):
            return symbols[0]
        return DynamicSymbol(name, "statements under conditions that can't be decided", tuple(symbols))

    def _same(self, left: Symbol, right: Symbol) -> bool:
        """Whether two symbols mean the same."""
        left, right = self.dealias(left), self.dealias(right)
        if isinstance(left, ValueSymbol) and isinstance(right, ValueSymbol) and left.expr and right.expr:
            return left.scope is right.scope and equal(left.expr, right.expr)
        decls = [getattr(symbol, "decl", None) for symbol in (left, right)]
        return left == right or (decls[0] is not None and decls[0] is decls[1])

    def member(self, owner: Symbol, name: str, span: Span, *, in_stub: bool = False) -> Symbol:
        """An attribute of a module or class, as it is written in a stub or elsewhere."""
        owner = self.dealias(owner)
        if isinstance(owner, Unresolved | DynamicSymbol):
            return owner
        if isinstance(owner, ModuleSymbol):
            found = self._module_member(owner.name, name, span, Trail(name), in_stub)
            return self._follow(*found, span, Trail(name)) if isinstance(found, tuple) else found
        if isinstance(owner, ClassSymbol):
            return self.class_member(owner.decl, name, span)
        variable = variable_of(owner, self)
        if variable is not None:
            return DynamicSymbol("", f"`{name}` of the {variable.kind} `{variable.name}`")
        return DynamicSymbol(name, "an attribute of a value")

    def class_member(self, decl: ClassDecl, name: str, span: Span) -> Symbol:
        """An attribute of a class, its bases included."""
        for owner in self.linear_bases(decl):
            symbol = self._bound(owner.body, name, None, span, Trail(name))
            if symbol is not None:
                return symbol
        options = (key for owner in self.linear_bases(decl) for key in owner.body.bindings)
        message = f"class `{decl.name}` has no `{name}`"
        return Unresolved(rules.UNRESOLVED_NAME.at(span, message, label="not found"), _nearest(name, list(options)))

    def linear_bases(self, decl: ClassDecl) -> list[ClassDecl]:
        """The class and all its bases whose source is known, in Python's look-up order (breadth before repetition)."""
        found: dict[int, ClassDecl] = {}
        pending = [decl]
        while pending:
            step = pending.pop(0)
            if id(step) in found:
                continue
            found[id(step)] = step
            for base in step.bases:
                symbol = self.base_symbol(base.expr, step)
                if isinstance(symbol, ClassSymbol):
                    pending.append(symbol.decl)
        return list(found.values())

    def base_symbol(self, expr: Expr, decl: ClassDecl) -> Symbol:
        """What a base in a class statement is; a subscript (`Base[int]`) means its class."""
        target = expr.value if isinstance(expr, Subscript) else expr
        return self.dealias(self.resolve(target, decl.signature_scope))

    def module(self, name: str, span: Span) -> Symbol:
        """The module of that name."""
        if self.module_exists(name) or known.known_module(name):
            return ModuleSymbol(name)
        return self._missing_module(name, span, Trail(name))

    def module_exists(self, name: str) -> bool:
        return bool(name) and (known.exists_without_source(name) or self.program.exists(self._stood_in(name)))

    def _stood_in(self, name: str) -> str:
        """The module that stands in for one of a package that is not installed; else the module itself."""
        if name not in known.STOOD_IN or self.program.exists(name.partition(".")[0]):
            return name
        return known.STOOD_IN[name]

    def missing_module(self, name: str, span: Span) -> Unresolved:
        """Why a module that is named outside any source can't be found."""
        return self._missing_module(name, span, Trail(name))

    def _follow(self, binding: Binding, scope: Scope, span: Span, trail: Trail) -> Symbol:
        """From a binding to what is bound, through any number of imports."""
        while True:
            if isinstance(binding, ModuleImport):
                return self._imported_module(binding, scope, span, trail)
            if not isinstance(binding, SymbolImport):
                return self._defined(binding, scope, span, trail)
            if trail.seen(binding):
                message = f"`{trail.name}` is imported in a circle and defined nowhere"
                return Unresolved(rules.CIRCULAR_DEFINITION.at(span, message, labels=trail.labels))
            trail.step(binding, scope.module)
            source = absolute_module(binding, scope.module)
            if source is None:
                message = f"the relative import of `{binding.symbol}` leaves the top-level package"
                label = "imported from outside its package"
                return Unresolved(rules.UNRESOLVED_IMPORT.at(span, message, label=label, labels=trail.labels))
            if self._for_checkers(source, binding, scope):
                return self._missing_module(source, span, trail)
            found = self._module_member(source, binding.symbol, span, trail, scope.module.file.is_stub)
            if not isinstance(found, tuple):
                return found
            binding, scope = found

    def _for_checkers(self, module: str, binding: Binding, scope: Scope) -> bool:
        """Whether a source imports, as it runs, a module that only type checkers have."""
        if not typeshed.is_typeshed(module) or scope.module.file.is_stub:
            return False
        return self._running.reached(binding.guards, scope) is not False

    def _imported_module(self, binding: ModuleImport, scope: Scope, span: Span, trail: Trail) -> Symbol:
        found = self.module_exists(binding.target) or known.known_module(binding.target)
        if found and not self._for_checkers(binding.target, binding, scope):
            return ModuleSymbol(binding.target)
        trail.step(binding, scope.module)
        return self._missing_module(binding.target, span, trail)

    def _defined(self, binding: Binding, scope: Scope, span: Span, trail: Trail) -> Symbol:
        """The symbol of a binding that is no import."""
        if isinstance(binding, Definition):
            decl = binding.decl
            if isinstance(decl, ClassDecl):
                return ClassSymbol(decl)
            return FunctionSymbol(decl) if isinstance(decl, FunctionDecl) else AliasSymbol(decl)
        if isinstance(binding, Assignment):
            value = binding.value.expr if binding.value else None
            annotation = binding.annotation.expr if binding.annotation else None
            home = binding.home or scope
            return ValueSymbol(binding.name, scope.qualify(binding.name), value, annotation, home)
        if isinstance(binding, TypeParameter):
            return type_parameter(binding, scope)
        if isinstance(binding, Deletion):
            label = Label(scope.module.file.span(binding.pos), "deleted here")
            message = f"`{binding.name}` is deleted before it is used"
            return Unresolved(rules.UNRESOLVED_NAME.at(span, message, labels=(*trail.labels, label)))
        what = binding.what if isinstance(binding, Dynamic) else "a statement"
        return DynamicSymbol(binding.name, what)

    def _module_member(
        self, module: str, name: str, span: Span, trail: Trail, in_stub: bool
    ) -> Symbol | tuple[Binding, Scope]:
        """What `module.name` is: a symbol, or the binding to follow on.

        For a stub it is what the module's own stub says; but what a class holds, its source says better.
        """
        canonical = known.known_name(module, name)
        if canonical is not None:
            return KnownSymbol(canonical)
        module = self._stood_in(module)
        if in_stub and (said := self._from_stub(module, name, span, trail)) is not None:
            if not isinstance(said, tuple) or not isinstance(said[0], Definition):
                return said
        submodule = f"{module}.{name}"
        parsed = None if module in known.CLOSED else self.program.module(module)
        if parsed is not None:
            options = self.choice.options(parsed.scope, name, None)
            if len(options) == 1 and not parsed.scope.stars and not self._is_own_submodule(options[0], parsed, name):
                return options[0], parsed.scope
            own = bool(options) and self._is_own_submodule(options[-1], parsed, name)
            if not own and (symbol := self._in_scope(parsed.scope, name, None, span, trail)) is not None:
                return symbol
        if known.known_module(submodule) or self.module_exists(submodule):
            return ModuleSymbol(submodule)
        if parsed is not None and (found := self._from_stub(module, name, span, trail)) is not None:
            return found
        if f"{module}:{name}" in self.declared:
            return DeclaredSymbol(f"{module}:{name}")
        if parsed is not None and self.choice.options(parsed.scope, "__getattr__", None):
            return DynamicSymbol(name, f"the `__getattr__` of module `{module}`")
        if parsed is not None and parsed.writes_globals:
            return DynamicSymbol(name, f"module `{module}`, which changes its `globals()`")
        return self._missing_member(module, name, parsed, span, trail)

    def _from_stub(self, module: str, name: str, span: Span, trail: Trail) -> Symbol | tuple[Binding, Scope] | None:
        """What a module's stub has that its source does not show: names made at run time."""
        stub = self.program.stub(module)
        if stub is None:
            return None
        options = self.choice.options(stub.scope, name, None)
        return (options[-1], stub.scope) if options else self._in_scope(stub.scope, name, None, span, trail)

    def _is_own_submodule(self, binding: Binding, parsed: ParsedModule, name: str) -> bool:
        """`from . import name` in a package's `__init__`, where `name` is a module of the package."""
        if not isinstance(binding, SymbolImport) or binding.symbol != name:
            return False
        return absolute_module(binding, parsed) == parsed.file.module

    def _from_stars(
        self,
        scope: Scope,
        name: str,
        span: Span,
        trail: Trail,
        bound: list[Binding],
        at: tuple[int, int] | None,
    ) -> tuple[list[Symbol], bool]:
        """What star imports bring under `name`, the last of them first, and whether one of them surely takes place.

        Those before the statements that bind it (`bound`) do not count, nor those behind the place `at`.
        """
        found: list[Symbol] = []
        for star in reversed(scope.stars):
            early = bool(bound) and star.since < bound[0].since
            reached = self.choice.reached(star, scope)
            if early or trail.seen(star) or reached is False or (at is not None and star.since > at):
                continue
            symbol = self._from_star(star, scope, name, span, trail)
            if symbol is not None:
                found.append(symbol)
                if reached:
                    return found, True
        return found, False

    def _from_star(self, star: SymbolImport, scope: Scope, name: str, span: Span, trail: Trail) -> Symbol | None:
        trail.step(star, scope.module)
        source = self._stood_in(absolute_module(star, scope.module) or "")
        canonical = known.known_name(source, name)
        if canonical is not None:
            return KnownSymbol(canonical)
        parsed = self.program.module(source)
        if parsed is None or not self.exports.has(parsed, name):
            return self._starred_in_stub(source, name, span, trail)
        symbol = self._in_scope(parsed.scope, name, None, span, trail)
        if symbol is None and self.exports.names(parsed, name) and self.module_exists(f"{source}.{name}"):
            return ModuleSymbol(f"{source}.{name}")
        if symbol is None:
            return self._starred_in_stub(source, name, span, trail)
        return None if isinstance(symbol, Unresolved) else symbol

    def _starred_in_stub(self, source: str, name: str, span: Span, trail: Trail) -> Symbol | None:
        """What a star import brings that only the module's stub shows."""
        stub = self.program.stub(source)
        if stub is None or not self.exports.has(stub, name):
            return None
        symbol = self._in_scope(stub.scope, name, None, span, trail)
        return None if isinstance(symbol, Unresolved) else symbol

    def _missing_module(self, module: str, span: Span, trail: Trail) -> Unresolved:
        from .suggestions import did_you_mean

        if typeshed.is_typeshed(module):
            message = f"module `{module}` exists for type checkers only"
            way_out = "import it under `if TYPE_CHECKING:`"
            return Unresolved(rules.UNRESOLVED_IMPORT.at(span, message, labels=trail.labels, help=way_out))
        location = self.program.finder.find(module)
        if location is not None and location.compiled:
            message = f"module `{module}` has no source"
            way_out = "add a stub (`.pyi` or a stub package), or declare the type in `[tool.lauren-compile.types]`"
            return Unresolved(rules.NO_SOURCE.at(span, message, label="no source", labels=trail.labels, help=way_out))
        parent, _, last = module.rpartition(".")
        siblings = self.program.finder.children(parent) if not parent or self.program.exists(parent) else ()
        options = siblings if parent else (*siblings, *known.TOOL_SYSTEM_MODULES)
        remedy = did_you_mean(last, options, prefix=f"{parent}." if parent else "")
        package = self.program.module(parent) if parent and remedy is None else None
        if package is not None and self.program.is_source(package):
            remedy = f"correct the import, or write `{last}`: package `{parent}` is one of the sources"
        message = f"module `{module}` is not found"
        return Unresolved(
            rules.UNRESOLVED_IMPORT.at(
                span,
                message,
                label="comes from there",
                labels=trail.labels,
                notes=() if parent and siblings else self.program.finder.unread,
                help=remedy or _WHERE_MODULES_ARE,
            )
        )

    def _missing_member(
        self, module: str, name: str, parsed: ParsedModule | None, span: Span, trail: Trail
    ) -> Unresolved:
        location = self.program.finder.find(module)
        understood = known.known_module(module)
        if parsed is None and not understood and (location is None or location.compiled):
            return self._missing_module(module, span, trail)
        if parsed is None and location is not None and location.path is not None and not understood:
            message = f"module `{module}` can't be read as Python"
            found = rules.NO_SOURCE.at(span, message, label="no readable source", labels=trail.labels)
            return Unresolved(found.because(self.program.show(location.path), "this needs what stands in it"))
        if parsed is not None and (lost := self._lost_stars(parsed.scope)):
            message = f"`{name}` may be defined in module `{lost[0]}`, which has no source that can be read"
            label = f"`{module}` imports it with `from {lost[0]} import *`, if it exists"
            return Unresolved(rules.NO_SOURCE.at(span, message, label=label, labels=trail.labels))
        options: Iterable[str] = known.known_names(module)
        if parsed is not None:
            options = [*parsed.scope.bindings, *options]
        elif location is not None:
            options = [*self.program.finder.children(module), *options]
        label = f"`{module}` has no `{name}`"
        message = f"`{name}` is not defined in module `{module}`"
        found = rules.MISSING_EXPORT.at(span, message, label=label, labels=trail.labels)
        return Unresolved(found, _nearest(name, options))

    def _unresolved_name(self, name: str, scope: Scope, span: Span) -> Unresolved:
        scopes: list[Scope] = []
        step: Scope | None = scope
        while step is not None:
            scopes.append(step)
            step = step.parent
        lost = [module for each in scopes for module in self._lost_stars(each)]

        def remedy() -> str | None:
            from .suggestions import unbound

            return unbound(name, [bound for each in scopes for bound in each.bindings])

        message = f"`{name}` is defined nowhere"
        missing = [f"module `{module}`, from which all names are imported, has no source" for module in lost]
        label = "; ".join(["not found", *missing])
        return Unresolved(rules.UNRESOLVED_NAME.at(span, message, label=label), None if lost else remedy)

    def _lost_stars(self, scope: Scope) -> list[str]:
        """The modules of star imports that can't be looked into."""
        modules = [absolute_module(star, scope.module) or star.symbol for star in scope.stars]
        return [name for name in modules if self.program.module(name) is None and not known.known_module(name)]


def _is_late(name: Name, scope: Scope) -> bool:
    """Whether a name means what it does when all has run: it is read then, or nothing binds it from here on."""
    if name.deferred:
        return True
    if scope.kind != "module" or scope.stars:
        return False
    bindings = scope.bindings.get(name.id)
    if bindings is None:
        return True
    return len(bindings) == 1 and bindings[0].guards is None and bindings[0].since <= name.pos[:2]


def _nearest(name: str, options: Iterable[str]) -> Callable[[], str | None]:
    """What looks for the name that was meant."""

    def remedy() -> str | None:
        from .suggestions import did_you_mean

        return did_you_mean(name, options)

    return remedy


def _as_module(owner: Unresolved, name: str, attribute: str) -> Unresolved:
    """An unbound name that stands before one of the names of the module called so: `datetime.date`."""
    if owner.told.rule is not rules.UNRESOLVED_NAME or known.known_name(name, attribute) is None:
        return owner
    return Unresolved(replace(owner.told, help=f"import it: `import {name}`"))
