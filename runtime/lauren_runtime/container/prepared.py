"""The wiring of an application, as its build has worked it out: no class or function is looked into for it.

What is loaded is held against what was compiled, so that a build is not used for sources that have changed since.
"""

from __future__ import annotations

from functools import partial

from ..errors import BuildMismatchError
from ..injection import Scope
from ..loading import wiring_of
from ..signature import shape_of
from .bindings import Bindings
from .class_bodies import body_of, constructor_of, hooks_of, injectable_meta
from .declaring import CustomProvider
from .definitions import AliasDefinition, Definition
from .described import described, described_token
from .errors import Faults
from .graph import Graph, declared_by, meta_of
from .provider import Alias, Dependency, Provider
from .wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..table import Table
    from .definitions import ModuleDefinition
    from .wiring import Source

_BY_POSITION = Dependency(None)
"""What a generated factory takes: one argument for each thing that is needed."""


def prepared(graph: Graph, table: Table) -> Wiring | None:
    """The wiring that a build has for these modules; None if it has none for the root.

    Raises BuildMismatchError if the build is not whole, or the modules are not those that were compiled.
    """
    root = graph.modules[-1]
    build = wiring_of(table)
    definition = None if build is None else build.ROOTS.get(described_token(root))
    return None if definition is None else _Preparation(graph, definition).wiring()


class _Preparation:
    """Puts loaded modules, classes and factories into what a build says of them."""

    def __init__(self, graph: Graph, root: ModuleDefinition) -> None:
        self._graph = graph
        self._root = root
        self._providers: dict[Definition, Provider] = {}

    def wiring(self) -> Wiring:
        faults = Faults()
        bindings = Bindings(self._graph, faults)
        for number, (module, definition) in enumerate(self._modules()):
            items = declared_by(module)
            if len(items) != len(definition.declares):
                raise _changed(f"what {definition.name} declares")
            for index, (item, written) in enumerate(zip(items, definition.declares, strict=True)):
                if written in self._providers:
                    continue  # listed twice
                entry = self._entry(item, written, module)
                entry.place = (number, index)
                bindings.add(entry)
        bindings.connect()
        faults.raise_any()
        by_definition = self._providers
        sources: dict[Provider, list[Source]] = {
            provider: [
                tuple(by_definition[each] for each in need) if isinstance(need, tuple) else by_definition[need]
                for need in definition.needs
            ]
            for definition, provider in by_definition.items()
        }
        return Wiring(bindings, sources)

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
            if tuple(map(described_token, meta_of(module).exports)) != definition.exports:
                raise _changed(f"what {definition.name} exports")
            found.update(zip(imports, definition.imports, strict=True))
        return ((module, found[module]) for module in self._graph.modules)

    def _entry(self, item: Any, written: Definition | AliasDefinition, module: type) -> Provider | Alias:
        if described(item) != written.what:
            raise _changed(f"{written.what} of {described_token(module)}")
        if isinstance(written, AliasDefinition):
            return Alias(item.provide, item.target, module)
        is_custom = isinstance(item, CustomProvider)
        key, target = (item.provide, item.target) if is_custom else (item, item)
        # The real lauren's marks are read too; its Scope is another class with the same names.
        meta = item if is_custom else injectable_meta(item)
        provides = () if is_custom or meta is None else tuple(meta.provides or ())
        said = None if meta is None else (meta.scope.name, meta.multi, tuple(map(described_token, provides)))
        if said != (written.scope.name, written.multi, written.provides):
            raise _changed(f"the decorator of {written.what}")
        if written.make is not None:
            _check_unchanged(target, written)
        provider = Provider(
            key,
            (lambda: target) if written.make is None else partial(written.make, target),
            scope=Scope[written.scope.name],
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
