"""Under which name a definition stands in `$defs`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from ..ir.tools import ToolSet
from ..ir.types import Definition, EnumDefinition

_FORBIDDEN = re.compile(r"[^A-Za-z0-9_]")


def definition_names(keys: Iterable[str], toolset: ToolSet) -> Mapping[str, str]:
    """The `$defs` name of each of `keys`: all that a tool's arguments or result need, in the order of its signature.

    A definition is called as its class or alias. Where several of one tool share that name, each takes the shortest
    tail of `module.qualname` that no other of them has; those still equal are numbered in signature order.
    """
    paths = {key: _path(toolset.by_key[key]) for key in keys}
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for key, path in paths.items():
        groups[_spelled(path[-1:])].append(key)
    names: dict[str, str] = {}
    for keys in groups.values():
        names.update((key, _tail(key, {other: paths[other] for other in keys})) for key in keys)
    return _numbered({key: names[key] for key in paths})


def _path(definition: Definition) -> tuple[str, ...]:
    """`shop.models` and `Order.Line` as one path; what a generic one has in brackets is part of its last step."""
    *outer, last = f"{definition.module}.{definition.qualname}".split(".")
    arguments = () if isinstance(definition, EnumDefinition) else definition.arguments
    if not arguments:
        return (*outer, last)
    from ..ir.pprint import type_text

    return (*outer, f"{last}[{', '.join(map(type_text, arguments))}]")


def _spelled(parts: Iterable[str]) -> str:
    return _FORBIDDEN.sub("_", "_".join(parts).replace("]", ""))


def _tail(key: str, paths: Mapping[str, tuple[str, ...]]) -> str:
    path = paths[key]
    others = [other for other_key, other in paths.items() if other_key != key]
    for length in range(1, len(path) + 1):
        if all(path[-length:] != other[-length:] for other in others):
            return _spelled(path[-length:])
    return _spelled(path)


def _numbered(names: Mapping[str, str]) -> dict[str, str]:
    """Numbers behind the names that several keys have, chosen so that they meet no other name."""
    uses = Counter(names.values())
    taken = {name for name, count in uses.items() if count == 1}
    result: dict[str, str] = {}
    for key, name in names.items():
        result[key] = name if uses[name] == 1 else _free(name, taken)
        taken.add(result[key])
    return result


def _free(name: str, taken: set[str]) -> str:
    number = 1
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
