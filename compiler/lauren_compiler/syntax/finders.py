"""Where the finder modules of editable installs say that modules are, read without running them.

Source: setuptools, `command/editable_wheel.py` (`MAPPING`, `NAMESPACES`); editables, `__init__.py` (`map_module`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias, TypeGuard, cast

Places: TypeAlias = tuple[str, tuple[str, ...]]
"""A module's name, and its files or folders."""


def finder_places(source: bytes) -> tuple[Places, ...] | None:
    """What a finder module says; None if it is none, or can't be understood."""
    try:
        tree = ast.parse(source)
    except (ValueError, SyntaxError, RecursionError):
        return None
    said = [found for node in tree.body if (found := _statement(node)) is not None]
    return tuple(place for found in said for place in found) if said else None


def _statement(node: ast.stmt) -> tuple[Places, ...] | None:
    """What one statement says; None if it is no word of where modules are."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {target.id for target in targets if isinstance(target, ast.Name)} & {"MAPPING", "NAMESPACES"}
        return _mapping(node.value) if names else None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and len(node.value.args) == 2:
        called = node.value.func.attr if isinstance(node.value.func, ast.Attribute) else ""
        given = [str(each.value) for each in node.value.args if isinstance(each, ast.Constant)]
        return ((given[0], (given[1],)),) if called == "map_module" and len(given) == 2 else None
    return None


def _mapping(value: ast.expr) -> tuple[Places, ...] | None:
    try:
        table: object = ast.literal_eval(value)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return None
    return tuple(_listed(table)) if _is_table(table) else None


def _listed(table: dict[str, str | list[object]]) -> Iterator[Places]:
    for name, places in table.items():
        yield name, (places,) if isinstance(places, str) else tuple(str(place) for place in places)


def _is_table(value: object) -> TypeGuard[dict[str, str | list[object]]]:
    """Whether a value is a table from names to a place or a list of them."""
    if not isinstance(value, dict):
        return False
    items = cast("dict[object, object]", value).items()
    return all(isinstance(name, str) and isinstance(places, (str, list, tuple)) for name, places in items)
