"""Stand-ins for `lauren_ai` and `lauren`, so that sources written for them run without them.

`install()` registers modules under those names whose contents are this runtime's. They offer tools, agents, skills, the
container, and what a program needs to say which model it asks; of whatever else the real packages have, an import says
that it is not here, and why (names.py). `python -m lauren_runtime.standin program.py` runs a program so.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

from ..errors import LaurenToolError
from .names import ELSEWHERE, OFFERED, why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..table import Table


class StandinError(LaurenToolError):
    """The real packages are there, and two of each class would not know each other; or a program wants of the
    stand-ins what they can't do."""


class _Standin(ModuleType):
    """A module whose names are the runtime's."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(name, f"Stands in for {name}: its names are lauren_runtime's.")
        self.__all__ = list(names)
        self.__file__ = __file__
        self.__path__ = []  # a package, so that asking for a submodule says that there is none
        self.__spec__ = ModuleSpec(name, None, origin=__file__, is_package=True)

    def __getattr__(self, name: str) -> Any:
        if name in self.__all__:
            home, own = ELSEWHERE.get(name, ("lauren_runtime", name))
            return getattr(import_module(home), own)
        reason = why_not(f"{self.__name__}.{name}")
        because = f": {reason}" if reason else ""
        raise AttributeError(f"lauren_runtime's stand-in for {self.__name__} does not offer {name!r}{because}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__all__})


class _Finder:
    """Says why a name or module of the real packages is not here. Python looks for a name that a package lacks as if
    it were a module of it, so that this is asked for `from lauren_ai import Chain` too."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        parent, _, name = fullname.rpartition(".")
        if not isinstance(sys.modules.get(parent), _Standin):
            return
        reason = why_not(fullname)
        if reason is not None:
            raise ImportError(
                f"lauren_runtime's stand-in for {parent} has no {name!r}: {reason}", name=fullname, path=__file__
            )


_FINDER = _Finder()
_tables: list[Table] = []


def install(table: Table | None = None) -> None:
    """Register the stand-ins. Doing so again changes nothing, but for the table.

    `table` is the build whose tools the modules of `LLMModule.for_root` provide; without one, it is
    `lauren_build.dispatch.TABLE`, imported when it is first needed.

    Raises StandinError if `lauren_ai` or `lauren` is installed or loaded.
    """
    _tables[:] = _tables if table is None else [table]
    if installed():
        return
    for name in ("lauren_ai", "lauren"):
        if name in sys.modules or find_spec(name) is not None:
            raise StandinError(
                f"the real {name} is installed or loaded, so it cannot be stood in for; "
                "use it, or leave lauren_runtime.standin.install() out"
            )
    made = {name: _Standin(name, names) for name, names in OFFERED.items()}
    for name, module in made.items():
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(made[parent], child, module)
    sys.modules.update(made)
    sys.meta_path.append(_FINDER)


def uninstall() -> None:
    """Take the stand-ins away again. Modules that imported from them keep what they have."""
    _tables.clear()
    for name in OFFERED:
        if isinstance(sys.modules.get(name), _Standin):
            del sys.modules[name]
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)


def installed() -> bool:
    """Whether the stand-ins are registered."""
    return all(isinstance(sys.modules.get(name), _Standin) for name in OFFERED)


def table_in_use() -> Table:
    """The table that was given to `install`, else that of the package `lauren_build`.

    Raises StandinError where there is neither.
    """
    if not _tables:
        try:
            _tables.append(import_module("lauren_build.dispatch").TABLE)
        except ModuleNotFoundError as error:
            if error.name not in ("lauren_build", "lauren_build.dispatch"):
                raise
            raise StandinError(
                "there is no build to take the tools from: compile the sources with `lauren-compile build`, and put "
                "`lauren_build` on sys.path, or give its table: lauren_runtime.standin.install(load_build(folder))"
            ) from None
    return _tables[0]
