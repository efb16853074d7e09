"""Warnings of what will happen at run time to sources that compile: names that are missing then, imports in a circle
or of what is nowhere.

The compiler reads names that are not there when Python looks for them: that is its use. But who runs the tools gets an
error on import, or from lauren-ai a schema without types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import names as rules
from ..diagnostics.rules import tools as tool_rules
from ..ir.types import ObjectDefinition, ObjectKind
from ..semantics.availability import Availability
from ..semantics.choice import absolute_module
from ..semantics.failing_imports import FailingImports
from ..semantics.import_order import ImportOrder
from ..semantics.symbols import ValueSymbol
from ..semantics.types import TypeReader
from ..syntax.declarations import (
    Assignment,
    ClassDecl,
    Definition,
    FunctionDecl,
    Lazy,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
)
from ..syntax.expressions import Attribute, Call, Expr, Name
from .discovery import classes_of
from .entry import entry_of
from .registered import Candidate

_LAZY_SINCE = (3, 14)
"""From this version on annotations are evaluated when they are asked for (PEP 649)."""
_MOST_STEPS = 30


class Foresight:
    """Looks through the sources of one program, after their tools are lowered.

    With `decoration`, also for what lauren-ai's decorator can't resolve, if nothing else says what it makes of tools.
    """

    def __init__(
        self, types: TypeReader, sink: Sink, outputs: tuple[str, ...] = (), *, decoration: bool = True
    ) -> None:
        self._types = types
        self._decoration = decoration
        self.resolver = types.resolver
        self._sink = sink
        self._available = Availability(types.resolver)
        self._order = ImportOrder(types.resolver.program, self._available)
        self._failing = FailingImports(types.resolver, self._available, self._order, outputs)

    def look(self, candidates: Iterable[Candidate]) -> None:
        """Report what will go wrong with tools of one module, once for each place."""
        listed = list(candidates)
        homes = {id(each.decl.scope.module): each.decl.scope.module for each in listed}
        for module in homes.values():
            self._cycle(module)
            self._imports(module)
            if self.resolver.program.environment.version < _LAZY_SINCE:
                self._joined_in_aliases(module.scope)
                if not module.future_annotations:
                    self._evaluated(module.scope)
        for candidate in listed:
            if self._decoration and self._is_lauren_ai(candidate.maker.expr, candidate.maker.scope):
                self._at_decoration(candidate)

    def look_at_imported(self, modules: Iterable[ParsedModule]) -> None:
        """Report imports that fail in what is imported with modules."""
        pending = list(modules)
        reached = {id(module) for module in pending}
        while pending:
            for module in self._failing.led_to(pending.pop()):
                if id(module) not in reached:
                    reached.add(id(module))
                    pending.append(module)
                    self._imports(module)

    def look_at_models(self, modules: Iterable[ParsedModule]) -> None:
        """Report models that tools ask for and that pydantic can't complete."""
        for module in modules:
            self._models(module)

    def _cycle(self, module: ParsedModule) -> None:
        early = self._order.failing(module.file.module)
        if early is None:
            return
        source = early.source.file
        message = (
            f"importing `{module.file.module}` first fails here: module `{source.module}`, which leads here by its "
            f"own imports, has no `{early.statement.symbol}` yet"
        )
        label = Label(source.span(early.waits_at.pos), "it has come as far as this")
        help = "import inside the function, under TYPE_CHECKING, or move what both need to a third module"
        span = early.module.file.span(early.statement.symbol_pos)
        self._sink.add(rules.IMPORT_CYCLE.at(span, message, labels=(label,), help=help))

    def _imports(self, module: ParsedModule) -> None:
        """Imports of what is nowhere."""
        if self.resolver.program.is_source(module):
            for each in self._failing.of(module):
                message = f"importing module `{module.file.module}` fails here: {each.message}"
                found = rules.FAILING_IMPORT.at(each.span, message, help=each.help)
                cause = f"module {each.missing}" if each.missing else ""
                self._sink.add(found.because(cause, "fails here too") if cause else found)

    def _evaluated(self, scope: Scope) -> None:
        """Annotations of functions and variables that are evaluated when a module is imported."""
        for binding in scope.members:
            if self._available.choice.reached(binding, scope) is False:
                continue
            if isinstance(binding, Assignment) and binding.annotation is not None:
                self._evaluate(binding.annotation, scope)
            elif isinstance(binding, Definition) and isinstance(binding.decl, FunctionDecl):
                decl = binding.decl
                annotations = [parameter.annotation for parameter in decl.parameters]
                for annotation in (*annotations, decl.returns):
                    if annotation is not None:
                        self._evaluate(annotation, decl.signature_scope)
            elif isinstance(binding, Definition) and isinstance(binding.decl, ClassDecl):
                self._evaluated(binding.decl.body)

    def _joined_in_aliases(self, scope: Scope) -> None:
        """Names for types, in a module or its classes: what they are set to is evaluated, whatever annotations are."""
        for binding in scope.members:
            if self._available.choice.reached(binding, scope) is False:
                continue
            if isinstance(binding, Assignment) and binding.value is not None:
                help = "write `Optional[...]` or `Union[...]` of `typing`, or a `type` statement (Python 3.12)"
                self._joined(binding.value, scope, help)
            elif isinstance(binding, Definition) and isinstance(binding.decl, ClassDecl):
                self._joined_in_aliases(binding.decl.body)

    def _joined(self, expr: Lazy, scope: Scope, help: str) -> None:
        for text in self._available.joined_texts(expr.expr, scope):
            message = "importing this module fails here, with a TypeError: `|` can't join a text to a class"
            self._sink.add(rules.JOINED_TEXT.at(scope.module.file.span(text.pos), message, help=help))

    def _evaluate(self, annotation: Lazy, scope: Scope) -> None:
        help = "put the whole annotation into quotes, or add `from __future__ import annotations`"
        self._joined(annotation, scope, help)
        for name in self._available.names(annotation.expr, scope, quoted=False):
            if self._available.missing(name, scope, name.pos[:2]) and self._is_somewhere(name, scope):
                why = "it is imported for type checkers only"
                if not self._available.missing(name, scope, None):
                    why = "it is bound further down"
                message = f"importing this module fails here, with a NameError: `{name.id}` is not there"
                help = f'write it in quotes: `"{name.id}"`, or add `from __future__ import annotations`'
                span = scope.module.file.span(name.pos)
                self._sink.add(rules.MISSING_AT_IMPORT.at(span, message, label=why, help=help))

    def _is_somewhere(self, name: Name, scope: Scope) -> bool:
        """Whether the compiler found the name, and so has not reported it."""
        step: Scope | None = scope
        while step is not None:
            if name.id in step.bindings:
                return True
            step = step.parent
        return False

    def _at_decoration(self, candidate: Candidate) -> None:
        """What `typing.get_type_hints` would miss when lauren-ai's decorator calls it."""
        decl = candidate.decl
        module = decl.scope.module
        entry = entry_of(decl, self._types, Sink())
        if entry is None:
            return
        found: list[Name] = []
        for annotation in (*(each.annotation for each in entry.decl.parameters), entry.decl.returns):
            if annotation is None:
                continue
            for name in self._available.names(annotation.expr, entry.decl.signature_scope, quoted=True):
                at = (decl.line, 0) if decl.scope.kind != "function" else None
                if self._available.missing(name, module.scope, at):
                    found.append(name)
        if not found:
            return
        message = (
            f"lauren-ai can't resolve `{found[0].id}` when it makes this tool: it then shows models a string for each "
            "parameter whose annotation is text"
        )
        help = "import it, or define it above, where the decorator runs; what this compiler writes is not concerned"
        span = module.file.span(found[0].pos)
        labels = tuple(Label(module.file.span(name.pos), "nor this") for name in found[1:4])
        self._sink.add(tool_rules.UNRESOLVED_AT_DECORATION.at(span, message, labels=labels, help=help))

    def _is_lauren_ai(self, expr: Expr, scope: Scope) -> bool:
        """Whether a decorator comes from lauren-ai, and not from the runtime of this project."""
        target = expr.func if isinstance(expr, Call) else expr
        while isinstance(target, Attribute):
            target = target.value
        name = target.id if isinstance(target, Name) else ""
        for _ in range(_MOST_STEPS):
            step: Scope | None = scope
            while step is not None and name not in step.bindings:
                step = step.parent
            binding = step.bindings[name][-1] if step is not None else None
            if isinstance(binding, ModuleImport):
                return binding.target.partition(".")[0] == "lauren_ai"
            source = absolute_module(binding, step.module) if isinstance(binding, SymbolImport) and step else None
            if source is None or not isinstance(binding, SymbolImport):
                return False
            if source.partition(".")[0] == "lauren_ai":
                return True
            module = self.resolver.program.module(source)
            if module is None:
                return False
            name, scope = binding.symbol, module.scope
        return False

    def _models(self, module: ParsedModule) -> None:
        """Fields of models whose types pydantic will not find when it completes them."""
        used = {
            key.partition("[")[0] for key, each in self._types.definitions.items() if isinstance(each, ObjectDefinition)
        }
        for decl in classes_of(module):
            definition = self._types.definitions.get(decl.key)
            if decl.key in used:
                for owner in self.resolver.linear_bases(decl):
                    if self.resolver.program.is_source(owner.scope.module):
                        self._hidden(owner)
            if isinstance(definition, ObjectDefinition) and definition.kind is ObjectKind.MODEL:
                for name in self._unknown_to(decl):
                    message = f"pydantic can't complete `{decl.name}`: `{name.id}` is imported for type checkers only"
                    help = "import it outside of `if TYPE_CHECKING`; until then each call ends in an error"
                    span = module.file.span(name.pos)
                    self._sink.add(rules.MODEL_NOT_DEFINED.at(span, message, help=help))

    def _hidden(self, decl: ClassDecl) -> None:
        """Fields whose annotations name what the default of a field stands for by then."""
        for binding in decl.body.members:
            if isinstance(binding, Assignment) and binding.annotation is not None:
                for name in self._available.read_names(binding.annotation.expr, decl.body):
                    held = self.resolver.resolve(name, decl.body)
                    if isinstance(held, ValueSymbol) and held.scope is decl.body and _is_field(held.name, decl.body):
                        message = f"`{name.id}` is the default of field `{held.name}` here, and not what it is outside"
                        help = "import the type under another name, or name it through its module"
                        span = decl.scope.module.file.span(name.pos)
                        self._sink.add(rules.HIDDEN_TYPE.at(span, message, help=help))

    def _unknown_to(self, decl: ClassDecl) -> Iterator[Name]:
        for binding in decl.body.members:
            if isinstance(binding, Assignment) and binding.annotation is not None:
                for name in self._available.names(binding.annotation.expr, decl.body, quoted=True):
                    if self._available.missing(name, decl.body, None):
                        yield name


def _is_field(name: str, body: Scope) -> bool:
    return any(isinstance(each, Assignment) and each.annotation is not None for each in body.bindings.get(name, ()))
