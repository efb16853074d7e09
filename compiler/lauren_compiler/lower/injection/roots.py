"""Which modules are applications, and what calls in statements do to classes.

LaurenFactory.create(Shop)                     Shop is one
LaurenFactory.create(root)                     which one can't be known, so every module that no other imports may be it
injectable()(Prices)                           whether Prices is a provider can't be known
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from ...semantics.symbols import ClassSymbol, FunctionSymbol, KnownSymbol
from ...source.span import Span
from ...syntax.calls import CallSite, calls_in
from ...syntax.declarations import ParsedModule, Scope
from ...syntax.expressions import Attribute, Call, Constant, Expr, ListDisplay, Name, Tuple
from ...syntax.scopes import scopes_in
from .marks import INJECTABLE, MODULE
from .tokens import TokenReader

_FACTORY = KnownSymbol("lauren.LaurenFactory")
_MARKS = (INJECTABLE, MODULE, KnownSymbol("lauren.tool"))


class Calls(Struct):
    """What calls in the sources say: `created` are the roots they name, each with whether all its global providers are
    known (`unknown_globals` are the calls where they are not); `any_root` is set if one names none that can be known.
    `marked` are definitions that a call may mark.
    """

    created: dict[str, bool] = field(default_factory=dict[str, bool])
    any_root: bool = False
    knows_globals: bool = True
    marked: set[int] = field(default_factory=set[int])
    unknown_globals: list[Span] = field(default_factory=list[Span])


def calls_of(modules: Iterable[ParsedModule], tokens: TokenReader) -> Calls:
    """What the calls of all sources say."""
    found = Calls()
    for module in modules:
        text = module.file.text
        if "create" not in text and "injectable" not in text and "module" not in text:
            continue
        for scope in scopes_in(module.scope):
            for site in calls_in(scope):
                if tokens.resolver.choice.reached(site, scope) is not False:
                    _look(site, scope, tokens, found)
    return found


def _look(site: CallSite, scope: Scope, tokens: TokenReader, found: Calls) -> None:
    spelled = site.spelling
    if spelled.attributes[-1:] == ("create",):
        call = site.call
        func = call.func if call is not None else None
        if call is not None and isinstance(func, Attribute) and tokens.meaning(func.value, scope) == _FACTORY:
            _created(call, scope, site.local, tokens, found)
    elif spelled.root and not spelled.path and (call := site.call) is not None and isinstance(call.func, Call):
        if tokens.meaning(call.func.func, scope) in _MARKS:
            found.marked.update(_definitions(call.args, scope, tokens))


def _definitions(args: Iterable[Expr], scope: Scope, tokens: TokenReader) -> Iterator[int]:
    for each in args:
        symbol = tokens.meaning(each, scope) if isinstance(each, (Name, Attribute)) else None
        if isinstance(symbol, (ClassSymbol, FunctionSymbol)):
            yield id(symbol.decl)


def _created(call: Call, scope: Scope, local: frozenset[str], tokens: TokenReader, found: Calls) -> None:
    root = call.args[0] if call.args else call.keyword("root_module")
    given = call.keyword("global_providers")
    is_none = isinstance(given, Constant) and given.value is None
    is_empty = isinstance(given, (ListDisplay, Tuple)) and not given.items
    knows = (given is None or is_none or is_empty) and all(word.name is not None for word in call.keywords)
    if not knows:
        found.unknown_globals.append(scope.module.file.span(call.pos))
    is_local = isinstance(root, Name) and root.id in local
    symbol = tokens.meaning(root, scope) if root is not None and not is_local else None
    if isinstance(symbol, ClassSymbol):
        found.created[symbol.decl.key] = found.created.get(symbol.decl.key, True) and knows
    else:
        found.any_root = True
        found.knows_globals = found.knows_globals and knows
