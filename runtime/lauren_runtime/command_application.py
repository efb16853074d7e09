"""The application in which `lauren-compile call` runs a class tool: the one that its build has the wiring of."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .container.application import LaurenApp
    from .container.definitions import ModuleDefinition
    from .table import Entry, Table


class ApplicationError(Exception):
    """No application can be made for a call; the text says why, the cause is what the user's code raised."""


def application_of(table: Table, entry: Entry, named: str | None) -> LaurenApp | None:
    """The application for a tool: of the root module `named` (`module:Class`), else of the only root in the build's
    wiring whose modules have the tool's class. None if there is none, and for a function, which needs no object.

    Raises ApplicationError where several could be meant, and where the application can't be created.
    """
    from .container.application import LaurenFactory
    from .errors import BuildMismatchError, StartupError

    try:
        name = named or _only_root(table, entry)
        return None if name is None else LaurenFactory.create(_loaded(name), table=table)
    except (StartupError, BuildMismatchError) as error:
        raise ApplicationError(str(error)) from None


def _only_root(table: Table, entry: Entry) -> str | None:
    from .loading import wiring_of

    if entry.form != "class" or entry.binding != "import":
        return None
    build = wiring_of(table)
    roots: dict[str, ModuleDefinition] = {} if build is None else build.ROOTS
    tool = f"class {entry.module}:{entry.qualname}"
    found = [name for name, root in roots.items() if any(tool == each.what for each in _declared(root))]
    if len(found) > 1:
        raise ApplicationError(
            f"several applications have {entry.qualname}: name one, --app {' or --app '.join(found)}"
        )
    return found[0] if found else None


def _declared(root: ModuleDefinition) -> Iterator[Any]:
    """What a module and all that it imports declare."""
    pending, seen = [root], {id(root)}
    while pending:
        module = pending.pop()
        yield from module.declares
        new = [each for each in module.imports if id(each) not in seen]
        seen.update(map(id, new))
        pending += new


def _loaded(name: str) -> type:
    """The class of a root module. Raises ApplicationError."""
    module, _, qualname = name.partition(":")
    try:
        found: Any = importlib.import_module(module) if module and qualname else None
    except Exception as error:
        raise ApplicationError(
            f"module {module!r}, named by --app or the wiring, can't be imported: {error}"
        ) from error
    for attribute in qualname.split("."):
        found = getattr(found, attribute, None)
    if not isinstance(found, type):
        raise ApplicationError(f"there is no class {name!r}: --app takes MODULE:CLASS, as the module is imported")
    return found
