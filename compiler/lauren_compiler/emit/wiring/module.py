"""The file `_wiring.py`: a section a module, in which each provider stands after those it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from ...injection.order import postorder
from ...ir.graph import Alias, Application, Module, Provider, Scope, Source
from ..artifact import Artifact
from ..digest import sha256_hex
from ..layout import WIDTH, Expression, Group, Labelled, call, display, statement
from ..pyliteral import comment, literal
from ..render import rendered
from .factories import factory
from .names import Names
from .wired import Wired

_PATH = "_wiring.py"
_TEMPLATE = "wiring.py.j2"


class SectionView(Struct, frozen=True):
    """One module: a title, the functions that make its objects, and the definitions."""

    title: str
    functions: tuple[tuple[str, ...], ...]
    definitions: tuple[str, ...]


class WiringView(Struct, frozen=True):
    """The parts of the file that are not the same in every build."""

    digest: str
    imports: tuple[str, ...]
    sections: tuple[SectionView, ...]
    roots: tuple[str, ...]


def render(applications: Sequence[Application]) -> Wired:
    """The wiring of all applications; the modules that several share stand in it once."""
    modules = {module.name: module for each in applications for module in each.modules}
    sources = {provider: filled for each in applications for provider, filled in each.sources.items()}
    again = {entry: first for each in applications for entry, first in each.again.items()}
    writer = _Writer(Names(modules.values()), sources, again)
    sections = tuple(writer.section(module) for module in modules.values())
    roots = [Labelled(f"{literal(each.root)}: ", writer.names.module(each.root)) for each in applications]
    view = WiringView(
        "",
        tuple(_imports(writer.used)),
        sections,
        tuple(statement("ROOTS = ", Group("", tuple(roots), "{}"), indent=0)),
    )
    digest = sha256_hex(rendered(_TEMPLATE, view))
    whole = WiringView(digest, view.imports, sections, view.roots)
    return Wired((Artifact(_PATH, rendered(_TEMPLATE, whole)),), digest)


def _aliases(module: Module) -> list[Alias]:
    """The aliases that stand in the file; those of a module that the runtime makes are read at start."""
    return [each for each in module.declares if isinstance(each, Alias) and module.made is None]


def _imports(used: set[str]) -> Iterator[str]:
    """The import statements for the names that are used."""
    names = sorted(used - {"Scope"})
    line = f"from lauren_runtime.container.definitions import {', '.join(names)}"
    if len(line) <= WIDTH:
        yield line
    else:
        yield from statement("from lauren_runtime.container.definitions import ", Group("", tuple(names)), indent=0)
    if "Scope" in used:
        yield "from lauren_runtime.injection import Scope"


class _Writer:
    def __init__(
        self, names: Names, sources: Mapping[Provider, tuple[Source, ...]], again: Mapping[Provider, Provider]
    ) -> None:
        self.names = names
        self.used = {"ModuleDefinition"}
        self._sources = sources
        self._again = again

    def section(self, module: Module) -> SectionView:
        """What stands in the file for one module."""
        providers = [each for each in module.declares if isinstance(each, Provider) and each not in self._again]
        ordered, _ = postorder(providers, self._needed_here(module))
        functions = [self._factory(each) for each in ordered if each.construction is not None and not each.at_start]
        lines = [line for provider in ordered for line in self._definition(provider)]
        for alias in _aliases(module):
            self.used.add("AliasDefinition")
            made = call("AliasDefinition", literal(alias.what))
            lines += statement(f"{self.names.entry(alias)} = ", made, indent=0)
        lines += self._module(module)
        title = comment(f"{module.name.replace(':', '.')}: {module.path}:{module.line}")
        return SectionView(title, tuple(tuple(each) for each in functions), tuple(lines))

    def _needed_here(self, module: Module) -> Callable[[Provider], Iterator[Provider]]:
        def needed(provider: Provider) -> Iterator[Provider]:
            for source in self._sources[provider] if not provider.at_start else ():
                for each in source if isinstance(source, tuple) else () if source is None else (source,):
                    if each.module == module.name:
                        yield each

        return needed

    def _factory(self, provider: Provider) -> list[str]:
        assert provider.construction is not None
        return factory(self.names.factory(provider), provider.construction, self._sources[provider])

    def _definition(self, provider: Provider) -> list[str]:
        if provider.at_start:
            self.used.add("AtStart")
            made_by = call("AtStart", literal(provider.what))
            return statement(f"{self.names.entry(provider)} = ", made_by, indent=0)
        self.used.add("Definition")
        parts: list[Expression] = [literal(provider.what)]
        made = provider.construction
        if made is not None:
            parts.append(self.names.factory(provider))
            needs = [self._need(source) for source in self._sources[provider] if source is not None]
            if needs:
                parts.append(Group("", tuple(needs)))
            if made.shape is not None:
                parts.append(f"shape={literal(made.shape)}")
        if provider.scope is not None and provider.scope is not Scope.SINGLETON:
            self.used.add("Scope")
            parts.append(f"scope=Scope.{provider.scope.name}")
        if made is not None and made.produces != "value":
            parts.append(f"produces={literal(made.produces)}")
        if provider.provides:
            names = tuple(str(token.described) for token in provider.provides)
            parts.append(Labelled("provides=", display(names)))
        if provider.multi:
            parts.append("multi=True")
        if made is not None:
            for label, hooks in (
                ("post_construct", made.hooks.post_construct),
                ("pre_destruct", made.hooks.pre_destruct),
            ):
                if hooks:
                    parts.append(Labelled(f"{label}=", display(hooks)))
        return statement(f"{self.names.entry(provider)} = ", call("Definition", *parts), indent=0)

    def _need(self, source: Provider | tuple[Provider, ...]) -> Expression:
        if isinstance(source, tuple):
            return Group("", tuple(self.names.entry(each) for each in source))
        return self.names.entry(source)

    def _module(self, module: Module) -> list[str]:
        parts: list[Expression] = [literal(module.made or module.name)]
        imports = tuple(dict.fromkeys(self.names.module(each.token.name) for each in module.imports))
        declared = tuple(
            self.names.entry(self._again.get(each, each) if isinstance(each, Provider) else each)
            for each in module.declares
            if isinstance(each, Provider) or each in _aliases(module)
        )
        exports = tuple(str(each.token.described) for each in module.exports) if module.made is None else ()
        if imports:
            parts.append(Labelled("imports=", Group("", imports)))
        if declared:
            parts.append(Labelled("declares=", Group("", declared)))
        if exports:
            parts.append(Labelled("exports=", display(exports)))
        if module.made is not None:
            parts.append("is_made=True")
        return statement(f"{self.names.module(module.name)} = ", call("ModuleDefinition", *parts), indent=0)
