"""The parameters of functions, and the type parameters (PEP 695) of functions, classes and aliases."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .declarations import Lazy, ParamDecl, ParamKind, ParsedModule, Scope, TypeParameter
from .expressions import defer, position
from .pruning import FunctionNode


def parameter_scope(node: FunctionNode | ast.ClassDef, scope: Scope) -> Scope:
    """The scope in which a function's annotations or a class's bases are read, with its PEP 695 type parameters.

    A method's is one of its own even without any: what is read late does not see the names of its class.
    """
    if not getattr(node, "type_params", ()) and (scope.kind != "class" or isinstance(node, ast.ClassDef)):
        return scope
    return type_parameter_scope(node, scope)


def type_parameter_scope(node: ast.AST, scope: Scope) -> Scope:
    """A scope with the PEP 695 type parameters of a statement, inside the statement's own."""
    inner = Scope("parameters", scope.qualname, scope, scope.module)
    for parameter in getattr(node, "type_params", ()):
        bound, default = (
            None if part is None else Lazy(defer(part))
            for part in (getattr(parameter, "bound", None), getattr(parameter, "default_value", None))
        )
        kind = type(parameter).__name__
        inner.add(TypeParameter(parameter.name, position(parameter), (0, 0), None, kind, bound, default))
    return inner


def parameters(arguments: ast.arguments, module: ParsedModule) -> Iterator[ParamDecl]:
    """The parameters of a function, in order."""

    def declare(argument: ast.arg, kind: ParamKind, default: ast.expr | None = None) -> ParamDecl:
        annotation = Lazy.annotation(argument.annotation, module) if argument.annotation else None
        line, column, *_ = position(argument)
        pos = (line, column, line, column + len(argument.arg.encode()))
        return ParamDecl(argument.arg, kind, annotation, Lazy(default) if default else None, pos)

    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults += arguments.defaults
    for index, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        first = index < len(arguments.posonlyargs)
        yield declare(argument, "positional_only" if first else "positional_or_keyword", default)
    if arguments.vararg:
        yield declare(arguments.vararg, "var_positional")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield declare(argument, "keyword_only", default)
    if arguments.kwarg:
        yield declare(arguments.kwarg, "var_keyword")
