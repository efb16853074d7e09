"""The imports in functions, by the text of a module: without looking into every function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .declarations import Lazy, ModuleImport, SymbolImport

_INDENTED = re.compile(
    r"(?:^[ \t]+|[:;][ \t]*)"
    r"((?:from\s++[\w.]*+\s++)?import\b(?:\s*\((?:[^()#]|#[^\n]*+)*+\)|(?:\\\n|[^\n;#])*+))",
    re.MULTILINE,
)


def imports_inside(text: str) -> Iterator[SymbolImport | ModuleImport]:
    """The imports that do not begin a line; their places are not told."""
    for found in _INDENTED.finditer(text):
        try:
            (node,) = ast.parse(found[1].strip()).body
        except (SyntaxError, ValueError):
            continue  # a line of a string that only begins as a statement does
        yield from _bindings(node)


def names_in(value: Lazy) -> frozenset[str]:
    """The names that an expression reads or binds."""
    return frozenset(node.id for node in ast.walk(value.node) if isinstance(node, ast.Name))


def _bindings(node: ast.stmt) -> Iterator[SymbolImport | ModuleImport]:
    nowhere = (0, 0, 0, 0)
    if isinstance(node, ast.Import):
        for each in node.names:
            target = each.name if each.asname else each.name.partition(".")[0]
            yield ModuleImport(each.asname or target, nowhere, (0, 0), None, target, each.name)
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            name = each.asname or each.name
            yield SymbolImport(name, nowhere, (0, 0), None, node.module or "", node.level, each.name, nowhere)
