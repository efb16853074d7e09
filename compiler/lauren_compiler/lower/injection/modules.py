"""`@module(...)` → `Module`: what it declares, imports and exports, and what only running code would know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ...diagnostics.model import Label, Sink
from ...diagnostics.rules import injection as rules
from ...ir.graph import Entry, Module, Named, Token
from ...semantics.reading import Reading
from ...semantics.symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved
from ...source.span import Span
from ...syntax import expressions as ex
from ...syntax.declarations import ClassDecl, ParsedModule, Scope
from .agent_modules import AgentModuleReader, ForRoot
from .displays import Item, Items, items_of
from .marks import Applied, Marks
from .plain import may_be_marked
from .providers import ProviderReader, Unknown
from .tokens import TokenReader, of_declaration

_FORWARD = KnownSymbol("typing.ForwardRef")


Imported: TypeAlias = ClassDecl | ForRoot
"""What makes a module."""


class _Owner(Struct, frozen=True):
    """The module whose imports are read."""

    key: str
    name: str
    module: ParsedModule


class ModuleReader:
    """Reads modules. `sink` gets what the container refuses, and a note for what it alone can know."""

    def __init__(self, tokens: TokenReader, marks: Marks, providers: ProviderReader, sink: Sink) -> None:
        self._agents = AgentModuleReader(tokens, providers, sink)
        self._tokens = tokens
        self._marks = marks
        self._providers = providers
        self._sink = sink
        self.broken: set[str] = set()
        """Modules that import what is none."""

    def read_made(self, made: ForRoot) -> tuple[Module, list[Imported]]:
        """A module that `AgentModule.for_root(...)` makes, and what makes those it imports."""
        module, items = self._agents.read(made)
        owner = _Owner(made.key, module.shown, made.names.module)
        imported, sources, knows = self._imports(owner, Items(items))
        return replace(module, imports=tuple(imported), knows_imports=module.knows_imports and knows), sources

    def read(self, decl: ClassDecl, applied: Applied) -> tuple[Module, list[Imported]]:
        """A module, and what makes those it imports."""
        self._marks.check_call(applied)
        file = decl.scope.module.file
        unpacked = [word for word in applied.call.keywords if word.name is None]
        for word in unpacked:
            span = applied.names.module.file.span(word.pos)
            self._unknown(decl, "what it is", [(span, "its options are unpacked from a dict")])
        lists = {name: self._items(applied, name) for name in ("providers", "controllers", "imports", "exports")}
        declared, knows_declared = self._declared(decl, lists["providers"], lists["controllers"])
        owner = _Owner(decl.key, decl.name, decl.scope.module)
        imported, classes, knows_imports = self._imports(owner, lists["imports"])
        exports, knows_exports = self._exports(decl, lists["exports"])
        module = Module(
            decl.key,
            decl.name,
            file.span(decl.name_pos),
            tuple(declared),
            tuple(imported),
            tuple(exports),
            knows_declared and not unpacked,
            knows_imports and not unpacked,
            knows_exports and not unpacked,
            decl.line,
            file.relative,
        )
        return module, classes

    def _items(self, applied: Applied, name: str) -> Items:
        return items_of(applied.call.keyword(name), applied.names, self._tokens.lists)

    def _declared(self, decl: ClassDecl, *lists: Items) -> tuple[list[Entry], bool]:
        entries: list[Entry] = []
        unknown = [place for each in lists for place in each.unknown]
        for expr, names in (item for each in lists for item in each.known):
            read = self._providers.read(expr, names, decl.key)
            if isinstance(read, Unknown):
                unknown.append((read.span, read.why))
            else:
                entries.append(read)
        self._unknown(decl, "what it declares", unknown)
        return entries, not unknown

    def _exports(self, decl: ClassDecl, items: Items) -> tuple[list[Named], bool]:
        exports: list[Named] = []
        unknown = list(items.unknown)
        for expr, names in items.known:
            token = self._tokens.read(expr, names)
            span = names.module.file.span(expr.pos)
            if isinstance(token, Token):
                exports.append(Named(token, span))
            else:
                unknown.append((span, _why(token)))
        self._unknown(decl, "what it exports", unknown)
        return exports, not unknown

    def _imports(self, owner: _Owner, items: Items) -> tuple[list[Named], list[Imported], bool]:
        imports: list[Named] = []
        sources: list[Imported] = []
        unknown = list(items.unknown)
        for item in items.known:
            span = item[1].module.file.span(item[0].pos)
            found = self._imported(item, owner, span)
            if isinstance(found, ClassDecl):
                sources.append(found)
                imports.append(Named(of_declaration(found, "class"), span))
            elif isinstance(found, ForRoot):
                sources.append(found)
                imports.append(Named(Token("object", found.key, None, found.shown), span))
            elif found is not None:
                unknown.append((span, found))
        self._unknown(owner, "what it imports", unknown)
        return imports, sources, not unknown

    def _imported(self, item: Item, importer: _Owner, span: Span) -> Imported | str | None:
        """The module that an import means; None, reported, if it means none; why, if that can't be known."""
        expr, names = item
        made = self._agents.find(expr, names)
        if made is not None:
            return made
        text = self._text(expr, names)
        if text is not None:
            # Looked for in the file of the importing module first; elsewhere it depends on what is loaded by then.
            symbol = self._tokens.resolver.lookup(text, Reading(importer.module.scope, None), span)
            if isinstance(symbol, Unresolved):
                return f"which module is called `{text}` depends on what is loaded by then"
        elif isinstance(expr, (ex.Name, ex.Attribute)):
            symbol = self._tokens.meaning(expr, names)
        else:
            return "it is made by a call" if isinstance(expr, ex.Call) else "it is computed"
        symbol = self._tokens.resolver.dealias(symbol)
        if isinstance(symbol, ClassSymbol):
            return self._module_class(symbol.decl, importer, span)
        if isinstance(symbol, (FunctionSymbol, KnownSymbol)):
            self._no_module(expr, symbol, importer, span)
            return None
        return _why(symbol)

    def _module_class(self, decl: ClassDecl, importer: _Owner, span: Span) -> ClassDecl | str | None:
        if self._marks.module(decl) is not None:
            return decl
        if id(decl) in self._marks.elsewhere or may_be_marked(decl, self._tokens.resolver):
            return f"a call or decorator may make `{decl.name}` a module"
        self.broken.add(importer.key)
        labels = (Label(decl.scope.module.file.span(decl.name_pos), "defined here"),)
        base = self._marks.marked_base(decl, module=True)
        if base is not None:
            message = f"`{decl.name}` is a module only by its base `{base.name}`"
            remedy = f"decorate `{decl.name}` with `@module()` itself"
            self._sink.add(rules.INHERITED_MARK.at(span, message, labels=labels, help=remedy))
        else:
            message = f"`{decl.name}`, which `{importer.name}` imports, is no module"
            remedy = f"decorate it with `@module()`, or list it in `providers` of `{importer.name}`"
            self._sink.add(rules.NOT_A_MODULE.at(span, message, labels=labels, help=remedy))
        return None

    def _no_module(self, expr: ex.Expr, symbol: Symbol, importer: _Owner, span: Span) -> None:
        self.broken.add(importer.key)
        name = symbol.decl.name if isinstance(symbol, FunctionSymbol) else getattr(symbol, "name", "")
        message = f"`{name}`, which `{importer.name}` imports, is no module"
        self._sink.add(rules.NOT_A_MODULE.at(span, message, help="import classes with `@module()`"))

    def _text(self, expr: ex.Expr, names: Scope) -> str | None:
        """The name that an import in quotes gives, or a `ForwardRef`."""
        if isinstance(expr, ex.Call) and len(expr.args) == 1:
            if self._tokens.meaning(expr.func, names) == _FORWARD:
                expr = expr.args[0]
        return expr.value if isinstance(expr, ex.Constant) and isinstance(expr.value, str) else None

    def _unknown(self, decl: ClassDecl | _Owner, what: str, places: Iterable[tuple[Span, str]]) -> None:
        """Note what is left to the start-up check."""
        for span, why in places:
            if not why:
                continue
            message = f"module `{decl.name}` is checked when the application is created: {what} is known in part"
            note = "what depends on it is not judged here, and no wiring is generated for the application"
            self._sink.add(rules.DYNAMIC_GRAPH.at(span, message, label=why, notes=(note,)))


def _why(symbol: object) -> str:
    if isinstance(symbol, Unresolved):
        return symbol.diagnostic.message
    if isinstance(symbol, DynamicSymbol) and symbol.why:
        return f"bound by {symbol.why}"
    return "what it means is known only at run time"
