"""Names followed to what they mean: through scopes, imports, re-exports, star imports and attributes.

Following is a loop, not a recursion, so that a chain of re-exports may be of any length; a chain that comes back to
itself is an error at the name that started it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics.model import Label
from ..diagnostics.rules import names as rules
from ..source.span import Span
from ..syntax.declarations import (
    Assignment,
    Attempt,
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
from ..syntax.expressions import Attribute, Expr, Name, Opaque, Subscript
from . import known
from .conditions import Conditions
from .exports import exported
from .program import Program
from .suggestions import did_you_mean
from .symbols import (
    AliasSymbol,
    ClassSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    TypeVariable,
    Unresolved,
    ValueSymbol,
)
from .trail import Trail


class Resolver:
    """Answers what a name or dotted name means in a scope."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.conditions = Conditions(self, program.environment)

    def resolve(self, expr: Expr, scope: Scope, order: int | None = None) -> Symbol:
        """The symbol of a `Name` or `Attribute`; `order` is the statement that reads it, None if all has run."""
        if isinstance(expr, Name):
            return self.lookup(expr.id, scope, scope.module.file.span(expr.pos), order)
        if isinstance(expr, Attribute):
            owner = self.resolve(expr.value, scope, order)
            return self.member(owner, expr.attr, scope.module.file.span(expr.attr_pos))
        deep = isinstance(expr, Opaque) and expr.too_deep
        return DynamicSymbol("", "nesting too deep" if deep else "an expression")

    def dealias(self, symbol: Symbol) -> Symbol:
        """What a variable stands for where it is just another name: `Alias = shop.Item`."""
        seen: set[int] = set()
        while isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Name, Attribute)):
            if id(symbol.expr) in seen:
                break
            seen.add(id(symbol.expr))
            symbol = self.resolve(symbol.expr, symbol.scope)
        return symbol

    def lookup(self, name: str, scope: Scope, span: Span, order: int | None = None) -> Symbol:
        """A bare name, from the scope outwards; class bodies are seen from themselves only, as in Python."""
        step: Scope | None = scope
        while step is not None:
            if step is scope or step.kind != "class":
                if step.outer_names.get(name) == "global":
                    step = step.module.scope
                # A class statement's type parameters stand between it and the scope its bases are read in.
                reads = order if step is scope or scope.kind == "parameters" else None
                binding = self.choose(step, name, reads)
                if binding is not None:
                    return self._follow(binding, step, span, Trail(name))
                if (symbol := self._from_stars(step, name, span, Trail(name))) is not None:
                    return symbol
            step = step.parent
        if name in known.BUILTINS:
            return KnownSymbol(f"builtins.{name}")
        return self._unresolved_name(name, scope, span)

    def member(self, owner: Symbol, name: str, span: Span) -> Symbol:
        """An attribute of a module or class."""
        owner = self.dealias(owner)
        if isinstance(owner, Unresolved | DynamicSymbol):
            return owner
        if isinstance(owner, ModuleSymbol):
            found = self._module_member(owner.name, name, span, Trail(name))
            return self._follow(*found, span, Trail(name)) if isinstance(found, tuple) else found
        if isinstance(owner, ClassSymbol):
            return self.class_member(owner.decl, name, span)
        return DynamicSymbol(name, "an attribute of a value")

    def class_member(self, decl: ClassDecl, name: str, span: Span) -> Symbol:
        """An attribute of a class, its bases included."""
        for owner in self.linear_bases(decl):
            binding = self.choose(owner.body, name, None)
            if binding is not None:
                return self._follow(binding, owner.body, span, Trail(name))
        options = [key for owner in self.linear_bases(decl) for key in owner.body.bindings]
        message = f"class `{decl.name}` has no `{name}`"
        return Unresolved(rules.UNRESOLVED_NAME.at(span, message, label="not found", help=did_you_mean(name, options)))

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
        return self.dealias(self.resolve(target, decl.signature_scope, decl.order))

    def choose(self, scope: Scope, name: str, order: int | None) -> Binding | None:
        """The binding of `name` in one scope that counts at statement `order`.

        Bindings under tests that fail do not exist. Of the rest the last before `order` counts, or the last of all; one
        in an exception handler only if the import in the `try` body leads nowhere.
        """
        bindings = scope.bindings.get(name)
        if not bindings:
            return None
        if len(bindings) == 1 and bindings[0].guards is None:
            return bindings[0]
        reached = [binding for binding in bindings if self.conditions.reached(binding, scope) is not False]
        valued = [b for b in reached if not (isinstance(b, Assignment) and b.value is None)] or reached
        if order is not None:
            before = [binding for binding in valued if binding.order < order]
            valued = before or valued[:1]
        main = [binding for binding in valued if not in_handler(binding)]
        for binding in reversed(main):
            if self._leads_somewhere(binding, scope):
                return binding
        return valued[-1] if valued else None

    def _leads_somewhere(self, binding: Binding, scope: Scope) -> bool:
        """Whether an import in a `try` body finds its module; everything else does."""
        if not any(isinstance(guard, Attempt) for guard in binding.guards or ()):
            return True
        if isinstance(binding, ModuleImport):
            return self.module_exists(binding.target)
        if isinstance(binding, SymbolImport):
            return self.module_exists(absolute_module(binding, scope.module) or "")
        return True

    def module_exists(self, name: str) -> bool:
        return bool(name) and (known.exists_without_source(name) or self.program.exists(name))

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
            found = self._module_member(source, binding.symbol, span, trail)
            if not isinstance(found, tuple):
                return found
            binding, scope = found

    def _imported_module(self, binding: ModuleImport, scope: Scope, span: Span, trail: Trail) -> Symbol:
        if self.module_exists(binding.target) or known.known_module(binding.target):
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
            return ValueSymbol(binding.name, scope.qualify(binding.name), value, annotation, scope)
        if isinstance(binding, TypeParameter):
            return TypeVariable(binding.name)
        if isinstance(binding, Deletion):
            label = Label(scope.module.file.span(binding.pos), "deleted here")
            message = f"`{binding.name}` is deleted before it is used"
            return Unresolved(rules.UNRESOLVED_NAME.at(span, message, labels=(*trail.labels, label)))
        what = binding.what if isinstance(binding, Dynamic) else "a statement"
        return DynamicSymbol(binding.name, what)

    def _module_member(self, module: str, name: str, span: Span, trail: Trail) -> Symbol | tuple[Binding, Scope]:
        """What `module.name` is: a symbol, or the binding to follow on."""
        canonical = known.known_name(module, name)
        if canonical is not None:
            return KnownSymbol(canonical)
        submodule = f"{module}.{name}"
        parsed = None if module in known.CLOSED else self.program.module(module)
        if parsed is not None:
            binding = self.choose(parsed.scope, name, None)
            if binding is not None and not self._is_own_submodule(binding, parsed, name):
                return binding, parsed.scope
            if (symbol := self._from_stars(parsed.scope, name, span, trail)) is not None:
                return symbol
        if known.known_module(submodule) or self.module_exists(submodule):
            return ModuleSymbol(submodule)
        if parsed is not None and self.choose(parsed.scope, "__getattr__", None) is not None:
            return DynamicSymbol(name, f"the `__getattr__` of module `{module}`")
        if parsed is not None and parsed.writes_globals:
            return DynamicSymbol(name, f"module `{module}`, which changes its `globals()`")
        return self._missing_member(module, name, parsed, span, trail)

    def _is_own_submodule(self, binding: Binding, parsed: ParsedModule, name: str) -> bool:
        """`from . import name` in a package's `__init__`, where `name` is a module of the package."""
        if not isinstance(binding, SymbolImport) or binding.symbol != name:
            return False
        return absolute_module(binding, parsed) == parsed.file.module

    def _from_stars(self, scope: Scope, name: str, span: Span, trail: Trail) -> Symbol | None:
        """What a star import of this scope brings under `name`; the last one that has it counts."""
        for star in reversed(scope.stars):
            if trail.seen(star) or self.conditions.reached(star, scope) is False:
                continue
            trail.step(star, scope.module)
            source: str = absolute_module(star, scope.module) or ""
            canonical = known.known_name(source, name)
            if canonical is not None:
                return KnownSymbol(canonical)
            parsed = self.program.module(source)
            if parsed is None or not exported(parsed, name):
                continue
            binding = self.choose(parsed.scope, name, None)
            if binding is not None:
                return self._follow(binding, parsed.scope, span, trail)
            if (symbol := self._from_stars(parsed.scope, name, span, trail)) is not None:
                return symbol
        return None

    def _missing_module(self, module: str, span: Span, trail: Trail) -> Unresolved:
        location = self.program.finder.find(module)
        if location is not None and location.compiled:
            message = f"module `{module}` has no source"
            way_out = "add a stub file (`.pyi`) beside it or a stub package, or name another type"
            return Unresolved(rules.NO_SOURCE.at(span, message, label="no source", labels=trail.labels, help=way_out))
        parent, _, last = module.rpartition(".")
        remedy = did_you_mean(last, self.program.finder.children(parent), prefix=f"{parent}." if parent else "")
        message = f"module `{module}` is not found"
        label = f"needs module `{module}`"
        return Unresolved(rules.UNRESOLVED_IMPORT.at(span, message, label=label, labels=trail.labels, help=remedy))

    def _missing_member(
        self, module: str, name: str, parsed: ParsedModule | None, span: Span, trail: Trail
    ) -> Unresolved:
        location = self.program.finder.find(module)
        understood = known.known_module(module)
        if parsed is None and not understood and (location is None or location.compiled):
            return self._missing_module(module, span, trail)
        if parsed is None and location is not None and location.path is not None and not understood:
            message = f"module `{module}` can't be read as Python"
            return Unresolved(rules.NO_SOURCE.at(span, message, label="no readable source", labels=trail.labels))
        if parsed is not None and (lost := self._lost_stars(parsed.scope)):
            message = f"`{name}` may be defined in module `{lost[0]}`, which has no source that can be read"
            label = f"`{module}` imports it with `from {lost[0]} import *`, if it exists"
            return Unresolved(rules.NO_SOURCE.at(span, message, label=label, labels=trail.labels))
        options: Iterable[str] = known.known_names(module)
        if parsed is not None:
            options = [*parsed.scope.bindings, *options]
        elif location is not None:
            options = [*self.program.finder.children(module), *options]
        remedy = did_you_mean(name, options)
        label = f"`{module}` has no `{name}`"
        message = f"`{name}` is not defined in module `{module}`"
        return Unresolved(rules.MISSING_EXPORT.at(span, message, label=label, labels=trail.labels, help=remedy))

    def _unresolved_name(self, name: str, scope: Scope, span: Span) -> Unresolved:
        options: list[str] = [*known.BUILTINS]
        step: Scope | None = scope
        lost: list[str] = []
        while step is not None:
            options += step.bindings
            lost += self._lost_stars(step)
            step = step.parent
        message = f"`{name}` is defined nowhere"
        remedy = did_you_mean(name, options) or self._import_hint(name)
        missing = [f"module `{module}`, from which all names are imported, has no source" for module in lost]
        label = "; ".join(["not found", *missing])
        return Unresolved(rules.UNRESOLVED_NAME.at(span, message, label=label, help=remedy))

    def _lost_stars(self, scope: Scope) -> list[str]:
        """The modules of star imports that can't be looked into."""
        modules = [absolute_module(star, scope.module) or star.symbol for star in scope.stars]
        return [name for name in modules if self.program.module(name) is None and not known.known_module(name)]

    @staticmethod
    def _import_hint(name: str) -> str | None:
        for module in ("typing", "collections.abc", "dataclasses", "enum", "datetime", "decimal", "uuid", "pathlib"):
            if name in known.known_names(module):
                return f"import it: `from {module} import {name}`"
        return None


def in_handler(binding: Binding) -> bool:
    """Whether a binding stands in an exception handler."""
    return any(isinstance(guard, Attempt) and guard.handler for guard in binding.guards or ())


def absolute_module(binding: SymbolImport, module: ParsedModule) -> str | None:
    """The module a `from … import` names; None if its dots leave the top-level package."""
    if not binding.level:
        return binding.module
    package = module.file.package.split(".") if module.file.package else []
    if binding.level > len(package):
        return None
    base = package[: len(package) - binding.level + 1]
    return ".".join([*base, binding.module] if binding.module else base)
