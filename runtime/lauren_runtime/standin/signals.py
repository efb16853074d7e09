"""`SignalBus`: handlers by kind of signal, as a sink of a runner's."""

from __future__ import annotations

from collections.abc import Callable
from logging import getLogger
from typing import Any, TypeVar

from ..awaiting import settled

LOG = getLogger("lauren_runtime")
_Handler = TypeVar("_Handler", bound=Callable[..., Any])


class SignalBus:
    """Tells handlers of signals: those of the signal's own class first, then those of every class, in order.

    `AgentModule.for_root(signals=bus)` has it told of all that happens in runs. What a handler raises is logged.
    """

    def __init__(self) -> None:
        self._handlers: list[tuple[type | None, Callable[..., Any]]] = []

    def on(self, event_type: type) -> Callable[[_Handler], _Handler]:
        """Decorator: have a handler, plain or async, told of the signals of one class."""

        def register(handler: _Handler) -> _Handler:
            self._handlers.append((event_type, handler))
            return handler

        return register

    def on_any(self, handler: _Handler) -> _Handler:
        """Decorator: have a handler told of every signal."""
        self._handlers.append((None, handler))
        return handler

    def off(self, event_type: type, handler: Callable[..., Any]) -> None:
        """Tell a handler of that class no more; one that is not registered is no error."""
        if (event_type, handler) in self._handlers:
            self._handlers.remove((event_type, handler))

    def off_any(self, handler: Callable[..., Any]) -> None:
        """Take back `on_any`; one that is not registered is no error."""
        if (None, handler) in self._handlers:
            self._handlers.remove((None, handler))

    async def emit(self, event: Any) -> None:
        """Tell the handlers of a signal, one after the other."""
        own: type[Any] = type(event)  # pyright: ignore[reportUnknownVariableType]
        for wanted in (own, None):
            for kind, handler in list(self._handlers):
                if kind is wanted:
                    try:
                        await settled(handler(event))
                    except Exception:
                        LOG.exception("a handler of %s failed", type(event).__name__)

    async def __call__(self, signal: Any) -> None:
        """As a runner's sink."""
        await self.emit(signal)
