"""A project's own decorator, read: with which arguments it calls `tool`, given its own.

    def agent_tool(name, **options):                      @agent_tool("find", timeout=3)
        return tool(name=f"acme_{name}", **options)       →  tool(name="acme_find", timeout=3)

What is given to the decorator is put in the place of its parameters; `function.__name__` is the function's name. A
decorator whose body does not call `tool` in exactly one place is not followed: those of its arguments that are options
of `tool` count as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..ir.values import Constant as ConstantValue
from ..semantics.constants import Constants
from ..semantics.symbols import ClassSymbol, FunctionSymbol
from ..syntax.calls import calls_in
from ..syntax.declarations import Assignment, ClassDecl, Definition, FunctionDecl, Scope
from ..syntax.docstrings.cleaning import cleandoc
from ..syntax.expressions import Attribute, Call, Chain, Constant, Expr, Keyword, Name, Opaque, is_tuple
from .arguments import Argument, Bound, bound, defaults
from .makers import Maker, Makers
from .option_names import KNOWN
from .signature import receiver

_MAX_DEPTH = 8


def tool_arguments(
    maker: Maker, target: FunctionDecl | ClassDecl, makers: Makers, constants: Constants
) -> tuple[Argument, ...]:
    """The arguments of `tool` that a maker of a project's own decorator comes to for `target`."""
    decl, skip = definition_of(maker, constants)
    given = bound(maker.arguments, decl.parameters if decl is not None else (), skip + maker.direct)
    inner = list(_makers_in(decl.body, makers)) if decl is not None else []
    if decl is None or len(inner) != 1:
        return tuple(_options(given))
    known = dict(defaults(decl)) | given.by_name
    first = decl.parameters[skip].name if maker.direct and len(decl.parameters) > skip else None
    reading = _Reading(decl, target, {**known}, given, constants, first)
    made = inner[0]
    if made.listed is not None:
        return tuple(reading.all(tool_arguments(made, target, makers, constants)))
    return tuple(reading.all(made.arguments))


def definition_of(maker: Maker, constants: Constants) -> tuple[FunctionDecl | None, int]:
    """The function that runs when the decorator is called, and how many parameters its receiver takes."""
    symbol = maker.symbol
    if isinstance(symbol, ClassSymbol):
        decl = symbol.decl
        symbol = constants.resolver.class_member(decl, "__init__", decl.scope.module.file.span(decl.name_pos))
    if not isinstance(symbol, FunctionSymbol):
        return None, 0
    bound_to = symbol.decl.scope.kind == "class" and receiver(symbol.decl, constants.resolver) != "none"
    return symbol.decl, int(bound_to)


def _options(given: Bound) -> Iterator[Argument]:
    """The arguments that have the name of an option of `tool`, or whose name is not known."""
    for name, argument in given.by_name.items():
        if name in KNOWN:
            yield replace(argument, name=name)
    yield from (each for each in given.rest if each.name in KNOWN or each.stars == 2)


def _makers_in(scope: Scope, makers: Makers) -> Iterator[Maker]:
    """The calls of `tool`, or of a configured decorator, in a function's body and in the functions inside it."""
    calls = [site.call for site in calls_in(scope)]
    inner = [each.decl for each in scope.members if isinstance(each, Definition)]
    functions = [decl for decl in inner if isinstance(decl, FunctionDecl)]
    for decl in functions:
        calls += [each.expr for each in decl.decorators if isinstance(each.expr, Call)]
    for call in calls:
        maker = makers.find(call, scope) if call is not None else None
        if maker is not None:
            yield maker
    for decl in functions:
        yield from _makers_in(decl.body, makers)


class _Target(Struct, frozen=True):
    """Stands for the decorated function or class itself."""

    decl: FunctionDecl | ClassDecl


