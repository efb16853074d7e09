"""The graph of all modules in the sources, and of those that they import."""

from __future__ import annotations

from ...diagnostics.model import Sink
from ...diagnostics.rules import injection as rules
from ...ir.graph import EMPTY, ClassFacts, Graph, Module, Root
from ...semantics.symbols import KnownSymbol
from ...semantics.types import TypeReader
from ...syntax.declarations import ClassDecl, ParsedModule
from ..discovery import classes_of
from ..makers import Makers
from .agent_modules import ForRoot
from .annotations import AnnotationReader
from .classes import ClassReader
from .construction import ConstructionReader
from .marks import Marks
from .modules import Imported, ModuleReader
from .providers import ProviderReader
from .roots import Calls, calls_of
from .tokens import TokenReader

_RUNNER = KnownSymbol("lauren.AgentRunner")


def graph_of(
    candidates: list[ParsedModule], types: TypeReader, makers: Makers, modules: tuple[ParsedModule, ...], sink: Sink
) -> Graph:
    """The modules that applications are made of, where `candidates` may declare some; see `presence`.

    What is wrong with a library's modules is not reported: it is not for the project to mend.
    """
    found = Sink()
    # Which modules belong to applications is known when all have been read, and only of those anything is reported.
    declared, roots = _GraphReader(types, makers, Sink()).roots(candidates, modules)
    if not declared:
        return EMPTY
    graph = _GraphReader(types, makers, found).read(declared, roots, modules)
    shown = {module.file.shown for module in modules}
    sink.extend(each for each in found if each.span.path in shown)
    return graph


class _GraphReader:
    """Reads modules, with all that they name; `sink` gets what is wrong with them."""

    def __init__(self, types: TypeReader, makers: Makers, sink: Sink) -> None:
        self._sink = sink
        self._tokens = TokenReader(types)
        self._classes = ClassReader(types.resolver)
        annotations = AnnotationReader(self._tokens)
        self._marks = Marks(self._tokens, makers, sink)
        construction = ConstructionReader(types, annotations, self._classes, sink)
        providers = ProviderReader(self._tokens, self._marks, annotations, construction, sink)
        self._modules = ModuleReader(self._tokens, self._marks, providers, sink)

    def roots(
        self, candidates: list[ParsedModule], sources: tuple[ParsedModule, ...]
    ) -> tuple[list[ClassDecl], tuple[Root, ...]]:
        """The modules of the sources, and which of them are applications."""
        declared = [
            decl
            for module in candidates
            for decl in classes_of(module)
            if decl.decorators and self._marks.module(decl) is not None
        ]
        if not declared:
            return [], ()
        importable = [decl for decl in declared if "<locals>" not in decl.qualname]
        calls = calls_of(sources, self._tokens)
        return declared, _roots([decl.key for decl in importable], self._reached(importable), calls)

    def read(self, declared: list[ClassDecl], roots: tuple[Root, ...], sources: tuple[ParsedModule, ...]) -> Graph:
        """The applications, of the modules that they reach."""
        calls = calls_of(sources, self._tokens)
        self._marks.elsewhere = calls.marked
        for place in calls.unknown_globals:
            message = "what this application provides globally is known when it is created"
            note = "what may be provided by it is not judged here, and no wiring is generated"
            self._sink.add(rules.DYNAMIC_GRAPH.at(place, message, notes=(note,)))
        for decl in declared:
            if "<locals>" in decl.qualname:  # made anew by each call
                span = decl.scope.module.file.span(decl.name_pos)
                message = f"module `{decl.name}` is checked when the application is created: a function makes it"
                self._sink.add(rules.DYNAMIC_GRAPH.at(span, message))
        names = {root.name for root in roots}
        modules = self._reached([decl for decl in declared if decl.key in names])
        runners = [name for name, decl in self._tokens.classes.items() if self._marks.derives_from(decl, _RUNNER)]
        return Graph(roots, modules, self._facts(), frozenset(runners), frozenset(self._modules.broken))

    def _reached(self, declared: list[ClassDecl]) -> dict[str, Module]:
        """Modules by name: those of the sources, and what they import."""
        found: dict[str, Module] = {}
        pending: list[Imported] = list(reversed(declared))
        while pending:
            source = pending.pop()
            if source.key in found:
                continue
            if isinstance(source, ForRoot):
                found[source.key], imported = self._modules.read_made(source)
            else:
                applied = self._marks.module(source)
                if applied is None:
                    continue
                found[source.key], imported = self._modules.read(source, applied)
            pending.extend(reversed(imported))
        return found

    def _facts(self) -> dict[str, ClassFacts]:
        """What structural look-up needs, and what is said of protocols that nothing stands for; nothing without any."""
        facts = {name: self._classes.facts(decl) for name, decl in self._tokens.classes.items()}
        return facts if any(each.asks is not None for each in facts.values()) else {}


def _roots(declared: list[str], found: dict[str, Module], calls: Calls) -> tuple[Root, ...]:
    """The modules that a call creates an application of; without such, or with one that names none that can be known,
    those that no other imports."""
    roots = {name: knows for name, knows in calls.created.items() if name in found}
    if not roots or calls.any_root:
        imported = {each.token.name for module in found.values() for each in module.imports}
        for name in declared:
            if name not in imported:
                roots.setdefault(name, calls.knows_globals)
        # What is left is imported in a circle, of which any is as good as another.
        covered = _below(tuple(Root(name) for name in roots), found)
        for name in declared:
            if name not in covered:
                roots[name] = calls.knows_globals
                covered |= _below((Root(name),), found)
    return tuple(Root(name, knows) for name, knows in sorted(roots.items()))


def _below(roots: tuple[Root, ...], found: dict[str, Module]) -> set[str]:
    """The names of all modules that roots reach."""
    reached: set[str] = set()
    pending = [root.name for root in roots]
    while pending:
        name = pending.pop()
        if name in found and name not in reached:
            reached.add(name)
            pending.extend(each.token.name for each in found[name].imports)
    return reached
