"""The signature digest's input, and which decorators between `tool()` and a function keep its signature."""

from __future__ import annotations

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as rules
from ..ir.tools import Signature
from ..semantics.resolver import Resolver
from ..semantics.symbols import FunctionSymbol, KnownSymbol, Symbol
from ..syntax.declarations import ClassDecl, Definition, FunctionDecl, Lazy, Scope
from ..syntax.expressions import Call
from .configured import Configured

_KEEP = frozenset(
    """
    builtins.staticmethod builtins.classmethod functools.cache functools.lru_cache typing.final typing.override
    typing.deprecated typing.no_type_check abc.abstractmethod functools.wraps lauren.use_hooks lauren.set_metadata
    lauren.injectable lauren.tool pydantic.validate_call
    """.split()
)


def signature(decl: FunctionDecl) -> Signature:
    """What the digest of a function covers."""
    parameters = tuple((item.name, str(item.kind), item.default is not None) for item in decl.parameters)
    return Signature(parameters, decl.is_async, decl.is_generator)


def wrapped_by(decorators: tuple[Lazy, ...], scope: Scope, names: Resolver) -> Symbol | None:
    """What the function below `@functools.wraps(function)` passes for; None without such a decorator."""
    for decorator in decorators:
        expr = decorator.expr
        if isinstance(expr, Call) and expr.args:
            if names.dealias(names.resolve(expr.func, scope)) == KnownSymbol("functools.wraps"):
                return names.dealias(names.resolve(expr.args[0], scope))
    return None


def keeps_signature(
    decorators: tuple[Lazy, ...], decl: FunctionDecl | ClassDecl, names: Resolver, known: Configured, sink: Sink
) -> bool:
    """Whether no decorator can have changed the signature; each that may is reported. Configured ones keep it."""
    kept = True
    for decorator in decorators:
        expr = decorator.expr
        target = expr.func if isinstance(expr, Call) else expr
        symbol = names.dealias(names.resolve(target, decl.scope))
        if keeps(symbol, names) or known.keeps(symbol):
            continue
        kept = False
        span = decl.scope.module.file.span(expr.pos)
        message = f"what this decorator makes of `{decl.name}` can't be known; the function below it is compiled"
        remedy = "use `functools.wraps` in the decorator, or list it with `keeps-signature`"
        sink.add(rules.UNKNOWN_DECORATOR.at(span, message, help=remedy))
    return kept


def receiver(decl: FunctionDecl, names: Resolver) -> str:
    """How a function in a class takes its receiver: "instance", "class" or "none"."""
    for decorator in decl.decorators:
        expr = decorator.expr
        symbol = names.dealias(names.resolve(expr, decl.scope))
        if symbol == KnownSymbol("builtins.staticmethod"):
            return "none"
        if symbol == KnownSymbol("builtins.classmethod"):
            return "class"
    return "instance"


def keeps(symbol: Symbol, names: Resolver) -> bool:
    """Whether a decorator is known to keep the signature, and what is set on the function."""
    if isinstance(symbol, KnownSymbol):
        return symbol.name in _KEEP
    if isinstance(symbol, FunctionSymbol):
        from ..syntax.attributes import sets_signature

        return _wraps(symbol.decl.body, names, depth=0) and not sets_signature(symbol.decl)
    return False


def shows_the_function(decorator: FunctionDecl, names: Resolver) -> bool:
    """Whether what a decorator returns still shows the signature of the function: it defines no function of its own in
    its place, or one that `functools.wraps` it."""
    return _wraps(decorator.body, names, depth=0) or not _takes_anything(decorator.body)


def _takes_anything(body: Scope) -> bool:
    """Whether a function inside takes `*` or `**`: it passes on what it gets."""
    for binding in body.members:
        if isinstance(binding, Definition) and isinstance(binding.decl, FunctionDecl):
            if any(each.kind.startswith("var_") for each in binding.decl.parameters):
                return True
            if _takes_anything(binding.decl.body):
                return True
    return False


def _wraps(body: Scope, names: Resolver, depth: int) -> bool:
    """Whether a decorator's source wraps with `functools.wraps`, itself or one function further in."""
    for binding in body.members:
        if not isinstance(binding, Definition) or not isinstance(binding.decl, FunctionDecl):
            continue
        for decorator in binding.decl.decorators:
            expr = decorator.expr
            if isinstance(expr, Call):
                symbol = names.dealias(names.resolve(expr.func, binding.decl.scope))
                if symbol == KnownSymbol("functools.wraps"):
                    return True
        if depth < 2 and _wraps(binding.decl.body, names, depth + 1):
            return True
    return False
