"""Calls in the statements of a scope, wherever they stand in an expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from functools import cached_property
from typing import cast

from msgspec import Struct

from .declarations import Assignment, ClassDecl, Condition, Definition, FunctionDecl, Guards, Lazy, Scope
from .expressions import Attribute, Call


class Spelling(Struct, frozen=True):
    """How what is called is spelled: the name it begins with, "" if it begins with none, and the attributes after it.

    `path` is the whole, if it is a dotted name and nothing else.
    """

    root: str
    attributes: tuple[str, ...]
    path: str = ""


class Around(Struct, frozen=True, eq=False):
    """A comprehension or lambda; `taken_by` is the name of the function whose only argument it is."""

    node: ast.expr
    taken_by: str


class CallSite(Struct, eq=False, dict=True):
    """A call. `whole` if it is all of its statement's expression, `assigned` if a variable of the scope is set to it.

    `key` and `function_key` tell this call and what it calls from all other expressions. `within` are the
    comprehensions and lambdas around it, the outer ones first; `guards` the conditions it stands under, those of
    `x if test else y` too. `taken_by` is the name of the function whose only argument it is.
    """

    node: ast.Call
    whole: bool
    assigned: bool
    within: tuple[Around, ...]
    guards: Guards | None
    taken_by: str = ""

    @cached_property
    def local(self) -> frozenset[str]:
        """The names that the comprehensions and lambdas around it bind."""
        return frozenset(name for each in self.within for name in _bound_by(each.node))

    @cached_property
    def call(self) -> Call | None:
        """The call; None if it is nested too deep to be read."""
        expr = Lazy(self.node).expr
        return expr if isinstance(expr, Call) else None

    @cached_property
    def spelling(self) -> Spelling:
        """How what is called is spelled, calls and brackets in it aside: `a.b()[0].c` is `a` with `b` and `c`."""
        attributes: list[str] = []
        node = self.node.func
        dotted = True
        while not isinstance(node, ast.Name):
            dotted = dotted and isinstance(node, ast.Attribute)
            if isinstance(node, ast.Attribute):
                attributes.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Call):
                node = node.func
            elif isinstance(node, (ast.Subscript, ast.NamedExpr, ast.Await)):
                node = node.value
            else:
                return Spelling("", tuple(attributes))
        path = ".".join((node.id, *reversed(attributes))) if dotted else ""
        return Spelling(node.id, tuple(attributes), path)

    @property
    def since(self) -> tuple[int, int]:
        """Where it ends."""
        return (self.node.end_lineno or 0, self.node.end_col_offset or 0)

    @property
    def of_a_call(self) -> bool:
        """Whether what is called is the result of another call: `f()(x)`."""
        return isinstance(self.node.func, ast.Call)

    @property
    def key(self) -> int:
        return id(self.node)

    @property
    def function_key(self) -> int:
        return id(self.node.func)

    @property
    def given_keys(self) -> frozenset[int]:
        """The keys of the calls that are its arguments."""
        return frozenset(map(id, self.node.args))

    @property
    def applied(self) -> frozenset[int]:
        """In `f()(g()(x))`, the keys of all that is called: of `f()`, `g()(x)` and `g()`."""
        found = [id(self.node.func)]
        node = self.node
        while node.args and isinstance(inner := node.args[0], ast.Call):
            found += [id(inner), id(inner.func)]
            node = inner
        return frozenset(found)


def calls_in(scope: Scope) -> Iterator[CallSite]:
    """Outer calls come before the calls inside them."""
    assigned = {
        id(binding.value.node)
        for binding in scope.members
        if isinstance(binding, Assignment) and binding.value is not None
    }
    for value in scope.values:
        yield from _calls(value.node, assigned, value.guards)


def attributes_in(scope: Scope, names: Set[str]) -> Iterator[Attribute]:
    """Where an attribute of one of these names is read in a scope, called or not."""
    for value in scope.values:
        for node in ast.walk(value.node):
            if isinstance(node, ast.Attribute) and node.attr in names:
                expr = Lazy(node).expr
                if isinstance(expr, Attribute):
                    yield expr


def calls_in_decorators(scope: Scope) -> Iterator[CallSite]:
    """The calls in the decorators of what is defined in a scope; outer calls come before the calls inside them."""
    for binding in scope.members:
        if isinstance(binding, Definition) and isinstance(binding.decl, (FunctionDecl, ClassDecl)):
            for decorator in binding.decl.decorators:
                yield from _calls(decorator.node, frozenset(), binding.guards)


def _calls(value: ast.expr, assigned: Set[int], around: Guards | None) -> Iterator[CallSite]:
    pending: list[tuple[ast.AST, tuple[Around, ...], Guards | None]] = [(value, (), around)]
    taken: dict[int, str] = {}
    while pending:
        node, within, guards = pending.pop()
        kind = type(node)
        if kind in _LEAVES:
            continue
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and len(node.args) == 1:
                taken[id(node.args[0])] = node.func.id
            yield CallSite(node, node is value, id(node) in assigned, within, guards, taken.get(id(node), ""))
        elif isinstance(node, _BINDING):
            within = (*within, Around(node, taken.get(id(node), "")))
        elif isinstance(node, (ast.IfExp, ast.BoolOp)):
            pending.extend((part, within, under) for part, under in _branches(node, guards))
            continue
        for name in node._fields:
            child = getattr(node, name, None)
            if isinstance(child, ast.AST):
                pending.append((child, within, guards))
            elif isinstance(child, list):
                items = cast("list[object]", child)
                pending.extend((item, within, guards) for item in items if isinstance(item, ast.AST))


def _branches(node: ast.IfExp | ast.BoolOp, guards: Guards | None) -> Iterator[tuple[ast.expr, Guards | None]]:
    """The parts of an expression that evaluates not all of them, each with its conditions."""
    if isinstance(node, ast.IfExp):
        test = Lazy(node.test)
        yield node.test, guards
        yield node.body, Guards(Condition(test, holds=True), guards)
        yield node.orelse, Guards(Condition(test, holds=False), guards)
        return
    first, *others = node.values
    yield first, guards
    after = Guards(Condition(Lazy(first), holds=isinstance(node.op, ast.And)), guards)
    yield from ((part, after) for part in others)  # what the others are tests of would only say more


_LEAVES = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store})
"""Most nodes of an expression, which have nothing inside."""
_BINDING = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _bound_by(node: ast.expr) -> frozenset[str]:
    """The names that a comprehension or lambda binds for what is inside it."""
    if isinstance(node, ast.Lambda):
        return frozenset(each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg))
    targets = [each.target for each in getattr(node, "generators", ())]
    names = (part for target in targets for part in ast.walk(target))
    return frozenset(part.id for part in names if isinstance(part, ast.Name))


def calls_below(node: ast.expr) -> Iterator[Call]:
    """The calls in an expression, outer ones first."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            expr = Lazy(each).expr
            if isinstance(expr, Call):
                yield expr
