"""Which calls in a class body hand out the names of the body itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..source.file import Pos
from .declarations import ClassDecl
from .expressions import position

_NAMESPACES = frozenset({"vars", "locals", "exec"})


def namespace_calls(decl: ClassDecl) -> Iterator[Pos]:
    """The places of such calls, outside the functions of the class: what is bound through them no assignment shows."""
    text = decl.scope.module.file.text
    if text.isascii() and not any(name in text for name in _NAMESPACES):
        return
    pending: list[ast.AST] = list(reversed(decl.head.body))
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMESPACES:
            yield position(node)
        pending.extend(ast.iter_child_nodes(node))
