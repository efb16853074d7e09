"""Reaching the parts of a build: its decoder modules, the tools' own modules, a build in a folder.

Everything here is loaded at the first call that needs it and checked then: a decoder module against the table, a tool's
signature against the one it was compiled from.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from logging import getLogger

from .errors import BuildMismatchError, ToolSetupError
from .marks import TOOL_META
from .signature import digest_of
from .table import Entry, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .decoding import Decoder
    from .plan import Mismatch

LOG = getLogger("lauren_runtime")


def decoder_of(table: Table, entry: Entry) -> Decoder:
    """The decoder of a tool. Raises BuildMismatchError if its module is broken or belongs to another build."""
    from .decoding import Decoder

    try:
        module = _decoder_module(table, entry.decoder)
    except (Exception, SystemExit) as error:  # it runs nothing of the user's
        where = os.path.join(os.path.dirname(table.file), "_tools", entry.decoder + ".py")
        raise BuildMismatchError(_not_whole(where, error)) from error
    expected = table.modules.get(entry.decoder)
    actual = getattr(module, "DIGEST", None)
    check = getattr(module, f"check_{entry.function}", None)
    if actual != expected or check is None:
        raise BuildMismatchError(
            f"{module.__file__} belongs to another build than {table.file} "
            f"(its digest is {actual}, the table's {expected}): rebuild"
        )
    return Decoder(getattr(module, entry.function, None), check)


def _decoder_module(table: Table, name: str) -> Any:
    if table.package:
        return importlib.import_module(f"{table.package}._tools.{name}")
    return load_file(os.path.join(os.path.dirname(table.file), "_tools", name + ".py"))


def wiring_of(table: Table) -> Any:
    """The module with the wiring of a build; None if it has none. Raises BuildMismatchError as `decoder_of` does."""
    if table.wiring is None:
        return None
    where = os.path.join(os.path.dirname(table.file), "_wiring.py")
    try:
        module = importlib.import_module(f"{table.package}._wiring") if table.package else load_file(where)
    except (Exception, SystemExit) as error:
        raise BuildMismatchError(_not_whole(where, error)) from error
    actual = getattr(module, "DIGEST", None)
    if actual != table.wiring or not hasattr(module, "ROOTS"):
        raise BuildMismatchError(
            f"{where} belongs to another build than {table.file} (its digest is {actual}, the table's {table.wiring}): "
            "rebuild"
        )
    return module


def _not_whole(path: str, error: BaseException | None = None) -> str:
    """Generated files neither fail nor end the process: one that does was cut off, or is none of ours."""
    why = "" if error is None else f" ({type(error).__name__}: {str(error).partition(chr(10))[0]})"
    return f"{path} is not a whole build{why}: rebuild"


def load_file(path: str) -> Any:
    """The module of one file, once per path. Raises ImportError if there is none."""
    path = os.path.abspath(path)
    name = "lauren_build_file_" + path.encode().hex()
    if name in sys.modules:
        return sys.modules[name]
    return _execute(name, path, None)


def load_build(folder: str) -> Table:
    """The table of the build in `folder`, which need not be on `sys.path`.

    Raises FileNotFoundError if the folder holds no build, BuildMismatchError if it is not a whole one or is newer than
    this runtime.
    """
    folder = os.path.abspath(folder)
    dispatch = os.path.join(folder, "dispatch.py")
    if not os.path.isfile(dispatch):
        raise FileNotFoundError(f"{folder} holds no build: there is no dispatch.py")
    name = "lauren_build_" + folder.encode().hex()
    try:
        if name not in sys.modules:
            _execute(name, os.path.join(folder, "__init__.py"), [folder])
        table: Any = getattr(importlib.import_module(f"{name}.dispatch"), "TABLE", None)
    except BuildMismatchError:
        raise
    except (Exception, SystemExit) as error:
        raise BuildMismatchError(_not_whole(dispatch, error)) from error
    if not isinstance(table, Table):
        raise BuildMismatchError(_not_whole(dispatch))
    return table


def _execute(name: str, path: str, folders: list[str] | None) -> Any:
    spec = spec_from_file_location(name, path, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded as a module")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def tool_object(table: Table, entry: Entry) -> Any:
    """The tool's object: the one bound, else imported.

    Raises ToolSetupError if it has to be bound and is not, BuildMismatchError if its module no longer has it, or has
    something under its name that `tool()` never saw, and whatever the module raises when it is imported.
    """
    if entry.key in table.bound:
        return table.bound[entry.key]
    if entry.binding == "bind":
        raise ToolSetupError(
            f"tool {entry.name!r} ({entry.key}) has no object: it is defined inside a function or needs an instance. "
            "Give it one with TABLE.bind(...)."
        )
    found: Any = importlib.import_module(entry.module)
    for attribute in entry.qualname.split("."):
        if not hasattr(found, attribute):
            raise BuildMismatchError(f"{entry.module} has no {entry.qualname}, which tool {entry.name!r} is: rebuild")
        found = getattr(found, attribute)
    if entry.decorator is None and not _is_marked(found):
        raise BuildMismatchError(
            f"{entry.key} is not the object that tool {entry.name!r} was compiled from: it has no mark of `tool()`. "
            "The name was bound to something else after the decorator, or a decorator above it returns an object of "
            "its own (use functools.wraps there)."
        )
    return found


def callable_of(entry: Entry, loaded: Any) -> Any:
    """What to call of a tool's object: itself, or what another framework's object keeps in one of its attributes.

    Raises ToolSetupError if that framework alone could call it.
    """
    if entry.injected:
        names = ", ".join(entry.injected)
        raise ToolSetupError(
            f"tool {entry.name!r} ({entry.key}) takes {names}, which only {entry.decorator} fills: give it a "
            "default, or run the tool with its framework"
        )
    for attribute in entry.attributes:
        found = getattr(loaded, attribute, None)
        if callable(found):
            return found
    if entry.attributes:
        raise ToolSetupError(
            f"tool {entry.name!r} ({entry.key}): {_kind(loaded)} has no {' or '.join(entry.attributes)} to call "
            f"(`function` of {entry.decorator} in `decorators`)"
        )
    if not callable(loaded):
        raise ToolSetupError(
            f"tool {entry.name!r} ({entry.key}) can't be called: {entry.decorator or 'its decorator'} made "
            f"{_kind(loaded)} of it; name the attribute that holds the function as `function` in `decorators`"
        )
    return loaded


def _kind(loaded: object) -> str:
    kind = type(loaded)
    return f"a {kind.__module__}.{kind.__qualname__}"


def _is_marked(found: Any) -> bool:
    """Whether `tool()`, ours or lauren-ai's, marked the object, or one that it wraps."""
    while found is not None:
        if hasattr(found, TOOL_META):
            return True
        found = getattr(found, "__wrapped__", None)
    return False


def check_signature(entry: Entry, function: Any, mismatch: Mismatch) -> None:
    """Compare `function` with the signature that was compiled; costs one hash.

    Raises BuildMismatchError if they differ, or logs so if `mismatch` is "warn".
    """
    actual = None if entry.signature is None else digest_of(function)
    if actual is None or actual == entry.signature:
        return
    what = f"the signature of {entry.key} changed since tool {entry.name!r} was compiled: rebuild with lauren-compile"
    if mismatch == "error":
        raise BuildMismatchError(what)
    LOG.warning(what)
