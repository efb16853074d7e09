"""The wiring of an application, as its build has worked it out: no class or function is looked into for it.

What is loaded is held against what was compiled, so that a build is not used for sources that have changed since.
"""

from __future__ import annotations

from functools import partial

from ..errors import BuildMismatchError
from ..loading import wiring_of
from ..signature import shape_of
from ..table import Table
from .bindings import Bindings
from .class_bodies import body_of, constructor_of, hooks_of, injectable_meta
from .declaring import CustomProvider
from .definitions import AliasDefinition, AtStart, Definition
from .described import described, described_token
from .errors import Faults
from .graph import Graph, declared_by, meta_of
from .provider import Alias, Dependency, Provider, Unusable
from .wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .definitions import ModuleDefinition
    from .errors import Place
    from .wiring import Source

_BY_POSITION = Dependency(None)
"""What a generated factory takes: one argument for each thing that is needed."""


def prepared(graph: Graph, table: Table) -> Wiring | None:
    """The wiring that a build has for these modules; None if it has none for the root.

    Raises BuildMismatchError if the build is not whole, or the modules are not those that were compiled; and a kind of
    StartupError for what only the modules of this package know.
    """
    root = graph.modules[-1]
    build = wiring_of(table)
    definition = None if build is None else build.ROOTS.get(described_token(root))
    return None if definition is None else _Preparation(graph, definition, table).wiring()


class _Preparation:
    """Puts loaded modules, classes and factories into what a build says of them."""

    def __init__(self, graph: Graph, root: ModuleDefinition, table: Table) -> None:
        self._graph = graph
        self._root = root
        self._table = table
        self._faults = Faults()
        self._bindings = Bindings(graph, self._faults)
        self._providers: dict[Definition | AtStart, Provider] = {}
        self._read: list[Provider] = []

    def wiring(self) -> Wiring:
        for number, (module, definition) in enumerate(self._modules()):
            for index, (item, written) in enumerate(_paired(declared_by(module), definition)):
                if isinstance(written, AliasDefinition) or written not in self._providers:  # else listed twice
                    self._add(self._entry(item, written, module, (number, index)), (number, index))
            missing = [each for each in definition.declares if self._lacks(each)]
            if missing:
                raise _changed(f"{missing[0].what} of {definition.name}")
        sources: dict[Provider, list[Source]] = {each: [] for each in self._table_provider()}
        self._bindings.connect()
        self._faults.raise_any()
        for written, provider in self._providers.items():
            if isinstance(written, Definition):
                sources[provider] = [self._source(need) for need in written.needs]
        return self._checked(sources) if self._read else Wiring(self._bindings, sources)

    def _checked(self, sources: dict[Provider, list[Source]]) -> Wiring:
        """The wiring with what was read, which no build has checked."""
        from .checking import check_order, sources_of

        sources.update({each: sources_of(self._bindings, each, self._faults) for each in self._read})
        wiring = Wiring(self._bindings, sources)
        check_order(wiring, self._faults)
        self._faults.raise_any()
        return wiring

    def _source(self, need: Definition | AtStart | tuple[Definition | AtStart, ...]) -> Source:
        return tuple(self._providers[each] for each in need) if isinstance(need, tuple) else self._providers[need]

    def _lacks(self, written: Definition | AliasDefinition | AtStart) -> bool:
        return not isinstance(written, AliasDefinition) and written not in self._providers

    def _add(self, entry: Provider | Alias | Unusable, place: Place) -> None:
        entry.place = place
        self._bindings.add(entry)

    def _table_provider(self) -> list[Provider]:
        """What gives those who ask for a table the one that the application is created with, if no module has one."""
        items = (item for module in self._graph.modules for item in declared_by(module))
        if any(isinstance(item, CustomProvider) and item.provide is Table for item in items):
            return []
        entry = Provider(Table, lambda: self._table)
        self._add(entry, (len(self._graph.modules), 0))
        self._bindings.show_everywhere(entry)
        return [entry]

    def _modules(self) -> Iterator[tuple[type, ModuleDefinition]]:
        """Each module with its definition, imports first."""
        found: dict[type, ModuleDefinition] = {self._graph.modules[-1]: self._root}
        for module in reversed(self._graph.modules):
            definition = found.get(module)
            if definition is None or definition.name != described_token(module):
                raise _changed(f"the imports of {described_token(module)}, or of a module that imports it,")
            imports = self._graph.imports[module]
            if len(imports) != len(definition.imports):
                raise _changed(f"what {definition.name} imports")
            if not definition.is_made and tuple(map(described_token, meta_of(module).exports)) != definition.exports:
                raise _changed(f"what {definition.name} exports")
            found.update(zip(imports, definition.imports, strict=True))
        return ((module, found[module]) for module in self._graph.modules)

    def _entry(
        self, item: Any, written: Definition | AliasDefinition | AtStart | None, module: type, place: Place
    ) -> Provider | Alias | Unusable:
        if written is None or isinstance(written, AtStart):
            return self._at_start(item, written, module, place)
        if described(item) != written.what:
            raise _changed(f"{written.what} of {described_token(module)}")
        if isinstance(written, AliasDefinition):
            return Alias(item.provide, item.target, module)
        if isinstance(item, CustomProvider):
            key, target, meta, provides = item.provide, item.target, item, ()
        else:
            key, target, meta = item, item, injectable_meta(item)
            provides = () if meta is None else tuple(meta.provides or ())
        if meta is None or not _says_the_same(meta, provides, written):
            raise _changed(f"the decorator of {written.what}")
        if written.make is not None:
            _check_unchanged(target, written)
        provider = Provider(
            key,
            (lambda: target) if written.make is None else partial(written.make, target),
            scope=written.scope,
            provides=provides,
            multi=written.multi,
            module=module,
            produces=written.produces,
            parameters=(_BY_POSITION,) * len(written.needs),
            post_construct=written.post_construct,
            pre_destruct=written.pre_destruct,
        )
        self._providers[written] = provider
        return provider

    def _at_start(self, item: Any, written: AtStart | None, module: type, place: Place) -> Provider | Alias | Unusable:
        """What no build knows how to make, by reflection."""
        from .annotations import LocalNames
        from .reading import Reader

        entry = Reader(LocalNames([item]), self._faults).read(item, module, place)
        if isinstance(entry, Provider):
            self._read.append(entry)
            if written is not None:
                self._providers[written] = entry
        return entry


