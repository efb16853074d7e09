"""Attributes that functions set: `self.server = Server()`, `wrapper.__signature__ = …`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .declarations import FunctionDecl, Lazy


def attributes_set(method: FunctionDecl) -> Iterator[tuple[str, Lazy | None, Lazy | None]]:
    """Each attribute that a method sets on its first parameter: name, annotation, value; in source order."""
    if not method.parameters:
        return
    receiver = method.parameters[0].name
    for node in ast.walk(method.node):
        if isinstance(node, ast.Assign):
            targets, annotation = node.targets, None
        elif isinstance(node, ast.AnnAssign):
            targets, annotation = [node.target], Lazy.annotation(node.annotation, method.scope.module)
        else:
            continue
        value = Lazy(node.value) if node.value is not None else None
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == receiver:
                yield target.attr, annotation, value


def sets_signature(function: FunctionDecl) -> bool:
    """Whether a statement in a function, or in one inside it, gives something a signature: `wrapper.__signature__ = …`.

    It counts for `inspect.signature` before that of the function which is wrapped.
    """
    if "__signature__" not in function.scope.module.file.text:
        return False
    return any(
        isinstance(node, ast.Attribute) and node.attr == "__signature__" and isinstance(node.ctx, ast.Store)
        for node in ast.walk(function.node)
    )
