"""Options of `@tool()` that do not go together, and hooks that can't be called as they will be."""

from __future__ import annotations

from collections.abc import Mapping

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as rules
from ..ir.tools import Options
from ..semantics.resolver import Resolver
from ..semantics.symbols import FunctionSymbol
from ..syntax.declarations import FunctionDecl, Scope
from ..syntax.expressions import Expr, Lambda
from .arguments import Argument
from .signature import receiver

_GIVEN: dict[str, tuple[int, ...]] = {
    "pre_hook": (2,),
    "post_hook": (2,),
    "error_hook": (2,),
    "cache_key_fn": (1, 2),
    "confirmation_policy": (1,),
    "initial_state": (0,),
    "initial_tool_state": (0,),
    "dependency_factory": (0,),
}
"""How many arguments the executor calls each option with."""
_SHOWN = {
    "pre_hook": "`(arguments, ctx)`",
    "post_hook": "`(result, ctx)`",
    "error_hook": "`(error, ctx)`",
    "cache_key_fn": "`(arguments)` or `(arguments, ctx)`",
    "confirmation_policy": "`(ctx)`",
}


def check_options(
    given: Mapping[str, Argument], options: Options, run: FunctionDecl, resolver: Resolver, sink: Sink
) -> bool:
    """Whether the options given to a tool that calls `run` can work; what is doubtful is reported too, as a warning."""
    asks = options.requires_confirmation or "confirmation_policy" in given
    lasting = given.get("cache_ttl")
    if lasting is not None and options.cache_ttl is not None and asks:
        message = "a human approves each call of this tool, and may get the result of an earlier one"
        remedy = "leave out `cache_ttl`: approval comes before the cache, so nothing is saved but the call itself"
        sink.add(rules.CACHED_APPROVAL.at(lasting.span, message, help=remedy))
    limit = given.get("timeout")
    if limit is not None and options.timeout is not None and run.is_generator:
        message = "the time limit holds for all items of this generator together"
        label = "also for the time that a reader of the stream takes"
        sink.add(rules.GENERATOR_TIMEOUT.at(limit.span, message, label=label))
    fitting = [_fits(name, given[name], resolver, sink) for name in _GIVEN if name in given]
    return all(fitting)


def _fits(name: str, argument: Argument, resolver: Resolver, sink: Sink) -> bool:
    """Whether an option can be called with what it will get; reported if not."""
    takes = _takes(argument.value, argument.scope, resolver)
    if takes is None:
        return True
    least, most, why = takes
    if not why and any(least <= count and (most is None or count <= most) for count in _GIVEN[name]):
        return True
    given = " or ".join(map(str, _GIVEN[name]))
    message = f"`{name}` of `tool()` is called with {given} argument{'' if given == '1' else 's'}"
    number = f"{least}" if most == least else f"at least {least}" if most is None else f"{least} to {most}"
    remedy = f"make it take {_SHOWN[name]}" if name in _SHOWN else "make it take nothing"
    label = why or f"this takes {number}"
    sink.add(rules.HOOK_ARITY.at(argument.span, message, label=label, help=remedy))
    return False


def _takes(expr: Expr, scope: Scope, resolver: Resolver) -> tuple[int, int | None, str] | None:
    """How many positional arguments a function takes at least and at most (None: any number), and why none of that
    helps; None for what can't be known."""
    if isinstance(expr, Lambda):
        return expr.least, expr.most, _needed(expr.needed)
    symbol = resolver.dealias(resolver.resolve(expr, scope))
    if not isinstance(symbol, FunctionSymbol):
        return None
    decl = symbol.decl
    kinds = [item.kind for item in decl.parameters]
    first = 1 if decl.scope.kind == "class" and receiver(decl, resolver) == "class" else 0
    if decl.decorators and (decl.scope.kind != "class" or receiver(decl, resolver) == "instance"):
        return None
    plain = [item for item in decl.parameters if item.kind in ("positional_only", "positional_or_keyword")][first:]
    least = sum(1 for item in plain if item.default is None)
    needed = tuple(item.name for item in decl.parameters if item.kind == "keyword_only" and item.default is None)
    return least, None if "var_positional" in kinds else len(plain), _needed(needed)


def _needed(names: tuple[str, ...]) -> str:
    return f"`{names[0]}` must be given by keyword" if names else ""
