"""What type checkers say of the public interface."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import lauren_runtime
import pytest

RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
SOURCE = """
import asyncio
from collections.abc import Iterator
from typing import Annotated
from lauren_runtime import (
    BeforeToolHookDecision, CacheBackend, InMemoryCacheBackend, Table, ToolCall, ToolCallContext, ToolContext,
    ToolExecutor, ToolHook, ToolResult, injectable, set_metadata, tool, use_hooks,
    AgentConfig, AgentContext, AgentModule, AgentResponse, AgentRunner, Message, ModelClient, ModelReply, ModelRequest,
    agent, use_tools, Inject, LaurenFactory, OptionalDep, Scope, Token, module, post_construct, use_factory, use_value,
)
from lauren_runtime.table import ABI

class Guard(ToolHook):
    async def before_tool_call(self, ctx: ToolCallContext) -> BeforeToolHookDecision | None:
        return BeforeToolHookDecision.proceed() if ctx.tool_input else None

class Plain(ToolHook):
    def before_tool_call(self, ctx: ToolCallContext) -> None: ...

@set_metadata("k", 1)
@use_hooks(Guard, Plain)
@tool(name="x", cache_ttl=300, cache_key_fn=lambda inp: inp["a"])
async def f(a: int, ctx: ToolContext) -> str:
    return str(a)

@tool()
def items(n: int) -> Iterator[int]:
    yield n

@tool()
@injectable()
class Search:
    def __init__(self, word: str) -> None:
        self.word = word

    async def run(self, q: str) -> ToolResult:
        return ToolResult.ok(q, tool_use_id="")

RATE = Token("rate")

@injectable(scope=Scope.REQUEST)
class Prices:
    def __init__(self, rate: Annotated[float, Inject(RATE)]) -> None:
        self.rate = rate

    @post_construct
    async def load(self) -> None: ...

def double(rate: float, other: float | None) -> float:
    return 2 * rate + (other or 0)

@module(providers=[Prices, use_value(provide=RATE, value=1.5),
                   use_factory(provide="x", factory=double, injects=[RATE, OptionalDep("y")])])
class App: ...

async def inject(table: Table) -> None:
    async with LaurenFactory.create(App) as app, app.request() as request:
        prices: Prices = await request.resolve(Prices)
        await prices.load()
        await ToolExecutor(table, container=app.container).end_run(prices)

async def main(table: Table) -> None:
    text: str = await f(1, ToolContext(None, "id", 0))
    found: ToolResult = await Search("w").run("q")
    numbers: Iterator[int] = items(1)
    backend: CacheBackend = InMemoryCacheBackend()
    executor = ToolExecutor(table.bind(f).select("x"), cache_backend=backend, on_error="raise", global_hooks=[Guard()])
    result: ToolResult = await executor.execute(ToolCall(tool_use_id="t", name="x", input={"a": 1}))
    async for part in executor.execute_stream(ToolCall("t", "x", "{}")):
        print(part.content, result, text, found, numbers)

@agent(model="m", max_turns=3, temperature=0.5)
@use_tools(f, Search)
class Answering:
    async def on_start(self, ctx: AgentContext) -> None: ...

class Parrot:
    target = "anthropic"

    async def complete(self, request: ModelRequest) -> ModelReply:
        return ModelReply(Message.assistant(request.model))

class Holding:
    def __init__(self, runner: AgentRunner, named: AgentRunner[Answering]) -> None:
        self.runner = runner

async def answer(table: Table) -> None:
    client: ModelClient = Parrot()
    runner = AgentRunner(table, model_client=client, config=AgentConfig(max_turns=2, tool_error_policy="raise"))
    response: AgentResponse = await runner.run(Answering, "hi", metadata={"a": 1}, conversation_id="c")
    async for chunk in runner.run_stream(Answering, response.content):
        print(chunk.text, chunk.signal, Holding(runner, runner))
    await runner.approve_tool("r", "t", by="ann")
    made: type = AgentModule.for_root(agents=[Answering], imports=[App], config=AgentConfig(), table=table)
    print(made)

asyncio.run(main(Table(abi=ABI, package="", file="", digest="", modules={}, entries=())))
"""
WRONG = """
from lauren_runtime import nothing
from lauren_runtime import tool, ToolExecutor, Table

@tool
def bare() -> None: ...

@tool("name")
def positional() -> None: ...

@tool()
def f(a: int) -> int:
    return a

f("x")

def g(table: Table) -> None:
    ToolExecutor(table, on_error="ignore")

from lauren_runtime import AgentConfig, agent

@agent(max_turn=3)
class A: ...

AgentConfig(tool_error_policy="ignore")
"""
WRONG_LINES = {2, 5, 8, 15, 18, 22, 25}
CHECKERS = {"mypy": ["-m", "mypy", "--strict", "--no-incremental"], "pyright": ["-m", "pyright"]}


def check(checker: str, source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "pyrightconfig.json").write_text(f'{{"typeCheckingMode": "strict", "extraPaths": ["{RUNTIME}"]}}')
    (folder / "snippet.py").write_text(source)
    environment = {**os.environ, "MYPYPATH": RUNTIME}
    command = [sys.executable, *CHECKERS[checker], "snippet.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("checker", CHECKERS)
def test_decorated_objects_keep_their_types(checker: str, tmp_path: Path) -> None:
    done = check(checker, SOURCE, tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_misuse_is_found(checker: str, tmp_path: Path) -> None:
    done = check(checker, WRONG, tmp_path)
    errors = [line for line in done.stdout.splitlines() if " error: " in line and "snippet.py:" in line]
    assert {int(line.split("snippet.py:")[1].split(":")[0]) for line in errors} >= WRONG_LINES, done.stdout