def _paired(
    items: Sequence[Any], definition: ModuleDefinition
) -> Iterator[tuple[Any, Definition | AliasDefinition | AtStart | None]]:
    """Each item of a module with what the build says of it; None for one that is read now."""
    if not definition.is_made:
        if len(items) != len(definition.declares):
            raise _changed(f"what {definition.name} declares")
        yield from zip(items, definition.declares, strict=True)
        return
    known = {each.what: each for each in definition.declares if isinstance(each, Definition)}
    begun = [each for each in definition.declares if isinstance(each, AtStart)]
    for item in items:
        text = described(item)
        yield item, known.get(text) or next((each for each in begun if text.startswith(each.what)), None)


def _says_the_same(meta: Any, provides: tuple[Any, ...], written: Definition) -> bool:
    """Whether a decorator's options, or those of a `use_…`, are the ones that were compiled.

    The real lauren's marks are read too; its Scope is another class with the same names.
    """
    same_scope = meta.scope is written.scope or meta.scope.name == written.scope.name
    return same_scope and meta.multi == written.multi and tuple(map(described_token, provides)) == written.provides


def _check_unchanged(target: Any, written: Definition) -> None:
    """Raise BuildMismatchError if a class or factory takes other things, or has other hooks, than was compiled."""
    if not isinstance(target, type):
        if written.shape not in (None, shape_of(target)):
            raise _changed(f"the signature of {written.what}")
        return
    if (written.post_construct, written.pre_destruct) != hooks_of(target):
        raise _changed(f"the hooks of {written.what}")
    if written.shape not in (None, shape_of_class(target)):
        raise _changed(f"the constructor or an annotated attribute of {written.what}")


def shape_of_class(cls: type) -> str:
    """What a class takes when it is constructed, and which attributes its body announces: `(self, a); b, c`."""
    announced = [name for name in body_of(cls) if name not in vars(cls)]
    return "; ".join([shape_of(constructor_of(cls)) or "()", *filter(None, [", ".join(announced)])])


def _changed(what: str) -> BuildMismatchError:
    return BuildMismatchError(f"{what} changed since the wiring was compiled: rebuild with lauren-compile")
