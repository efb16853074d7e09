"""`TABLE.bind` and `TABLE.select`: which tool an object belongs to."""

from __future__ import annotations

from .errors import ToolSetupError
from .table import Entry, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


def bind(table: Table, objects: Sequence[Any]) -> Table:
    """See `Table.bind`."""
    bound = dict(table.bound)
    for each in objects:
        for entry in _entries_of(table, each):
            bound[entry.key] = each
    result = table.replaced(table.entries, bound)
    _refuse_equal_names(result)
    return result


def select(table: Table, tools: Sequence[Any]) -> Table:
    """See `Table.select`."""
    wanted: set[int] = set()
    for each in tools:
        found = _named(table, each) if isinstance(each, str) else _entries_of(table, each)
        wanted.update(id(entry) for entry in found)
    entries = [entry for entry in table.entries if id(entry) in wanted]
    keys = {entry.key for entry in entries}
    return table.replaced(entries, {key: value for key, value in table.bound.items() if key in keys})


def _named(table: Table, name: str) -> list[Entry]:
    found = [entry for entry in table.entries if entry.name == name]
    if not found:
        raise ToolSetupError(f"the build has no tool named {name!r} (it has: {', '.join(table.names)})")
    if table.is_shared(name):
        keys = " and ".join(entry.key for entry in found)
        raise ToolSetupError(f"several tools are named {name!r}, {keys}: give the object, or use for_agent")
    return found


def _entries_of(table: Table, tool: Any) -> list[Entry]:
    """The tools whose object `tool` is; more than one only where one definition compiled to several tools."""
    for key in keys_of(tool):
        found = [entry for entry in table.entries if entry.key == key]
        if found:
            _refuse_method_without_instance(tool)
            return found
    if methods := _methods_of(table, tool):
        named = ", ".join(f"`instance.{name}`" for name in methods)
        raise ToolSetupError(f"{tool!r} is no tool, its methods are: give those of an instance, {named}")
    raise ToolSetupError(
        f"{tool!r} is no tool of this build: none has the name {' or '.join(keys_of(tool))}. "
        "Is its module among the compiled sources, and is the build up to date?"
    )


def _methods_of(table: Table, tool: Any) -> list[str]:
    """The methods of an object, or of its classes, that are tools of the build, by name."""
    names: set[str] = set()
    for key in keys_of(tool):
        names.update(entry.key[len(key) + 1 :] for entry in table.entries if entry.key.startswith(f"{key}."))
    return sorted(name for name in names if name.isidentifier())


def keys_of(tool: Any) -> Iterator[str]:
    """`module:qualname` of the object, or of the classes of an instance, nearest first."""
    qualname = getattr(tool, "__qualname__", None)
    if isinstance(qualname, str):
        yield f"{tool.__module__}:{qualname}"
    if isinstance(tool, type) or not isinstance(qualname, str):
        kind: Any = tool if isinstance(tool, type) else type(tool)
        yield from (f"{base.__module__}:{base.__qualname__}" for base in kind.__mro__ if base is not tool)


def _refuse_method_without_instance(tool: Any) -> None:
    code = getattr(tool, "__code__", None)  # a bound method has none of its own
    if code is not None and not hasattr(tool, "__self__") and code.co_argcount and code.co_varnames[0] == "self":
        raise ToolSetupError(
            f"{tool.__qualname__} needs an instance: bind the method of one, `TABLE.bind(instance.{tool.__name__})`"
        )


def _refuse_equal_names(table: Table) -> None:
    seen: dict[str, Entry] = {}
    for entry in table.entries:
        if not table.can_run(entry):
            continue
        if table.is_shared(entry.name) and entry.binding == "import":
            continue  # each is for its agents, and found through them alone
        other = seen.setdefault(entry.name, entry)
        if other is not entry:
            raise ToolSetupError(
                f"two tools named {entry.name!r} could run: {other.key} and {entry.key}. "
                "Leave one out with `select` before `bind`."
            )
