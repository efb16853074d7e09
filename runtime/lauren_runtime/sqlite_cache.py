"""Results kept in an SQLite file: they outlive the process, and several processes share them."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from types import TracebackType

from .blocking import Workers
from .sqlite_file import SQLiteFile

_VERSION = 0x6C61_7572
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS by_time ON results (until)",
)
_PATIENCE = 2.0
_SWEEP_EVERY = 256


class SQLiteCacheBackend:
    """Keeps results in the file `path`, which is made, readable by its owner only, if it is not there.

    At most about `max_entries` are kept: now and then those whose time is over go, then those whose time is over next.
    Time is `clock`, in seconds, which all processes that share the file must agree on (default: the time of day).
    Safe with threads, event loops, processes and forks. Raises ValueError if `max_entries` is below 1, or, at the first
    use, if the file is a database of something else; otherwise sqlite3.Error for what SQLite refuses.
    """

    def __init__(
        self, path: str | os.PathLike[str], max_entries: int = 100_000, clock: Callable[[], float] = time.time
    ) -> None:
        if max_entries < 1:
            raise ValueError(f"max_entries must be at least 1, not {max_entries}")
        self._file = SQLiteFile(path, _VERSION, _SCHEMA, _PATIENCE)
        self._max_entries = max_entries
        self._clock = clock
        self._until_sweep = 0
        self._workers = Workers("lauren-sqlite-cache", 1)

    async def get(self, key: str) -> str | None:
        """The text under `key`, or None if there is none or its time is over."""
        return await self._workers.run(lambda: self._get(key))

    async def set(self, key: str, value: str, *, ttl: float) -> None:
        """Keep `value` for `ttl` seconds; nothing is kept for 0 or less."""
        await self._workers.run(lambda: self._set(key, value, ttl))

    async def delete(self, key: str) -> None:
        """Forget `key`, if it is there."""
        await self._workers.run(lambda: self._delete(key))

    def close(self) -> None:
        """Wait for what is being stored, and close the file. A later use opens it again."""
        self._workers.close()
        self._file.close()

    def __enter__(self) -> SQLiteCacheBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _get(self, key: str) -> str | None:
        with self._file.reading() as connection:
            row = connection.execute("SELECT value, until FROM results WHERE key = ?", (key,)).fetchone()
        return None if row is None or row[1] <= self._clock() else str(row[0])

    def _set(self, key: str, value: str, ttl: float) -> None:
        if ttl <= 0:
            return self._delete(key)
        now = self._clock()
        with self._file.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, value, now + ttl))
            self._until_sweep -= 1
            if self._until_sweep <= 0:
                self._sweep(connection, now)
        return None

    def _delete(self, key: str) -> None:
        with self._file.writing() as connection:
            connection.execute("DELETE FROM results WHERE key = ?", (key,))

    def _sweep(self, connection: sqlite3.Connection, now: float) -> None:
        self._until_sweep = min(_SWEEP_EVERY, max(1, self._max_entries // 8))
        connection.execute("DELETE FROM results WHERE until <= ?", (now,))
        (count,) = connection.execute("SELECT count(*) FROM results").fetchone()
        connection.execute(
            "DELETE FROM results WHERE key IN (SELECT key FROM results ORDER BY until LIMIT ?)",
            (max(0, count - self._max_entries),),
        )
