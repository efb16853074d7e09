"""What can't lead to a maker of tools, told by how it is bound: without following names, nor reading a library for it.

import json                        the standard library makes no tools
LIMITS = {"a": 1}                  what stands in it would have to be taken out by a call, or in brackets
logger = logging.getLogger()       what a function gives is no maker

A call in a function makes a tool if what it calls leads to `tool` or a configured decorator. It is then named there: as
an attribute, or by a name of the module that may lead to it, or by one of the function's own, which is set to one of
these or imported there. A function without any such name need not be looked into.
"""

from __future__ import annotations

from ..semantics import known
from ..semantics.modules import ModuleFinder
from ..semantics.symbols import KnownSymbol
from ..syntax.bodies import called, is_made_anew
from ..syntax.declarations import (
    Assignment,
    Binding,
    ClassDecl,
    Definition,
    FunctionDecl,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
)
from .configured import Configured

_WORDS = frozenset({"class", "def", "getattr", "global", "import", "partial", "staticmethod", "tool"})
_MAKING = frozenset({KnownSymbol("lauren.tool"), KnownSymbol("functools.partial")})
_GIVING = frozenset({"getattr", "staticmethod"})
"""The built-in functions that give what they are given, or an attribute of it."""


class Telling:
    """Answers for one program and its configured decorators."""

    def __init__(self, finder: ModuleFinder, configured: Configured) -> None:
        self._finder = finder
        self._configured = configured

    def names(self, module: ParsedModule) -> frozenset[str] | None:
        """The names of which one stands in every function that makes a tool; None if any may be one, since a star
        import brings it."""
        scope = module.scope
        if scope.stars:
            return None
        names = {name for name in scope.bindings if self.may_lead(name, scope)}
        return frozenset(names) | _WORDS | self._configured.words

    def may_lead(self, name: str, scope: Scope) -> bool:
        """Whether what a scope binds to a name may be a maker, or have one for an attribute."""
        return any(self._may_lead(binding, scope) for binding in scope.bindings[name])

    def _may_lead(self, binding: Binding, scope: Scope) -> bool:
        if isinstance(binding, Definition):
            return isinstance(binding.decl, ClassDecl) or self._makes(binding)
        if isinstance(binding, SymbolImport):
            return self._is_maker(binding) and not self._is_standard(binding)
        if isinstance(binding, ModuleImport):
            return not self._finder.is_standard(binding.target)
        if not isinstance(binding, Assignment) or binding.value is None:
            return False
        function = called(binding.value)
        if function is not None:
            return scope.kind != "module" or self._may_be_given(function, scope)
        return not is_made_anew(binding.value)

    def _makes(self, binding: Definition) -> bool:
        """Whether a definition is a configured decorator, or no function or class."""
        return (
            not isinstance(binding.decl, (FunctionDecl, ClassDecl)) or id(binding.decl) in self._configured.by_identity
        )

    def _is_maker(self, binding: SymbolImport) -> bool:
        """Whether what is imported may be a maker, for all that its name says."""
        canonical = known.known_name(binding.module, binding.symbol) if not binding.level else None
        symbol = KnownSymbol(canonical) if canonical is not None else None
        return symbol is None or symbol in _MAKING or symbol in self._configured.by_identity

    def _is_standard(self, binding: SymbolImport) -> bool:
        """Whether the standard library has what is imported, and it is not `partial`, which modules of it import."""
        if binding.level or binding.symbol == "partial" or binding.symbol in self._configured.words:
            return False
        return self._finder.is_standard(binding.module)

    def _may_be_given(self, function: tuple[str, ...], scope: Scope) -> bool:
        """Whether a call of a function of the module, by its dotted name, may give a maker."""
        name, *attributes = function
        if not name or scope.stars or "partial" in attributes:
            return True
        bindings = scope.bindings.get(name)
        if bindings is None:
            return name in _GIVING or name not in known.BUILTINS
        if not attributes and all(isinstance(each, Definition) and not self._makes(each) for each in bindings):
            return False
        of_words = self._configured.words.intersection(attributes)
        imported = (ModuleImport, SymbolImport)
        return bool(of_words) or any(not isinstance(each, imported) or self._may_lead(each, scope) for each in bindings)


def is_inside_a_function(scope: Scope) -> bool:
    """Whether names of a function may be seen in a scope."""
    step: Scope | None = scope
    while step is not None:
        if step.kind == "function":
            return True
        step = step.parent
    return False
