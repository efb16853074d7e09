"""Which providers a token stands for, seen from a module."""

from __future__ import annotations

from ..errors import StartupError
from ..marks import BY_SUBCLASS_META, own
from .errors import (
    CircularDependencyError,
    DuplicateBindingError,
    Faults,
    MissingProviderError,
    ModuleExportViolation,
    Place,
    ProtocolAmbiguityError,
)
from .graph import Graph, meta_of
from .order import postorder
from .protocols import is_runtime_protocol, satisfies
from .provider import Alias, Provider, Unusable
from .tokens import is_hashable, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Entry = Provider | Alias | Unusable
    View = dict[Any, dict[Entry, None]]
    """Token → what it stands for, in one module's eyes."""


class Bindings:
    """All entries of an application by token, and what each module sees of them.

    `faults` collects what is wrong with them; `broken` are tokens that were reported as ambiguous or circular.
    """

    def __init__(self, graph: Graph, faults: Faults) -> None:
        self.entries: list[Entry] = []
        self.broken: set[Any] = set()
        self._graph = graph
        self._faults = faults
        self._owners: dict[Any, Entry] = {}
        self._views: dict[type | None, View] = {None: {}}
        self._of_module: dict[type | None, list[Entry]] = {}
        self._everywhere: list[Entry] = []

    @property
    def providers(self) -> list[Provider]:
        """Those that make something, in order of declaration, imports first."""
        return [entry for entry in self.entries if isinstance(entry, Provider)]

    def add(self, entry: Entry) -> None:
        """Take an entry, unless its token is another's, which is an error but for several `multi` of one module."""
        other = self._owners.setdefault(entry.key, entry)
        if other is not entry and not (_is_multi(entry) and _is_multi(other) and entry.module is other.module):
            self._faults.add(_twice(entry, other), entry.place)
            return
        self.entries.append(entry)
        self._of_module.setdefault(entry.module, []).append(entry)

    def show_everywhere(self, entry: Entry) -> None:
        """Let every module see an entry."""
        self._everywhere.append(entry)

    def connect(self) -> None:
        """Work out what each module sees, and check that tokens are clear and aliases lead somewhere."""
        for module in self._graph.modules:
            self._views[module] = self._connected(module)
        for entry in self._everywhere:
            for view in self._views.values():
                _expose(view, entry, _keys(entry))
        self._check_ambiguous()
        self._check_aliases()

    def find(self, key: Any, module: type | None, *, structural: bool = True) -> list[Provider]:
        """The providers that a token stands for in a module's eyes, aliases followed, in order of declaration.

        `structural`: a protocol that nothing is registered for stands for the classes that have its members, and a
        class that says so (BY_SUBCLASS_META) for its subclasses.
        """
        if not is_hashable(key):
            return []
        found: dict[Provider, None] = {}
        looked: set[Alias] = set()
        waiting = sorted(self._views[module].get(key, ()), key=_place)
        while waiting:
            entry = waiting.pop(0)
            if isinstance(entry, Provider):
                found[entry] = None
            elif isinstance(entry, Alias) and entry not in looked:
                looked.add(entry)
                waiting.extend(self._views[entry.module].get(entry.target, ()))
        return list(found) or (self._structural(key, module) if structural else [])

    def sees(self, key: Any, module: type | None) -> bool:
        """Whether a module sees anything for a token, be it unusable."""
        return is_hashable(key) and bool(self._views[module].get(key))

    def is_known(self, key: Any) -> bool:
        """Whether any module has an entry for a token."""
        return is_hashable(key) and any(key in _keys(entry) for entry in self.entries)

    def knows(self, module: type | None) -> bool:
        """Whether a module belongs to the application."""
        return module in self._views

    def _structural(self, key: Any, module: type | None) -> list[Provider]:
        fits: Callable[[Any, type], bool]
        if is_runtime_protocol(key):
            fits = satisfies
        elif own(key, BY_SUBCLASS_META):
            fits = _is_subclass
        else:
            return []
        seen = dict.fromkeys(entry for entries in self._views[module].values() for entry in entries)
        return sorted((entry for entry in seen if isinstance(entry, Provider) and fits(entry.key, key)), key=_place)

    def _connected(self, module: type) -> View:
        """What a module declares and its imports export. Imports come first in the graph's order."""
        view: View = {}
        for entry in self._of_module.get(module, ()):
            _expose(view, entry, _keys(entry))
        for imported in self._graph.imports[module]:
            theirs = self._views.get(imported, {})  # none yet in a cycle, which is an error of its own
            for token in filter(is_hashable, meta_of(imported).exports):
                for entry in theirs.get(token, {}):
                    _expose(view, entry, _keys(entry) if entry.key == token else (token,))
        for token in meta_of(module).exports:
            if not is_hashable(token) or token not in view:
                self._faults.add(_unexportable(module, token), self._graph.end_of(module))
        return view

    def _check_ambiguous(self) -> None:
        """Of several providers of one token each is `multi`."""
        by_key: dict[Any, list[Entry]] = {}
        for entry in self.entries:
            for key in _keys(entry):
                by_key.setdefault(key, []).append(entry)
        for key, several in by_key.items():
            if len(several) > 1 and not all(map(_is_multi, several)):
                self.broken.add(key)
                self._faults.add(ambiguous(key, several, "each of several has to be multi=True"), several[0].place)

    def _check_aliases(self) -> None:
        aliases = [entry for entry in self.entries if isinstance(entry, Alias)]
        _, cycles = postorder(aliases, self._next_aliases)
        for cycle in cycles:
            self.broken.update(entry.key for entry in cycle)
            self._faults.add(circular([entry.name for entry in cycle]), cycle[0].place)
        for alias in aliases:
            if alias.key not in self.broken and not self.find(alias.target, alias.module):
                self.broken.add(alias.key)
                if not self.sees(alias.target, alias.module):
                    self._faults.add(_leads_nowhere(alias, self.is_known(alias.target)), alias.place)

    def _next_aliases(self, alias: Alias) -> Iterable[Alias]:
        following = self._views[alias.module].get(alias.target, ())
        return [entry for entry in following if isinstance(entry, Alias)]


