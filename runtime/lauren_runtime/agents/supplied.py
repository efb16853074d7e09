"""The objects of one AgentModule, as the executor of its runner asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..container.errors import LifecycleError, MissingProviderError
from ..container.resolving import Supplier
from ..container.tokens import named
from ..injection import Scope


class Supplied:
    """A container of the classes that a module has suppliers of, and of no others."""

    def __init__(self, module_name: str, suppliers: Mapping[type, Supplier]) -> None:
        self._module_name = module_name
        self._suppliers = suppliers

    def scope_of(self, cls: type) -> Scope | None:
        """How long the object of a class lives; None if the module has none."""
        found = self._suppliers.get(cls)
        return None if found is None else found.scope

    async def resolve(self, cls: type, *, request_cache: dict[Any, Any] | None = None) -> Any:
        """The object of a class. Raises MissingProviderError if the module has none, and as `DIContainer.resolve`."""
        if cls not in self._suppliers:
            raise MissingProviderError(
                f"no provider for {named(cls)} in {self._module_name}: it belongs to none of its agents",
                detail={"token": named(cls), "module": self._module_name},
            )
        return await self._suppliers[cls].get(request_cache)

    async def end_request(self, request_cache: dict[Any, Any]) -> list[LifecycleError]:
        """End the objects of a run; what went wrong is given back."""
        for supplier in self._suppliers.values():
            return await supplier.container.end_request(request_cache)
        request_cache.clear()
        return []
