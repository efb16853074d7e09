"""Approvals kept in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import RLock

from .records import Approval, Key
from .watching import Watchers


class InMemoryApprovalStore:
    """Keeps approvals in this process, for all its threads and event loops; of the closed ones the last `max_closed`.

    Time is `clock`, in seconds. Raises ValueError if `max_closed` is below 0.
    """

    durable = False
    poll: float | None = None

    def __init__(self, max_closed: int = 1000, clock: Callable[[], float] = time.time) -> None:
        if max_closed < 0:
            raise ValueError(f"max_closed must be at least 0, not {max_closed}")
        self._max_closed = max_closed
        self._clock = clock
        self._open: dict[Key, Approval] = {}
        self._closed: dict[Key, Approval] = {}
        self._runs: dict[str, float] = {}
        self._lock = RLock()
        self._watchers = Watchers()

    def now(self) -> float:
        """The time of `clock`."""
        return self._clock()

    def get(self, key: Key) -> Approval | None:
        """The record of a call, or None."""
        with self._lock:
            return self._open.get(key) or self._closed.get(key)

    def swap(self, key: Key, old: Approval | None, new: Approval | None) -> bool:
        """Put `new` where `old` is; False if that is not there."""
        with self._lock:
            found = self.get(key)
            if (None if found is None else found.version) != (None if old is None else old.version):
                return False
            self._open.pop(key, None)
            self._closed.pop(key, None)
            if new is not None:
                (self._closed if new.is_closed else self._open)[key] = new
            self._forget_oldest()
        self._watchers.changed(key)
        return True

    def records(self, *, closed: bool = False, agent_run_id: str | None = None) -> list[Approval]:
        """Those that are open, or closed, oldest question first."""
        with self._lock:
            found = list((self._closed if closed else self._open).values())
        wanted = [each for each in found if agent_run_id is None or each.agent_run_id == agent_run_id]
        return sorted(wanted, key=lambda each: (each.asked_at, each.key))

    def purge(self, before: float) -> int:
        """Forget what was closed before that time, and early decisions and runs older than it."""
        with self._lock:
            closed = [key for key, each in self._closed.items() if each.changed_at < before]
            early = [key for key, each in self._open.items() if each.state == "early" and each.changed_at < before]
            for key in closed:
                del self._closed[key]
            for key in early:
                del self._open[key]
            self._runs = {run: at for run, at in self._runs.items() if at >= before}
        return len(closed) + len(early)

    def begin_run(self, agent_run_id: str) -> None:
        """Note that a run is there."""
        with self._lock:
            if agent_run_id not in self._runs:
                self._forget_early(agent_run_id)
            self._runs.setdefault(agent_run_id, self._clock())

    def end_run(self, agent_run_id: str) -> None:
        """Note that a run is over."""
        with self._lock:
            self._runs.pop(agent_run_id, None)
            self._forget_early(agent_run_id)

    def knows_run(self, agent_run_id: str) -> bool:
        """Whether the run is there, or has an open record."""
        with self._lock:
            return agent_run_id in self._runs or any(run == agent_run_id for run, _ in self._open)

    def watch(self, key: Key, notify: Callable[[], None]) -> Callable[[], None]:
        """Call `notify` at each change of the record, until what is returned is called."""
        return self._watchers.watch(key, notify)

    def _forget_oldest(self) -> None:
        """Keep to `max_closed`; what somebody watches, who has yet to see how it ended, stays."""
        surplus = len(self._closed) - self._max_closed
        if surplus <= 0:
            return
        for key in [key for key in self._closed if not self._watchers.has(key)][:surplus]:
            del self._closed[key]

    def _forget_early(self, agent_run_id: str) -> None:
        early = [key for key, each in self._open.items() if key[0] == agent_run_id and each.state == "early"]
        for key in early:
            del self._open[key]
