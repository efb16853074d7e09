"""Which names stand in every function in whose body a tool is made.

A call in a function makes a tool if what it calls leads to `tool` or a configured decorator. It is then named there: as
an attribute, or by a name of the module that may lead to it, or by one of the function's own, which is set to one of
these or imported there. A function without any such name need not be looked into.
"""

from __future__ import annotations

import ast

from ..semantics import known
from ..semantics.symbols import KnownSymbol
from ..syntax.declarations import (
    Assignment,
    Binding,
    Definition,
    FunctionDecl,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
)
from .configured import Configured

_WORDS = frozenset({"class", "def", "getattr", "global", "import", "staticmethod", "tool"})
_WITHOUT_NAMES = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.BinOp, ast.Compare)
"""What is no maker, whatever stands inside; to take it out again takes a call of what an expression gives."""
_MAKING = frozenset({KnownSymbol("lauren.tool"), KnownSymbol("functools.partial")})


def telling_names(module: ParsedModule, configured: Configured) -> frozenset[str] | None:
    """The names; None if any may be one, since a star import brings it."""
    if module.scope.stars:
        return None
    bound = module.scope.bindings.items()
    names = {name for name, bindings in bound if any(_may_lead(each, configured) for each in bindings)}
    return frozenset(names) | _WORDS | configured.words


def _may_lead(binding: Binding, configured: Configured) -> bool:
    """Whether what is bound may be a maker, or have one for an attribute."""
    if isinstance(binding, Definition):
        is_function = isinstance(binding.decl, FunctionDecl)
        return not is_function or id(binding.decl) in configured.by_identity
    if isinstance(binding, SymbolImport):
        canonical = known.known_name(binding.module, binding.symbol) if not binding.level else None
        symbol = KnownSymbol(canonical) if canonical is not None else None
        return symbol is None or symbol in _MAKING or symbol in configured.by_identity
    if isinstance(binding, Assignment):
        return binding.value is not None and not isinstance(binding.value.node, _WITHOUT_NAMES)
    return isinstance(binding, ModuleImport)


def is_inside_a_function(scope: Scope) -> bool:
    """Whether names of a function may be seen in a scope."""
    step: Scope | None = scope
    while step is not None:
        if step.kind == "function":
            return True
        step = step.parent
    return False
