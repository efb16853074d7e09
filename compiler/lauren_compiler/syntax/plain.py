"""Bodies of functions that only assign, choose and return, as later phases follow them for constant arguments."""

from __future__ import annotations

import ast
from typing import TypeAlias

from msgspec import Struct

from .declarations import Lazy


class Assign(Struct, frozen=True, eq=False):
    """`target = value`: a name, or a tuple of targets one of which may have a star."""

    target: Lazy
    value: Lazy


class Choose(Struct, frozen=True, eq=False):
    """`if test: body` with what is done otherwise."""

    test: Lazy
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


class Return(Struct, frozen=True, eq=False):
    """`return value`."""

    value: Lazy


Statement: TypeAlias = Assign | Choose | Return


def plain_body(body: list[ast.stmt]) -> tuple[Statement, ...] | None:
    """The statements of a block; None if there are others among them. Docstrings and `pass` are left out."""
    found: list[Statement] = []
    for node in body:
        statement = _statement(node)
        if statement is not None:
            found.append(statement)
        elif not _does_nothing(node):
            return None
    return tuple(found)


def _statement(node: ast.stmt) -> Statement | None:
    match node:
        case ast.Return(value=value):
            return Return(Lazy(value if value is not None else ast.copy_location(ast.Constant(None), node)))
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            return Assign(Lazy(target), Lazy(value))
        case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
            before = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            grown = ast.copy_location(ast.BinOp(before, op, value), node)
            return Assign(Lazy(target), Lazy(grown))
        case ast.If(test=test):
            body, orelse = plain_body(node.body), plain_body(node.orelse)
            return Choose(Lazy(test), body, orelse) if body is not None and orelse is not None else None
        case _:
            return None


def _does_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
