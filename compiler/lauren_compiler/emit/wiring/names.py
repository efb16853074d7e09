"""What each provider and module is called in the generated file."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.graph import Alias, Entry, Module, Provider, Token
from ..names import Namespace, snake

_TAKEN = (
    "Any",
    "AliasDefinition",
    "AtStart",
    "DIGEST",
    "Definition",
    "ModuleDefinition",
    "ROOTS",
    "Scope",
    "TYPE_CHECKING",
)


class Names:
    """Hands out names; the same modules in the same order get the same."""

    def __init__(self, modules: Iterable[Module]) -> None:
        taken = Namespace(_TAKEN)
        self._modules: dict[str, str] = {}
        self._entries: dict[Entry, str] = {}
        self._factories: dict[Provider, str] = {}
        for module in modules:
            self._modules[module.name] = taken.fresh(
                snake(module.shown or _last(module.name)).upper(), fallback="MODULE"
            )
            for entry in module.declares:
                is_runner = isinstance(entry, Provider) and entry.at_start
                name = snake(entry.key.shown) if is_runner else _spelled(entry.key)
                self._entries[entry] = taken.fresh(name.upper(), fallback="PROVIDER")
                if isinstance(entry, Provider) and entry.construction is not None:
                    self._factories[entry] = taken.fresh(f"make_{name}", fallback="make")

    def module(self, name: str) -> str:
        """The constant of a module."""
        return self._modules[name]

    def entry(self, entry: Provider | Alias) -> str:
        """The constant of what a module declares."""
        return self._entries[entry]

    def factory(self, provider: Provider) -> str:
        """The function that makes a provider's object."""
        return self._factories[provider]


def _spelled(token: Token) -> str:
    if token.element is not None:
        return f"{_spelled(token.element)}_list"
    text = token.name if token.kind == "text" else _last(token.name)
    return snake(text) or "provider"


def _last(name: str) -> str:
    """The last part of `module:qualname`."""
    return name.rpartition(":")[2].rpartition(".")[2]
