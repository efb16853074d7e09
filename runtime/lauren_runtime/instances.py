"""Objects of tool and hook classes: built once per executor, or taken from its container."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from typing import Any, Protocol

from .awaiting import LoopLock, settled
from .errors import ToolSetupError
from .marks import INJECTABLE_META


class Container(Protocol):
    """What makes objects whose constructors need something."""

    def resolve(self, token: Any, /) -> Any | Awaitable[Any]:
        """The object for a class; may be async."""
        ...


class Instances:
    """The objects of one executor, by class."""

    def __init__(self, container: Container | None) -> None:
        self._container = container
        self._made: dict[type, Any] = {}
        self._lock = LoopLock()

    async def get(self, cls: type) -> Any:
        """The object of a class: one for all calls, but a new one each time where the scope is not SINGLETON.

        Raises ToolSetupError if the constructor needs what nobody supplies, and whatever constructor or container
        raise.
        """
        if not is_singleton(cls):
            return await self._make(cls)
        if cls not in self._made:
            async with self._lock:
                if cls not in self._made:
                    self._made.setdefault(cls, await self._make(cls))
        return self._made[cls]

    async def _make(self, cls: type) -> Any:
        needed = _needed(cls)
        if not needed:
            return cls()
        if self._container is None:
            raise ToolSetupError(
                f"{cls.__qualname__} cannot be built: its constructor needs {', '.join(needed)}. "
                f"Give the table an instance, TABLE.bind({cls.__qualname__}(...)), or the executor a container."
            )
        return await settled(self._container.resolve(cls))


def is_singleton(cls: type) -> bool:
    """Whether one object of a class serves all calls: so it is unless `@injectable` gives another scope."""
    scope = getattr(getattr(cls, INJECTABLE_META, None), "scope", None)
    return scope is None or getattr(scope, "name", "") == "SINGLETON"


def _needed(cls: type) -> list[str]:
    """Constructor parameters that have to be given, as `` `name` ``."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except ValueError:  # a class written in C does not tell; calling it will
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [f"`{each.name}`" for each in parameters if each.default is each.empty and each.kind not in variadic]
