"""What a function or class body has of its own: its docstring, and its nodes but those of what is inside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from ..source.file import Pos
from .expressions import position


class Docstring(Struct, frozen=True, eq=False):
    """The literal's value, and its place."""

    text: str
    pos: Pos


def docstring_of(body: list[ast.stmt]) -> Docstring | None:
    """The docstring of a function or class body."""
    if body and isinstance(body[0], ast.Expr):
        node = body[0].value
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return Docstring(node.value, position(node))
    return None


def own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """All that stands in a function's body, functions and classes inside it aside."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))