def _place(entry: Entry) -> Place:
    return entry.place


def _is_subclass(key: Any, cls: type) -> bool:
    return isinstance(key, type) and issubclass(key, cls)


def _keys(entry: Entry) -> tuple[Any, ...]:
    return entry.keys if isinstance(entry, Provider) else (entry.key,)


def _is_multi(entry: Entry) -> bool:
    return isinstance(entry, Provider) and entry.multi


def _expose(view: View, entry: Entry, keys: Iterable[Any]) -> None:
    for key in keys:
        view.setdefault(key, {})[entry] = None


def circular(names: list[str]) -> StartupError:
    """The error for providers that need each other."""
    return CircularDependencyError(f"providers need each other: {' -> '.join(names)}", detail={"cycle": names})


def ambiguous(key: Any, several: Iterable[Entry], advice: str) -> StartupError:
    """The error for a token that stands for several where one is wanted."""
    names = [entry.name for entry in several]
    return ProtocolAmbiguityError(
        f"{named(key)} stands for {', '.join(names)}: {advice}",
        detail={"token": named(key), "count": len(names)},
    )


def module_name(module: type | None) -> str:
    """A module as messages show it."""
    return "the global providers" if module is None else named(module)


def _twice(entry: Entry, other: Entry) -> StartupError:
    if None not in (entry.module, other.module) and entry.module is not other.module:
        modules = [module_name(other.module), module_name(entry.module)]
        return ModuleExportViolation(
            f"{entry.name} is declared in {modules[0]} and in {modules[1]}: declare it in one, export it there, and "
            "import that module in the other",
            detail={"provider": entry.name, "modules": modules},
        )
    message = f"{entry.name} is registered twice in {module_name(entry.module)}"
    return DuplicateBindingError(message, detail={"token": entry.name})


def _unexportable(module: type, token: Any) -> StartupError:
    return ModuleExportViolation(
        f"{named(module)} exports {named(token)}, which it neither declares nor imports",
        detail={"module": named(module), "export": named(token)},
    )


def _leads_nowhere(alias: Alias, is_known: bool) -> StartupError:
    seen = f"which {module_name(alias.module)} does not see" if is_known else "which nothing provides"
    return MissingProviderError(
        f"{alias.name} is another name of {named(alias.target)}, {seen}",
        detail={"alias": alias.name, "target": named(alias.target), "token": named(alias.target)},
    )