class _Reading(Struct, frozen=True):
    """One use of a decorator `decl`. `target_name` is its own parameter that takes the function, if one does."""

    decl: FunctionDecl
    target: FunctionDecl | ClassDecl
    known: dict[str, Argument]
    given: Bound
    constants: Constants
    target_name: str | None

    def all(self, arguments: tuple[Argument, ...]) -> Iterator[Argument]:
        for argument in arguments:
            spread = self._spread(argument)
            if spread is not None:
                yield from spread
                continue
            value, scope = self._value(argument.value, argument.scope)
            pos = argument.pos if scope is argument.scope else value.pos
            yield replace(argument, value=value, scope=scope, pos=pos)

    def _spread(self, argument: Argument) -> list[Argument] | None:
        """What `**options` or `*arguments` of the decorator's own parameters comes to."""
        if not argument.stars or not isinstance(argument.value, Name):
            return None
        kind = "var_keyword" if argument.stars == 2 else "var_positional"
        own = next((each for each in self.decl.parameters if each.kind == kind), None)
        if own is None or own.name != argument.value.id or len(self.decl.body.bindings[own.name]) != 1:
            return None
        return self.given.rest if argument.stars == 2 else []

    def _value(self, expr: Expr, scope: Scope, depth: int = 0) -> tuple[Expr, Scope]:
        """An expression of the decorator's body with what its names stand for, and the scope to read that in."""
        if isinstance(expr, Name):
            found = self._name(expr, scope, depth)
            return found if isinstance(found, tuple) else (expr, scope)
        if isinstance(expr, Chain) and expr.op == "or":
            return self._first_true(expr, scope, depth)
        text = self._text_of_target(expr, scope, depth)
        if text is not None:
            return text, scope
        return self._rebuilt(expr, scope, depth), scope

    def _name(self, name: Name, scope: Scope, depth: int) -> tuple[Expr, Scope] | _Target | None:
        """What a name of the decorator's body stands for; None if it is none of its own, or can't be followed."""
        step: Scope | None = scope
        while step is not None and depth < _MAX_DEPTH:
            bindings = step.bindings.get(name.id, []) if step.kind == "function" else []
            if len(bindings) == 1 and isinstance(bindings[0], Assignment) and bindings[0].value is not None:
                return self._value(bindings[0].value.expr, step, depth + 1)
            if bindings:
                return self._parameter(name.id, step) if len(bindings) == 1 else None
            if step is self.decl.body:
                return None
            step = step.parent
        return None

    def _parameter(self, name: str, scope: Scope) -> tuple[Expr, Scope] | _Target | None:
        if scope is self.decl.body:
            if name == self.target_name:
                return _Target(self.target)
            argument = self.known.get(name)
            return (argument.value, argument.scope) if argument is not None else None
        own = scope.function.parameters if scope.function is not None else ()
        return _Target(self.target) if own and own[0].name == name else None

    def _first_true(self, chain: Chain, scope: Scope, depth: int) -> tuple[Expr, Scope]:
        """`name or function.__name__`: the first that is true, as far as they are constants."""
        for item in chain.items:
            value, where = self._value(item, scope, depth)
            constant = self.constants.evaluate(value, where)
            if not isinstance(constant, ConstantValue):
                break
            if constant.value or item is chain.items[-1]:
                return value, where
        return self._rebuilt(chain, scope, depth), scope

    def _text_of_target(self, expr: Expr, scope: Scope, depth: int) -> Constant | None:
        """`function.__name__` and `function.__doc__` of the decorated function."""
        docstring = self.target.docstring.text if self.target.docstring is not None else None
        if isinstance(expr, Attribute) and isinstance(expr.value, Name):
            texts = {"__name__": self.target.name, "__qualname__": self.target.qualname, "__doc__": docstring}
            if expr.attr in texts and isinstance(self._name(expr.value, scope, depth), _Target):
                return Constant(expr.pos, texts[expr.attr])
        if isinstance(expr, Call) and len(expr.args) == 1 and isinstance(expr.args[0], Name):
            known = self.constants.resolver.dealias(self.constants.resolver.resolve(expr.func, scope))
            is_getdoc = _is_getdoc(known)
            if is_getdoc and isinstance(self._name(expr.args[0], scope, depth), _Target):
                return Constant(expr.pos, None if docstring is None else cleandoc(docstring))
        return None

    def _rebuilt(self, expr: Expr, scope: Scope, depth: int) -> Expr:
        """The expression with constants for the names of the decorator in it; opaque where one is none."""
        changed: dict[str, Any] = {}
        for name in expr.__struct_fields__:
            before = getattr(expr, name)
            after = self._part(before, scope, depth)
            if after is not before:
                changed[name] = after
        if any(isinstance(value, Opaque) for value in changed.values()):
            return Opaque(expr.pos, "computed by a decorator from what it is given")
        return replace(expr, **changed) if changed else expr

    def _part(self, part: Any, scope: Scope, depth: int) -> Any:
        if is_tuple(part):
            after = tuple(self._part(item, scope, depth) for item in part)
            return after if any(new is not old for new, old in zip(after, part, strict=True)) else part
        if isinstance(part, Keyword):
            value = self._part(part.value, scope, depth)
            return part if value is part.value else replace(part, value=value)
        if not isinstance(part, Expr):
            return part
        value, where = self._value(part, scope, depth + 1) if depth < _MAX_DEPTH else (part, scope)
        if value is part:
            return part
        constant = self.constants.evaluate(value, where)
        if isinstance(constant, ConstantValue):
            return Constant(part.pos, constant.value)
        return Opaque(part.pos, "what a decorator is given")


def _is_getdoc(symbol: object) -> bool:
    return isinstance(symbol, FunctionSymbol) and symbol.decl.key == "inspect:getdoc"
