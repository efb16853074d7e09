"""Objects of tool and hook classes: built by their executor, or taken from its container."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from logging import getLogger
from typing import Any, Literal, Protocol

from .awaiting import LoopLock, settled
from .errors import ToolSetupError
from .marks import INJECTABLE_META
from .run_state import RunState

LOG = getLogger("lauren_runtime")
ScopeName = Literal["SINGLETON", "REQUEST", "TRANSIENT"]


class Container(Protocol):
    """What makes objects whose constructors need something.

    `DIContainer` does. `resolve` may take `request_cache=`, a dict in which it then keeps the objects of a run.
    """

    def resolve(self, token: Any, /) -> Any | Awaitable[Any]:
        """The object for a class; may be async."""
        ...


class Instances:
    """The objects of one executor, by class."""

    def __init__(self, container: Container | None) -> None:
        self._container = container
        self._takes_cache = container is not None and _takes_cache(container)
        self._made: dict[type, Any] = {}
        self._lock = LoopLock()

    def scope(self, cls: type) -> ScopeName:
        """How long an object of a class lives: as the container has it, else as `@injectable` says."""
        known = self._known(cls)
        return scope_of(getattr(cls, INJECTABLE_META, None)) if known is None else known

    async def get(self, cls: type) -> Any:
        """The object of a class: one for all calls, but a new one each time where the scope is not SINGLETON.

        Raises ToolSetupError if the constructor needs what nobody supplies, and whatever constructor or container
        raise.
        """
        if self.scope(cls) != "SINGLETON":
            return await self._make(cls, {})
        if cls not in self._made:
            async with self._lock:
                if cls not in self._made:
                    self._made.setdefault(cls, await self._make(cls, {}))
        return self._made[cls]

    async def of_run(self, cls: type, run: RunState) -> Any:
        """The object of a class whose scope is not SINGLETON: one for the run where it is REQUEST, else a new one.

        Raises as `get` does.
        """
        if self.scope(cls) == "TRANSIENT":
            return await self._make(cls, run.objects)
        if cls not in run.objects:
            async with run.lock:
                if cls not in run.objects:
                    run.objects[cls] = await self._make(cls, run.objects)
        return run.objects[cls]

    async def end(self, run: RunState) -> None:
        """End what the container made for a run. Failures are logged: what the run did, it did."""
        end_request = getattr(self._container, "end_request", None)
        if end_request is None:
            run.objects.clear()
            return
        for failure in await end_request(run.objects):
            LOG.warning("at the end of a run: %s", failure, exc_info=failure)

    async def _make(self, cls: type, objects: dict[Any, Any]) -> Any:
        if self._known(cls) is None:
            needed = _needed(cls)
            if not needed:
                return cls()
            if self._container is None:
                raise ToolSetupError(
                    f"{cls.__qualname__} cannot be built: its constructor needs {', '.join(needed)}. "
                    f"Give the table an instance, TABLE.bind({cls.__qualname__}(...)), or the executor a container."
                )
        container: Any = self._container
        given = {"request_cache": objects} if self._takes_cache else {}
        return await settled(container.resolve(cls, **given))

    def _known(self, cls: type) -> ScopeName | None:
        """The scope that the container has a class in; None if it has none, or does not tell."""
        scope_of_token = getattr(self._container, "scope_of", None)
        scope = None if scope_of_token is None else scope_of_token(cls)
        return None if scope is None else scope.name


def scope_of(meta: Any) -> ScopeName:
    """The scope of an `@injectable` mark, the real lauren's too; without one it is SINGLETON."""
    name = getattr(getattr(meta, "scope", None), "name", None)
    return name if name in ("REQUEST", "TRANSIENT") else "SINGLETON"


def _takes_cache(container: Any) -> bool:
    try:
        return "request_cache" in inspect.signature(container.resolve).parameters
    except (TypeError, ValueError):  # a callable that does not tell is given the class alone
        return False


def _needed(cls: type) -> list[str]:
    """Constructor parameters that have to be given, as `` `name` ``."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except ValueError:  # a class written in C does not tell; calling it will
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [f"`{each.name}`" for each in parameters if each.default is each.empty and each.kind not in variadic]
