"""What of a module's tree is let go: few of the bodies of functions, which are most of it, are ever asked for, and what
else there is of functions and classes only until their module is lowered.

What stays of a function's body is its docstring, and a `pass` where its first other statement was; then the `pass`
alone. Of a class's body nothing does. When what is gone is asked for, the module is parsed again, from the text that
was read.
"""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import TypeAlias

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
OuterNode: TypeAlias = FunctionNode | ast.ClassDef


def prune(body: Sequence[ast.stmt]) -> tuple[OuterNode, ...]:
    """Let go what stands in the outermost functions of a module; gives these functions, and the classes outside."""
    outer = tuple(_outer(body))
    for node in outer:
        if not isinstance(node, ast.ClassDef):
            node.body = _what_stays(node.body)
    return outer


def prune_head(function: FunctionNode) -> None:
    """Let go the parameters, decorators, annotations and docstring of a function that was pruned."""
    function.args, function.decorator_list, function.returns = _NO_ARGUMENTS, [], None
    function.body = function.body[-1:]  # tells where the body begins


def prune_class(node: ast.ClassDef) -> None:
    """Let go the body of a class whose names are known."""
    node.body = []


def regrow(outer: Sequence[OuterNode], text: str) -> None:
    """Give the functions and classes that `prune` gave what they lack, and nothing else; `text` is their module's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = _parsed(text)
    for node, again in zip(outer, _outer(tree.body), strict=True):
        if isinstance(node, ast.ClassDef) or isinstance(again, ast.ClassDef):
            node.body = node.body or again.body
            continue
        node.body = again.body
        if node.args is _NO_ARGUMENTS:
            node.args, node.decorator_list, node.returns = again.args, again.decorator_list, again.returns


_NO_ARGUMENTS = ast.arguments([], [], None, [], [], None, [])


def _outer(body: Sequence[ast.stmt]) -> Iterator[OuterNode]:
    """The functions and classes that stand in no function."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, _HOLDING):
            if isinstance(node, ast.ClassDef):
                yield node
            pending.extend(node.body)
            pending.extend(getattr(node, "orelse", ()))
            pending.extend(getattr(node, "finalbody", ()))
            pending.extend(getattr(node, "handlers", ()))
        elif isinstance(node, ast.Match):
            pending.extend(node.cases)


_HOLDING = (
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.ExceptHandler,
    ast.match_case,
)


def _what_stays(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    documented = body[:1] if is_text else []
    rest = body[len(documented) :]
    return [*documented, *(ast.Pass(lineno=each.lineno, col_offset=each.col_offset) for each in rest[:1])]


def _parsed(text: str) -> ast.Module:
    """The tree of a text that could be parsed before, however deep the calls are now: the parser counts them too."""
    try:
        return ast.parse(text)
    except RecursionError:
        trees: list[ast.Module] = []
        thread = threading.Thread(target=lambda: trees.append(ast.parse(text)))
        thread.start()
        thread.join()
        return trees[0]
