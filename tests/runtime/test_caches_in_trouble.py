"""Stores that are slow, locked, corrupt, killed or on the other side of a fork: calls go on, and soon."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from harness.hand_build import Build, run
from lauren_runtime import RedisCacheBackend, SQLiteCacheBackend, ToolCall, ToolExecutor, ToolResult, caching

SOURCE = """
RUNS = []

@tool(cache_ttl=60)
async def rate(n):
    RUNS.append(n)
    await asyncio.sleep(0.02)
    return n
"""
TOOLS: dict[str, dict[str, Any]] = {"rate": {"is_async": True, "cache_ttl": 60, "arguments": {"n": "any"}}}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


class Unwell(BaseException):
    """What no `except Exception` sees."""


class Store:
    """A store that does as it is told: waits, or raises."""

    def __init__(self, seconds: float = 0, error: BaseException | None = None) -> None:
        self.seconds = seconds
        self.error = error
        self.asked = 0
        self.kept: dict[str, str] = {}

    async def _answer(self) -> None:
        self.asked += 1
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error

    async def get(self, key: str) -> str | None:
        await self._answer()
        return self.kept.get(key)

    async def set(self, key: str, value: str, *, ttl: float) -> None:
        await self._answer()
        self.kept[key] = value

    async def delete(self, key: str) -> None:
        await self._answer()


def several(executor: ToolExecutor, count: int) -> list[ToolResult]:
    """So many equal calls at once."""

    async def go() -> list[ToolResult]:
        return await asyncio.gather(*[executor.execute(ToolCall(str(i), "rate", {"n": 1})) for i in range(count)])

    return asyncio.run(go())


def test_a_slow_store_is_left_alone_for_a_while(build: Build) -> None:
    store = Store(seconds=60)
    executor = build.executor(cache_backend=store, cache_patience=0.1)
    start = time.monotonic()
    for n in range(20):
        assert run(executor, "rate", {"n": n}).content == str(n)
    assert store.asked < 5
    assert time.monotonic() - start < 3
    store.seconds = 0
    time.sleep(0.1 * caching.REST)
    run(executor, "rate", {"n": "again"})
    assert run(executor, "rate", {"n": "again"}).cached


@pytest.mark.parametrize("error", [ConnectionError("down"), Unwell()])
def test_a_store_that_is_down_keeps_nobody_from_waiting_for_one_computation(build: Build, error: BaseException) -> None:
    results = several(build.executor(cache_backend=Store(error=error)), 50)
    assert {(result.content, result.is_error) for result in results} == {("1", False)}
    assert sum(result.cached for result in results) == 49
    assert len(build.tools.RUNS) == 1


def test_a_file_that_another_process_keeps_locked(build: Build, tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    with SQLiteCacheBackend(path) as backend:
        executor = build.executor(cache_backend=backend, cache_patience=0.3)
        run(executor, "rate", {"n": 0})
        script = (
            f"import sqlite3, time; c = sqlite3.connect({str(path)!r}, isolation_level=None); "
            "c.execute('BEGIN EXCLUSIVE'); "
            "c.execute('DELETE FROM results WHERE 0'); print('locked', flush=True); time.sleep(600)"
        )
        holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "locked\n"
            start = time.monotonic()
            assert [run(executor, "rate", {"n": n}).content for n in range(10, 20)] == [str(n) for n in range(10, 20)]
            assert time.monotonic() - start < 5
        finally:
            holder.kill()
            holder.communicate()
        until = time.monotonic() + 20
        while not run(executor, "rate", {"n": 1}).cached:
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.mark.parametrize("spoil", ["garbage", "truncated", "folder"])
def test_a_file_that_is_spoilt(build: Build, tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "cache.db"
    if spoil == "truncated":
        with SQLiteCacheBackend(path) as backend:
            asyncio.run(backend.set("k", "v" * 100_000, ttl=60))
        path.write_bytes(path.read_bytes()[:5000])
    elif spoil == "garbage":
        path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    else:
        path.mkdir()
    with SQLiteCacheBackend(path) as backend:
        executor = build.executor(cache_backend=backend)
        assert [run(executor, "rate", {"n": n}).content for n in (1, 1, 2)] == ["1", "1", "2"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_while_the_store_is_in_use(build: Build, tmp_path: Path) -> None:
    with SQLiteCacheBackend(tmp_path / "cache.db") as backend:
        executor = build.executor(cache_backend=backend)
        run(executor, "rate", {"n": 1})
        backend._file._own_lock().acquire()  # pyright: ignore[reportPrivateUsage] as a thread would that the child has not
        child = os.fork()
        if child == 0:
            start = time.monotonic()
            result = run(executor, "rate", {"n": 1})
            os._exit(0 if result.cached and time.monotonic() - start < 1 else 1)
        backend._file._own_lock().release()  # pyright: ignore[reportPrivateUsage]
        assert os.waitpid(child, 0)[1] == 0
        assert run(executor, "rate", {"n": 1}).cached


class Server:
    """A Redis server of its own, which listens on no port; `url` is where."""

    def __init__(self, program: str, folder: Path) -> None:
        self._socket = folder / "s"
        self.url = f"unix://{self._socket}"
        self._command = [program, "--port", "0", "--unixsocket", str(self._socket), "--save", "", "--dir", str(folder)]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._socket.unlink(missing_ok=True)
        self.process = subprocess.Popen([*self._command, "--appendonly", "no"], stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while not self._socket.exists() and time.monotonic() < until:
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill it where it stands."""
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    program = shutil.which("redis-server")
    if program is None:
        requires.missing("`redis-server` is not installed (Debian's package of that name)")
    requires.package("redis", "lauren-compile[redis]")
    made = Server(program, tmp_path_factory.mktemp("r"))
    yield made
    made.kill()


def test_a_server_killed_and_started_again(build: Build, server: Server) -> None:
    backend = RedisCacheBackend.from_url(server.url)
    executor = build.executor(cache_backend=backend)
    assert [run(executor, "rate", {"n": 1}).cached for _ in range(2)] == [False, True]
    server.kill()
    start = time.monotonic()
    assert [run(executor, "rate", {"n": n}).content for n in range(10)] == [str(n) for n in range(10)]
    assert time.monotonic() - start < 5
    server.start()
    assert [run(executor, "rate", {"n": 1}).cached for _ in range(2)] == [False, True]
    backend.close()


def test_a_server_that_hangs(build: Build, server: Server) -> None:
    backend = RedisCacheBackend.from_url(server.url)
    executor = build.executor(cache_backend=backend, cache_patience=0.2)
    run(executor, "rate", {"n": 1})
    server.process.send_signal(signal.SIGSTOP)
    start = time.monotonic()
    assert [run(executor, "rate", {"n": n}).content for n in range(10)] == [str(n) for n in range(10)]
    assert time.monotonic() - start < 3
    server.process.send_signal(signal.SIGCONT)
    until = time.monotonic() + 20
    while not run(executor, "rate", {"n": 1}).cached:
        assert time.monotonic() < until
        time.sleep(0.1)
    backend.close()


def test_a_database_of_something_else_is_not_touched(build: Build, tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE results (mine TEXT)")
    connection.close()
    before = path.read_bytes()
    with SQLiteCacheBackend(path) as backend:
        assert run(build.executor(cache_backend=backend), "rate", {"n": 1}).content == "1"
    assert path.read_bytes() == before
