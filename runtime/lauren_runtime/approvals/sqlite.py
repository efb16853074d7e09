"""Approvals kept in an SQLite file: they outlive the process, and several processes of one machine share them."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from types import TracebackType

from ..sqlite_file import SQLiteFile
from .reading import Damaged, Reader, read, record_of, text_of
from .records import Approval, Key
from .watching import Watchers

_VERSION = 0x6C61_7561
_PATIENCE = 10.0
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS approvals (agent_run_id TEXT NOT NULL, tool_use_id TEXT NOT NULL,"
    " state TEXT NOT NULL, is_closed INTEGER NOT NULL, asked_at REAL NOT NULL,"
    " changed_at REAL NOT NULL, record TEXT NOT NULL, PRIMARY KEY (agent_run_id, tool_use_id)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS by_age ON approvals (is_closed, asked_at)",
    "CREATE TABLE IF NOT EXISTS runs (agent_run_id TEXT PRIMARY KEY, begun_at REAL NOT NULL) WITHOUT ROWID",
)
_THIS = "agent_run_id = ? AND tool_use_id = ?"
_RECORD = "CAST(record AS BLOB)"
_COLUMNS = f"CAST(agent_run_id AS BLOB), CAST(tool_use_id AS BLOB), {_RECORD}"
"""As bytes: SQLite gives up a whole query for a text that is no UTF-8."""


class SQLiteApprovalStore:
    """Keeps approvals in the file `path`, which is made, readable by its owner only, if it is not there.

    What another process decides is noticed within `poll` seconds. Time is `clock`, in seconds, which all processes that
    share the file must agree on (default: the time of day). Safe with threads, processes and forks. Closed approvals
    stay until `purge`. Raises, at its uses, ValueError if the file is a database of something else, and sqlite3.Error
    for what SQLite refuses.
    """

    durable = True

    def __init__(
        self, path: str | os.PathLike[str], *, poll: float = 1.0, clock: Callable[[], float] = time.time
    ) -> None:
        self.poll: float | None = poll
        self._clock = clock
        self._file = SQLiteFile(path, _VERSION, _SCHEMA, _PATIENCE)
        self._watchers = Watchers()
        self._reader = Reader()

    def now(self) -> float:
        """The time of `clock`."""
        return self._clock()

    def get(self, key: Key) -> Approval | None:
        """The record of a call, or None."""
        with self._file.reading() as connection:
            row = connection.execute(f"SELECT {_RECORD} FROM approvals WHERE {_THIS}", key).fetchone()
        return None if row is None else record_of(key, row[0])

    def swap(self, key: Key, old: Approval | None, new: Approval | None) -> bool:
        """Put `new` where `old` is; False if that is not there."""
        with self._file.writing() as connection:
            done = _swap(connection, key, old, new) == 1
        if done:
            self._watchers.changed(key)
        return done

    def records(self, *, closed: bool = False, agent_run_id: str | None = None) -> list[Approval]:
        """Those that are open, or closed, oldest question first. Damaged ones are left out."""
        run, order = "AND agent_run_id = ?" if agent_run_id is not None else "", "asked_at, agent_run_id, tool_use_id"
        values = (closed,) if agent_run_id is None else (closed, agent_run_id)
        with self._file.reading() as connection:
            query = f"SELECT {_COLUMNS} FROM approvals WHERE is_closed = ? {run} ORDER BY {order}"
            rows = connection.execute(query, values).fetchall()
        return self._reader.records(map(_row, rows))

    def damaged(self) -> list[Damaged]:
        """The calls whose records can't be read, open and closed ones."""
        with self._file.reading() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM approvals ORDER BY asked_at").fetchall()
        return read(map(_row, rows))[1]

    def purge(self, before: float) -> int:
        """Forget what was closed before that time, and early decisions and runs older than it."""
        with self._file.writing() as connection:
            connection.execute("DELETE FROM runs WHERE begun_at < ?", (before,))
            old = "changed_at < ? AND (is_closed OR state = 'early')"
            return connection.execute(f"DELETE FROM approvals WHERE {old}", (before,)).rowcount

    def begin_run(self, agent_run_id: str) -> None:
        """Note that a run is there."""
        with self._file.writing() as connection:
            values = (agent_run_id, self._clock())
            if connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?)", values).rowcount:
                _forget_early(connection, agent_run_id)

    def end_run(self, agent_run_id: str) -> None:
        """Note that a run is over."""
        with self._file.writing() as connection:
            connection.execute("DELETE FROM runs WHERE agent_run_id = ?", (agent_run_id,))
            _forget_early(connection, agent_run_id)

    def knows_run(self, agent_run_id: str) -> bool:
        """Whether the run is there, or has an open call."""
        query = (
            "SELECT 1 FROM runs WHERE agent_run_id = ?"
            " UNION ALL SELECT 1 FROM approvals WHERE agent_run_id = ? AND NOT is_closed AND state != 'early' LIMIT 1"
        )
        with self._file.reading() as connection:
            return connection.execute(query, (agent_run_id, agent_run_id)).fetchone() is not None

    def watch(self, key: Key, notify: Callable[[], None]) -> Callable[[], None]:
        """Call `notify` at each change that this process makes, until what is returned is called."""
        return self._watchers.watch(key, notify)

    def close(self) -> None:
        """Close the file. A later use opens it again."""
        self._file.close()

    def __enter__(self) -> SQLiteApprovalStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _row(columns: tuple[bytes, bytes, bytes | None]) -> tuple[Key, bytes | None]:
    run, call, record = columns
    return (text_of(run), text_of(call)), record


def _swap(connection: sqlite3.Connection, key: Key, old: Approval | None, new: Approval | None) -> int:
    """How many rows it changed: one, or none."""
    before = "" if old is None else old.to_json()
    if new is None:
        return connection.execute(f"DELETE FROM approvals WHERE {_THIS} AND record = ?", (*key, before)).rowcount
    fields = (new.state, new.is_closed, new.asked_at, new.changed_at, new.to_json())
    if old is None:
        query = "INSERT OR IGNORE INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?)"
        return connection.execute(query, (*key, *fields)).rowcount
    changes = "state = ?, is_closed = ?, asked_at = ?, changed_at = ?, record = ?"
    query = f"UPDATE approvals SET {changes} WHERE {_THIS} AND record = ?"
    return connection.execute(query, (*fields, *key, before)).rowcount


def _forget_early(connection: sqlite3.Connection, agent_run_id: str) -> None:
    connection.execute("DELETE FROM approvals WHERE agent_run_id = ? AND state = 'early'", (agent_run_id,))
