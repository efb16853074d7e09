"""What `from module import *` brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..syntax.declarations import ParsedModule, Scope
from ..syntax.expressions import Attribute, Call, Chain, Constant, Expr, ListDisplay, Name, Starred, Tuple
from .symbols import KnownSymbol, ModuleSymbol, Symbol

_COPIES = frozenset(KnownSymbol(f"builtins.{name}") for name in ("list", "tuple", "set", "sorted"))


class Names(Protocol):
    """What is asked of name resolution."""

    def resolve(self, expr: Expr, scope: Scope) -> Symbol: ...


class Exports:
    """Reads `__all__`: lists, tuples, sums of them, and those of other modules. Answers are remembered."""

    def __init__(self, names: Names, module: Callable[[str], ParsedModule | None]) -> None:
        self._names = names
        self._module = module
        self._lists: dict[int, frozenset[str] | None] = {}
        self.listing = 0
        """How many lists are being read: until they are, answers that depend on them may be others."""

    def has(self, module: ParsedModule, name: str) -> bool:
        """Whether a star import of `module` brings `name`.

        An `__all__` that only running code would know counts as having it, since the name is then looked for in the
        module anyway.
        """
        if module.exports is None:
            return not name.startswith("_")
        listed = self._listed(module)
        return listed is None or name in listed

    def names(self, module: ParsedModule, name: str) -> bool:
        """Whether `__all__` surely names it: then a submodule of that name is imported."""
        return module.exports is not None and name in (self._listed(module) or ())

    def _listed(self, module: ParsedModule) -> frozenset[str] | None:
        """The names in `__all__`, None if they can't be known."""
        key = id(module)
        if key not in self._lists:
            self._lists[key] = None  # one that depends on itself is not known
            self.listing += 1
            found: set[str] | None = None if module.undecidable_exports else set()
            for part, added in module.exports or ():
                items = self._items(part.expr, module)
                if items is None or found is None:
                    found = None
                else:
                    found = found | items if added else found - items
            self._lists[key] = None if found is None else frozenset(found)
            self.listing -= 1
        return self._lists[key]

    def _items(self, expr: Expr, module: ParsedModule) -> frozenset[str] | None:
        if isinstance(expr, (ListDisplay, Tuple)):
            return self._union([self._item(item, module) for item in expr.items])
        if isinstance(expr, Chain) and expr.op == "+":
            return self._union([self._items(item, module) for item in expr.items])
        if isinstance(expr, Call) and len(expr.args) == 1 and not expr.keywords:
            copied = self._names.resolve(expr.func, module.scope) in _COPIES
            return self._items(expr.args[0], module) if copied else None
        if isinstance(expr, Attribute) and expr.attr == "__all__":
            owner = self._names.resolve(expr.value, module.scope)
            other = self._module(owner.name) if isinstance(owner, ModuleSymbol) else None
            return self._listed(other) if other is not None and other.exports is not None else None
        return self._other(expr, module) if isinstance(expr, Name) else None

    def _other(self, expr: Name, module: ParsedModule) -> frozenset[str] | None:
        """`from other import __all__ as names`, or a variable with a list."""
        if expr.id == "__all__":
            return frozenset()  # what the parts before this one have
        symbol = self._names.resolve(expr, module.scope)
        name, value, scope = (getattr(symbol, part, None) for part in ("name", "expr", "scope"))
        if not isinstance(scope, Scope) or not isinstance(value, Expr) or isinstance(value, Name):
            return None
        home = scope.module
        return self._listed(home) if name == "__all__" and home is not module else self._items(value, home)

    def _item(self, item: Expr, module: ParsedModule) -> frozenset[str] | None:
        if isinstance(item, Starred):
            return self._items(item.value, module)
        return frozenset((item.value,)) if isinstance(item, Constant) and isinstance(item.value, str) else None

    @staticmethod
    def _union(parts: list[frozenset[str] | None]) -> frozenset[str] | None:
        known = [part for part in parts if part is not None]
        return frozenset[str]().union(*known) if len(known) == len(parts) else None
