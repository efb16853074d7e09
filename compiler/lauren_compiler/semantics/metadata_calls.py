"""Metadata that a function makes: `Annotated[int, positive()]`, decided by the one `return` of the function's body.

    def between(low: int, high: int = 9):        between(1)  →  Field(ge=low, le=high), with low = 1 and high = 9
        return Field(ge=low, le=high)

Constant arguments take the place of parameters. Nothing else is followed: not several statements, not decorators.
"""

from __future__ import annotations

from msgspec import Struct

from ..ir.values import Constant
from ..syntax.declarations import Assignment, Dynamic, FunctionDecl, Lazy, ParamDecl, Scope
from ..syntax.expressions import Call, Expr
from .constants import Constants


class Returned(Struct, frozen=True):
    """The expression that a call gives, and a scope in which the parameters are what is passed."""

    expr: Expr
    scope: Scope


def returned(call: Call, decl: FunctionDecl, scope: Scope, constants: Constants) -> Returned | None:
    """What a call of a function gives; None if that can't be known."""
    value = decl.only_return
    passed = _passed(call, decl)
    if decl.is_async or decl.decorators or value is None or passed is None:
        return None
    inside = Scope("function", decl.qualname, decl.signature_scope, decl.scope.module)
    for parameter in decl.parameters:
        own = parameter.default.expr if parameter.default is not None else None
        value_of, read_in = (passed[parameter.name], scope) if parameter.name in passed else (own, decl.signature_scope)
        inside.add(_binding(parameter, value_of, read_in, constants))
    return Returned(value.expr, inside)


def _passed(call: Call, decl: FunctionDecl) -> dict[str, Expr] | None:
    """The arguments by parameter; None if they do not fit, or are unpacked."""
    positional = [each for each in decl.parameters if each.kind in ("positional_only", "positional_or_keyword")]
    named = {each.name for each in decl.parameters if each.kind in ("positional_or_keyword", "keyword_only")}
    if len(call.args) > len(positional) or any(type(argument).__name__ == "Starred" for argument in call.args):
        return None
    found = {parameter.name: argument for parameter, argument in zip(positional, call.args, strict=False)}
    for word in call.keywords:
        if word.name is None or word.name not in named or word.name in found:
            return None
        found[word.name] = word.value
    return found


def _binding(parameter: ParamDecl, value: Expr | None, scope: Scope, constants: Constants) -> Assignment | Dynamic:
    start = (0, 0)
    found = constants.evaluate(value, scope) if value is not None else None
    if not isinstance(found, Constant):
        return Dynamic(parameter.name, parameter.pos, start, None, "a parameter")
    return Assignment(parameter.name, parameter.pos, start, None, Lazy.of(found.value, parameter.pos), None)
