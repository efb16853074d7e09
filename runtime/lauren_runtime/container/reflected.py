"""The wiring of an application, read off its modules and classes by reflection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..marks import INJECTABLE_META, own
from .annotations import LocalNames
from .bindings import Bindings
from .checking import checked
from .declaring import CustomProvider
from .errors import Faults
from .graph import Graph, declared_by
from .provider import Alias, Provider, Unusable
from .reading import Reader
from .wiring import Wiring


def reflected(graph: Graph, global_items: Sequence[Any], faults: Faults) -> Wiring:
    """The wiring of all that the modules declare. `faults` collects what is wrong with it."""
    groups = [*((module, declared_by(module)) for module in graph.modules), (None, global_items)]
    reader = Reader(LocalNames(each for _, items in groups for item in items for each in _mentioned(item)), faults)
    bindings = Bindings(graph, faults)
    entries: dict[int, Provider | Alias | Unusable] = {}
    for number, (module, items) in enumerate(groups):
        for index, item in enumerate(items):
            entry = entries.get(id(item))
            if entry is None or isinstance(item, CustomProvider) or module not in (None, entry.module):
                entry = reader.read(item, module, (number, index))
                bindings.add(entry)
                entries.setdefault(id(item), entry)  # a class may be listed twice, or globally too
            if module is None:
                bindings.show_everywhere(entry)
    bindings.connect()
    return checked(bindings, faults)


def _mentioned(item: Any) -> tuple[Any, ...]:
    """What an item of a module names, itself first."""
    if isinstance(item, CustomProvider):
        return (item.provide, item.target)
    provides: tuple[Any, ...] = getattr(own(item, INJECTABLE_META), "provides", None) or ()
    return (item, *provides)
