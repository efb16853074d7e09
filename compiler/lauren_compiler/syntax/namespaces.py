"""Which calls hand out the names of the class body or module that they stand in."""

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


def reaches_for_names(call: ast.Call) -> bool:
    """`globals()`, `vars()`, `locals()`, `exec(...)`, or `setattr(sys.modules[...], ...)`."""
    if not isinstance(call.func, ast.Name):
        return False
    if call.func.id == "setattr" and call.args:
        return isinstance(call.args[0], ast.Subscript) and "modules" in ast.dump(call.args[0].value)
    return call.func.id in ("globals", "locals", "exec") or (call.func.id == "vars" and not call.args)
