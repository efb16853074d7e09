"""The modules below a root, imports first."""

from __future__ import annotations

import sys

from ..errors import StartupError
from ..marks import MODULE_META, own
from .declaring import ModuleMeta
from .errors import CircularModuleError, Faults, MetadataInheritanceError, ModuleImportError, Place
from .order import postorder
from .tokens import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Graph:
    """The modules that a root reaches, in order, and the `imports` of each. `faults` collects what is wrong."""

    def __init__(self, root: Any, faults: Faults) -> None:
        self._faults = faults
        self.imports: dict[type, list[type]] = {}
        fault = _fault(root)
        if fault is not None:
            self.modules: list[type] = []
            faults.add(fault)
            return
        self.modules, cycles = postorder([root], self._imported)
        for cycle in cycles:
            faults.add(_circular(cycle))

    def end_of(self, module: type) -> Place:
        """The place behind all that a module declares."""
        return self.modules.index(module), len(declared_by(module))

    def _imported(self, module: type) -> list[type]:
        if module not in self.imports:
            found = [self._resolved(each, module) for each in meta_of(module).imports]
            self.imports[module] = list(dict.fromkeys(each for each in found if each is not None))
        return self.imports[module]

    def _resolved(self, given: Any, module: type) -> type | None:
        """The module that an import means; None, with an error, if it means none."""
        name = getattr(given, "__forward_arg__", given)  # a typing.ForwardRef holds its text there
        if isinstance(name, str):
            found = _modules_named(name, module)
            if len(found) != 1:
                self._faults.add(_unresolved(name, module, found))
                return None
            given = found[0]
        fault = _fault(given, module)
        if fault is not None:
            self._faults.add(fault)
            return None
        imported: type = given
        return imported


def meta_of(module: type) -> ModuleMeta:
    """What a module was decorated with."""
    meta: ModuleMeta = own(module, MODULE_META)
    return meta


def declared_by(module: type) -> tuple[Any, ...]:
    """What a module declares, in order."""
    meta = meta_of(module)
    return (*meta.providers, *meta.controllers)


def _fault(given: Any, importer: type | None = None) -> StartupError | None:
    """What is wrong with something that ought to be a module."""
    if own(given, MODULE_META) is not None and isinstance(given, type):
        return None
    where = "" if importer is None else f", which {named(importer)} imports,"
    detail = {"class": named(given), "module": importer and named(importer)}
    if isinstance(given, type) and hasattr(given, MODULE_META):
        base = next(each for each in given.__mro__ if own(each, MODULE_META) is not None)
        return MetadataInheritanceError(
            f"{named(given)}{where} is a module only by its base {named(base)}: decorate it with @module() itself",
            detail={**detail, "inherits_from": named(base)},
        )
    return ModuleImportError(f"{named(given)}{where} is not decorated with @module()", detail=detail)


def _modules_named(name: str, importer: type) -> list[type]:
    """What an import by name means: in the file that imports it, else among all modules of this process."""
    here = vars(sys.modules[importer.__module__]).get(name) if importer.__module__ in sys.modules else None
    if here is not None:
        return [here]
    found: dict[type, None] = {}
    for loaded in list(sys.modules.values()):
        value = getattr(loaded, "__dict__", {}).get(name)
        if isinstance(value, type) and own(value, MODULE_META) is not None:
            found[value] = None
    return list(found)


def _unresolved(name: str, importer: type, found: list[type]) -> StartupError:
    places = ", ".join(sorted(each.__module__ for each in found))
    why = f"is ambiguous: it is defined in {places}" if found else "is not the name of a module that is loaded"
    return ModuleImportError(f"{named(importer)} imports {name!r}, which {why}", detail={"import": name})


def _circular(cycle: list[type]) -> StartupError:
    names = [named(each) for each in cycle]
    return CircularModuleError(f"modules import each other: {' -> '.join(names)}", detail={"cycle": names})
