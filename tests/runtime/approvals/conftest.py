"""Each kind of store, opened as often as a test likes; a tool that needs approval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from harness.hand_build import Build
from lauren_runtime import ApprovalStore, InMemoryApprovalStore, RedisApprovalStore, SQLiteApprovalStore

SOURCE = """
RUNS = []

@tool(requires_confirmation=True)
async def pay(amount: int, to: str = "bank"):
    RUNS.append(amount)
    return amount

@tool(requires_confirmation=True)
async def fail(amount: int):
    raise ValueError("x")

@tool(requires_confirmation=True)
async def linger(amount: int):
    RUNS.append(amount)
    await asyncio.sleep(60)

@tool()
async def free(amount: int):
    return amount
"""
FREE: dict[str, Any] = {"arguments": {"amount": "int", "to": "str"}, "needed": ["amount"], "is_async": True}
ASKS = {**FREE, "requires_confirmation": True}
TOOLS = {"pay": ASKS, "fail": ASKS, "linger": ASKS, "free": FREE}

Opener: TypeAlias = Callable[[], ApprovalStore]
"""Opens the test's store once more, as another process would; the one in memory is the same each time."""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


@pytest.fixture
def database_folder(tmp_path: Path) -> Path:
    """Where a store's file is; tests that write very often have it in memory."""
    return tmp_path


@pytest.fixture(params=["memory", "sqlite", "redis"])
def opener(request: pytest.FixtureRequest, database_folder: Path) -> Iterator[Opener]:
    only = InMemoryApprovalStore()
    opened: list[SQLiteApprovalStore | RedisApprovalStore] = []
    url = request.getfixturevalue("redis_socket") if request.param == "redis" else ""

    def open_one() -> ApprovalStore:
        if request.param == "memory":
            return only
        path = database_folder / "approvals.db"
        store = RedisApprovalStore.from_url(url, str(path), poll=0.1) if url else SQLiteApprovalStore(path, poll=0.1)
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()
