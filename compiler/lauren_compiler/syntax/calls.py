"""Calls in the statements of a scope, wherever they stand in an expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from .declarations import Assignment, Lazy, Scope
from .expressions import Call


@dataclass(eq=False)
class CallSite:
    """A call. `whole` if it is all of its statement's expression, `assigned` if a variable of the scope is set to it.

    `key` and `function_key` tell this call and what it calls from all other expressions.
    """

    node: ast.Call
    whole: bool
    assigned: bool

    @cached_property
    def call(self) -> Call | None:
        """The call; None if it is nested too deep to be read."""
        expr = Lazy(self.node).expr
        return expr if isinstance(expr, Call) else None

    @property
    def key(self) -> int:
        return id(self.node)

    @property
    def function_key(self) -> int:
        return id(self.node.func)


def calls_in(scope: Scope) -> Iterator[CallSite]:
    """Outer calls come before the calls inside them."""
    assigned = {
        id(binding.value.node)
        for binding in scope.members
        if isinstance(binding, Assignment) and binding.value is not None
    }
    for value in scope.values:
        for node in ast.walk(value.node):
            if isinstance(node, ast.Call):
                yield CallSite(node, node is value.node, id(node) in assigned)
