"""One module of tools and agents, compiled once, for the tests of the runner."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from harness.compiling import write_build
from lauren_runtime import Table, load_build

SOURCE = '''
import asyncio
import contextvars
from lauren_runtime import Scope, ToolContext, ToolResult, agent, injectable, set_metadata, tool, use_tools

RAN = []
USER = contextvars.ContextVar("USER", default="nobody")


@tool()
async def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    RAN.append(("add", a, b))
    return a + b


@tool()
def wipe(path: str = "/") -> str:
    """Wipe a folder."""
    RAN.append(("wipe", path))
    return f"wiped {path}"


@tool()
async def fail(secret: str = "hunter2") -> str:
    """Fail."""
    RAN.append(("fail",))
    raise RuntimeError(f"postgres://admin:{secret}@db refused")


@tool()
async def slow(name: str, seconds: float = 0.01) -> str:
    """Take a while."""
    RAN.append(("begin", name))
    await asyncio.sleep(seconds)
    RAN.append(("end", name))
    return name


@tool(requires_confirmation=True)
async def pay(amount: int, fails: bool = False) -> str:
    """Pay."""
    if fails:
        raise ValueError("no money")
    RAN.append(("pay", amount))
    return f"paid {amount}"


@set_metadata("kind", "tool")
@tool(initial_tool_state=lambda: {"n": 0}, dependency_factory=lambda: object())
async def count(c: ToolContext) -> int:
    """Count the calls of a run."""
    c.tool_state["n"] += 1
    return c.tool_state["n"]


@tool()
async def where(c: ToolContext) -> dict:
    """Tell of the call."""
    run = c.agent_context
    return {
        "tool": c.tool_name, "id": c.tool_use_id, "turn": c.turn, "agent": run.agent_name, "run": run.agent_run_id,
        "user": c.get_metadata("user"), "request": c.request, "execution": c.execution_context,
        "conversation": run.conversation_id, "runner": c.runner is run.runner is not None, "bus": c.message_bus,
        "variable": USER.get(),
    }


@tool()
@injectable(scope=Scope.REQUEST)
class PerRun:
    """Count within a run."""

    def __init__(self) -> None:
        self.n = 0

    async def run(self) -> int:
        self.n += 1
        return self.n


@tool()
@injectable(scope=Scope.TRANSIENT)
class PerCall:
    """Count within a call."""

    def __init__(self) -> None:
        self.n = 0

    async def run(self) -> int:
        self.n += 1
        return self.n


@tool()
class Counter:
    """Count for all."""

    def __init__(self) -> None:
        self.n = 0

    async def run(self) -> int:
        self.n += 1
        return self.n


@tool()
async def show() -> ToolResult:
    """Show a picture."""
    dot = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    return ToolResult.ok([{"type": "text", "text": "a dot"}, dot])


@agent(model="m")
@use_tools(add, wipe, fail, slow, pay, count, where, PerRun, PerCall, Counter, show)
class Everything:
    """Use the tools."""


@use_tools(add)
@agent(model="m", system="Only sums.", max_turns=2)
class Sums: ...


@agent()
class Plain: ...
'''


@dataclass
class App:
    """The module's table and itself."""

    table: Table
    module: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)


@pytest.fixture(scope="session")
def compiled_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("agents")
    write_build(SOURCE, folder, "agents_app")
    sys.path.insert(0, str(folder))
    yield App(load_build(str(folder / "lauren_build")), importlib.import_module("agents_app"))
    sys.path.remove(str(folder))


@pytest.fixture
def app(compiled_app: App) -> App:
    compiled_app.module.RAN.clear()
    return compiled_app
