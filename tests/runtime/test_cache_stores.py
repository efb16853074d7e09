"""Caches that outlive the process: an SQLite file, and a real Redis server."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from harness import requires
from harness.hand_build import Build, run
from lauren_runtime import CacheBackend, RedisCacheBackend, SQLiteCacheBackend

SOURCE = """
RUNS = []

@tool(cache_ttl=60)
async def rate(base):
    RUNS.append(base)
    return {"base": base, "none": None}
"""
TOOLS: dict[str, dict[str, Any]] = {"rate": {"is_async": True, "cache_ttl": 60, "arguments": {"base": "str"}}}
Backend: TypeAlias = SQLiteCacheBackend | RedisCacheBackend
Opener: TypeAlias = Callable[[], Backend]


@pytest.fixture(params=["sqlite", "redis"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Makes a backend on the same, at first empty, store each time."""
    made: list[Backend] = []
    url = request.getfixturevalue("redis_socket") if request.param == "redis" else ""
    prefix = f"{tmp_path}:"

    def open_one() -> Backend:
        backend = RedisCacheBackend.from_url(url, prefix) if url else SQLiteCacheBackend(tmp_path / "cache.db")
        made.append(backend)
        return backend

    yield open_one
    for backend in made:
        backend.close()


def test_texts_are_kept_and_forgotten(opener: Opener) -> None:
    backend: CacheBackend = opener()

    async def story() -> list[Any]:
        await settled(backend.set("a", "Ünï \x00 \ud7ff", ttl=60))
        await settled(backend.set("b", "", ttl=60))
        await settled(backend.set("b", "second", ttl=60))
        found = [await settled(backend.get(key)) for key in ("a", "b", "c")]
        await settled(backend.delete("a"))
        await settled(backend.delete("c"))
        await settled(backend.set("b", "third", ttl=0))
        return [*found, await settled(backend.get("a")), await settled(backend.get("b"))]

    assert asyncio.run(story()) == ["Ünï \x00 \ud7ff", "second", None, None, None]


def made(folder: Path) -> Build:
    folder.mkdir()
    return Build(folder, SOURCE, TOOLS)


async def settled(given: Any) -> Any:
    return await given


def test_another_process_finds_what_one_kept(opener: Opener) -> None:
    first, second = opener(), opener()
    asyncio.run(first.set("k", "v", ttl=60))
    assert asyncio.run(second.get("k")) == "v"
    asyncio.run(second.delete("k"))
    assert asyncio.run(first.get("k")) is None


def test_entries_expire(opener: Opener) -> None:
    backend = opener()
    asyncio.run(backend.set("k", "v", ttl=0.05))
    time.sleep(0.1)
    assert asyncio.run(backend.get("k")) is None


def test_many_loops_and_threads_at_once(opener: Opener) -> None:
    backend = opener()

    async def several(number: int) -> list[str | None]:
        await asyncio.gather(*(backend.set(f"{number}:{index}", f"{number * index}", ttl=60) for index in range(20)))
        return list(await asyncio.gather(*(backend.get(f"{number}:{index}") for index in range(20))))

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda number: asyncio.run(several(number)), range(6)))
    assert found == [[str(number * index) for index in range(20)] for number in range(6)]


def test_a_closed_backend_opens_again(opener: Opener) -> None:
    backend = opener()
    asyncio.run(backend.set("k", "v", ttl=60))
    backend.close()
    assert asyncio.run(backend.get("k")) == "v"


def test_an_executor_in_another_process_has_hits(opener: Opener, tmp_path: Path) -> None:
    for number in range(2):
        build = made(tmp_path / f"{number}")
        executor = build.executor(cache_backend=opener())
        results = [run(executor, "rate", {"base": "EUR"}) for _ in range(2)]
        assert [result.content for result in results] == ['{"base": "EUR", "none": null}'] * 2
        assert [result.cached for result in results] == [number == 1, True]
        assert ([] if number else ["EUR"]) == build.tools.RUNS


# --- SQLite ---


def test_the_file_is_its_owners_only(tmp_path: Path) -> None:
    with SQLiteCacheBackend(tmp_path / "cache.db") as backend:
        asyncio.run(backend.set("k", "v", ttl=60))
    assert stat.S_IMODE((tmp_path / "cache.db").stat().st_mode) == 0o600


