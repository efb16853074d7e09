"""Who waits for a change of a record, in this process."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from .records import Key


class Watchers:
    """Callbacks by record. Safe with threads."""

    def __init__(self) -> None:
        self._waiting: dict[Key, list[Callable[[], None]]] = {}
        self._lock = Lock()

    def watch(self, key: Key, notify: Callable[[], None]) -> Callable[[], None]:
        """Call `notify` at each change of the record, until what is returned is called."""
        with self._lock:
            self._waiting.setdefault(key, []).append(notify)

        def end() -> None:
            with self._lock:
                callbacks = self._waiting[key]
                callbacks.remove(notify)
                if not callbacks:
                    del self._waiting[key]

        return end

    def has(self, key: Key) -> bool:
        """Whether somebody watches the record."""
        with self._lock:
            return key in self._waiting

    def changed(self, key: Key) -> None:
        """Tell those who watch the record."""
        with self._lock:
            callbacks = list(self._waiting.get(key, ()))
        for each in callbacks:
            each()
