"""Results kept in an SQLite file: they outlive the process, and several processes share them."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import TracebackType

from .blocking import Workers

_VERSION = 0x6C61_7572  # the file's `user_version`, which tells it from other people's databases
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
        self._path = Path(path)
        self._max_entries = max_entries
        self._clock = clock
        self._lock = Lock()
        self._process = os.getpid()
        self._opened: sqlite3.Connection | None = None
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
        with self._own_lock():
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    def __enter__(self) -> SQLiteCacheBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _get(self, key: str) -> str | None:
        with self._own_lock():
            row = self._connection().execute("SELECT value, until FROM results WHERE key = ?", (key,)).fetchone()
        return None if row is None or row[1] <= self._clock() else str(row[0])

    def _set(self, key: str, value: str, ttl: float) -> None:
        if ttl <= 0:
            return self._delete(key)
        now = self._clock()
        with self._own_lock(), self._connection() as connection:
            connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, value, now + ttl))
            self._until_sweep -= 1
            if self._until_sweep <= 0:
                self._sweep(connection, now)
        return None

    def _delete(self, key: str) -> None:
        with self._own_lock(), self._connection() as connection:
            connection.execute("DELETE FROM results WHERE key = ?", (key,))

    def _sweep(self, connection: sqlite3.Connection, now: float) -> None:
        self._until_sweep = min(_SWEEP_EVERY, max(1, self._max_entries // 8))
        connection.execute("DELETE FROM results WHERE until <= ?", (now,))
        (count,) = connection.execute("SELECT count(*) FROM results").fetchone()
        connection.execute(
            "DELETE FROM results WHERE key IN (SELECT key FROM results ORDER BY until LIMIT ?)",
            (max(0, count - self._max_entries),),
        )

    def _own_lock(self) -> Lock:
        """The lock of this process. On the other side of a fork a thread that is not there may hold it, and the
        connection must not be used."""
        if self._process != os.getpid():
            self._process, self._lock, self._opened = os.getpid(), Lock(), None
        return self._lock

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def _open(self) -> sqlite3.Connection:
        os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self._path, timeout=2.0, check_same_thread=False)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != _VERSION:
                self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        if connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone() is not None:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != _VERSION:  # another process may have set it up meanwhile
                raise ValueError(f"{self._path} is a database of something else")
        connection.execute("PRAGMA journal_mode = WAL")
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL, until REAL NOT NULL)"
                " WITHOUT ROWID"
            )
            connection.execute("CREATE INDEX IF NOT EXISTS by_time ON results (until)")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