def test_the_number_of_entries_is_bounded(tmp_path: Path) -> None:
    now = [1000.0]
    backend = SQLiteCacheBackend(tmp_path / "cache.db", max_entries=16, clock=lambda: now[0])

    async def fill(first: int, count: int, ttl: float) -> None:
        for index in range(first, first + count):
            await backend.set(f"{index}", "v", ttl=ttl + index)

    asyncio.run(fill(0, 100, 60))
    assert 16 <= entries(tmp_path / "cache.db") <= 18
    assert asyncio.run(backend.get("99")) == "v", "those whose time is over next go first"
    now[0] += 1000
    asyncio.run(fill(100, 3, 60))
    assert entries(tmp_path / "cache.db") <= 3
    backend.close()


def entries(path: Path) -> int:
    connection = sqlite3.connect(path)
    (count,) = connection.execute("SELECT count(*) FROM results").fetchone()
    connection.close()
    return int(count)


@pytest.mark.parametrize("max_entries", [0, -1])
def test_a_bound_below_one_is_refused(tmp_path: Path, max_entries: int) -> None:
    with pytest.raises(ValueError, match="max_entries"):
        SQLiteCacheBackend(tmp_path / "cache.db", max_entries=max_entries)


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.close()
    before = (tmp_path / "shop.db").read_bytes()
    backend = SQLiteCacheBackend(tmp_path / "shop.db")
    with pytest.raises(ValueError, match="something else"):
        asyncio.run(backend.set("k", "v", ttl=60))
    assert (tmp_path / "shop.db").read_bytes() == before


def test_a_broken_file_fails_no_call(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cache.db").write_bytes(b"no database at all, and longer than a header: " * 10)
    build = made(tmp_path / "build")
    executor = build.executor(cache_backend=SQLiteCacheBackend(tmp_path / "cache.db"))
    for _ in range(3):
        assert not run(executor, "rate", {"base": "EUR"}).is_error
    assert len([record for record in caplog.records if "cache backend failed" in record.message]) == 2, "get and set"


WRITER = """
import asyncio, sys
from lauren_runtime import SQLiteCacheBackend

async def main(path, name):
    with SQLiteCacheBackend(path) as backend:
        for index in range(200):
            await backend.set(f"{name}:{index}", name, ttl=60)
        assert await backend.get(f"{name}:199") == name

asyncio.run(main(*sys.argv[1:]))
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "cache.db")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, name]) for name in "abc"]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert entries(tmp_path / "cache.db") == 600


def test_a_writer_that_is_killed_leaves_a_store_that_works(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    writer = subprocess.Popen([sys.executable, "-c", WRITER.replace("range(200)", "range(10**9)"), str(path), "a"])
    until = time.monotonic() + 20
    while (not path.exists() or path.stat().st_size == 0) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)
    writer.kill()
    writer.wait()
    with SQLiteCacheBackend(path) as backend:
        asyncio.run(backend.set("k", "v", ttl=60))
        assert asyncio.run(backend.get("k")) == "v"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_a_connection_of_its_own(tmp_path: Path) -> None:
    script = f"""
import asyncio, os
from lauren_runtime import SQLiteCacheBackend

backend = SQLiteCacheBackend({str(tmp_path / "cache.db")!r})
asyncio.run(backend.set("k", "v", ttl=60))
backend.close()
child = os.fork()
if child == 0:
    asyncio.run(backend.set("child", "v", ttl=60))
    os._exit(0 if asyncio.run(backend.get("k")) == "v" else 1)
assert os.waitpid(child, 0)[1] == 0
assert asyncio.run(backend.get("child")) == "v"
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


# --- Redis ---


def test_without_the_client_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ImportError, match=r"lauren-compile\[redis\]"):
        RedisCacheBackend.from_url("redis://localhost")


def test_a_server_that_is_not_there_fails_no_call(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    requires.package("redis", "lauren-compile[redis]")
    build = made(tmp_path / "build")
    executor = build.executor(cache_backend=RedisCacheBackend.from_url(f"unix://{tmp_path}/nobody"))
    assert [run(executor, "rate", {"base": "EUR"}).is_error for _ in range(3)] == [False] * 3
    assert len([record for record in caplog.records if "cache backend failed" in record.message]) == 2
