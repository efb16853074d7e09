"""One SQLite file of ours, shared by threads, processes and forks."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock


class SQLiteFile:
    """The database at `path`, which is made, readable by its owner only, if it is not there.

    `version` is the file's `user_version`, which tells it from other people's databases; `schema` the statements that
    set it up, with IF NOT EXISTS; `patience` the seconds to wait for other processes.
    """

    def __init__(self, path: str | os.PathLike[str], version: int, schema: Sequence[str], patience: float) -> None:
        self._path = Path(path)
        self._version = version
        self._schema = tuple(schema)
        self._patience = patience
        self._lock = Lock()
        self._process = os.getpid()
        self._opened: sqlite3.Connection | None = None

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """The connection, which nobody else in this process uses meanwhile.

        Raises ValueError if the file is a database of something else, sqlite3.Error for what SQLite refuses.
        """
        with self._own_lock():
            yield self._connection()

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """As `reading`, in a transaction: all that is written stays when the block ends, or nothing if it raises."""
        with self.reading() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    def close(self) -> None:
        """Close the file. A later use opens it again."""
        with self._own_lock():
            if self._opened is not None:
                self._opened.close()
            self._opened = None

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
        connection = sqlite3.connect(self._path, timeout=self._patience, check_same_thread=False)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != self._version:
                self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        if connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone() is not None:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != self._version:  # another process may have set it up meanwhile
                raise ValueError(f"{self._path} is a database of something else")
        connection.execute("PRAGMA journal_mode = WAL")
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in self._schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {self._version}")
