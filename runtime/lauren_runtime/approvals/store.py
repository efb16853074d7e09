"""Where approvals are kept: what a store must do, and how a record in one is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .records import Approval, Key


class ApprovalStore(Protocol):
    """Keeps records, and changes one only if it is still as it was read.

    All methods may be called from any thread. They may block; those of a `durable` store are then called in threads.
    What they raise is tried again, and in the end ApprovalStoreError.

    durable: whether records outlive the process. poll: the seconds after which a waiter looks again, as another process
    may have changed a record unnoticed; None if `watch` tells of every change.
    """

    durable: bool
    poll: float | None

    def now(self) -> float:
        """The time, in seconds, by one clock for all that share the store."""
        ...

    def get(self, key: Key) -> Approval | None:
        """The record of a call, or None."""
        ...

    def swap(self, key: Key, old: Approval | None, new: Approval | None) -> bool:
        """Put `new` where `old` is; None is nothing.

        Atomic: False, and no change, if what is there does not equal `old`. Equal records have equal `to_json()` texts.
        """
        ...

    def records(self, *, closed: bool = False, agent_run_id: str | None = None) -> list[Approval]:
        """Those that are open (or those that are closed), oldest question first; of one run, if one is given."""
        ...

    def purge(self, before: float) -> int:
        """Forget what was closed before that time, and early decisions and runs older than it.

        What is returned is how many records went.
        """
        ...

    def begin_run(self, agent_run_id: str) -> None:
        """Note that a run is there. Early decisions left by an ended run of that name go."""
        ...

    def end_run(self, agent_run_id: str) -> None:
        """Note that a run is over. Its early decisions go."""
        ...

    def knows_run(self, agent_run_id: str) -> bool:
        """Whether the run has begun and not ended, or has an open call (a decision that came early is none)."""
        ...

    def watch(self, key: Key, notify: Callable[[], None]) -> Callable[[], None]:
        """Have `notify` called, in any thread, when the record may have changed; what is returned ends that."""
        ...


_PARTS = ("durable", "poll", "now", "get", "swap", "records", "purge", "begin_run", "end_run", "knows_run", "watch")


def checked(store: ApprovalStore) -> ApprovalStore:
    """The store. Raises TypeError if it lacks a part."""
    for name in _PARTS:
        if not hasattr(store, name):
            raise TypeError(f"a store of approvals has `{name}`; this has not: {store!r}")
    return store


def change(store: ApprovalStore, key: Key, step: Callable[[Approval | None, float], Approval]) -> Approval:
    """Take one step of a record, whoever else changes it meanwhile; the record after it. Raises what `step` raises."""
    while True:
        old = store.get(key)
        new = step(old, store.now())
        if new is old or store.swap(key, old, new):
            return new
        if store.get(key) == new:  # it was done, the answer was lost, and the client of the store tried again
            return new
