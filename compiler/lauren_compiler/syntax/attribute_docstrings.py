"""Strings that describe the attributes of a class, each behind the statement that declares one."""

from __future__ import annotations

import ast
from itertools import pairwise

from .declarations import ClassDecl, docstring_of


def attribute_docstrings(decl: ClassDecl) -> dict[str, str]:
    """The strings that stand directly behind the annotated attributes of a class, which describe them."""
    found: dict[str, str] = {}
    for statement, behind in pairwise(decl.head.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            text = docstring_of([behind])
            if text is not None:
                found[statement.target.id] = text.text
    return found
