"""One agent, compiled once, and a server for each test."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import trustme
from harness.compiling import write_build
from lauren_runtime import AgentResponse, AgentRunner, RunChunk, Table, load_build

from .server import Answer, Server
from .wires import Wire

SOURCE = '''
from lauren_runtime import ToolResult, agent, tool, use_tools

RAN = []


@tool()
def wipe(path: str = "/") -> str:
    """Wipe a folder."""
    RAN.append(path)
    return f"wiped {path}"


@tool()
def fail() -> str:
    """Fail."""
    raise ValueError("no")


@tool()
def show() -> ToolResult:
    """Show a picture."""
    dot = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    return ToolResult.ok([{"type": "text", "text": "a dot"}, dot])


@tool()
def other() -> str:
    """Be none of the agent's."""
    return "other"


@agent(model="model-x", system="Be brief.", temperature=0.5)
@use_tools(wipe, fail, show)
class Cleaner: ...
'''


class Shop:
    def __init__(self, folder: Path) -> None:
        write_build(SOURCE, folder, "wire_shop")
        sys.path.insert(0, str(folder))
        self.table: Table = load_build(str(folder / "lauren_build"))
        self.module = importlib.import_module("wire_shop")
        sys.path.remove(str(folder))


@pytest.fixture(scope="session", autouse=True)
def _few_authorities(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The servers here speak plain HTTP. Each client reads the authorities all the same, of which one is enough."""
    path = tmp_path_factory.mktemp("authorities") / "one.pem"
    trustme.CA().cert_pem.write_to_path(str(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(path))
        yield


@pytest.fixture(scope="session")
def compiled_shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("wires"))


@pytest.fixture
def shop(compiled_shop: Shop) -> Shop:
    compiled_shop.module.RAN.clear()
    return compiled_shop


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.close()


def run(
    shop: Shop,
    server: Server,
    wire: Wire,
    stream: bool,
    *answers: Answer,
    retries: int = 0,
    messages: tuple[Any, ...] = ("go",),
    **options: Any,
) -> tuple[AgentResponse, str]:
    """What the agent answers to the last message, and the text that was streamed."""
    server.answers = list(answers)

    async def answer(runner: AgentRunner, message: Any) -> tuple[AgentResponse, str]:
        if not stream:
            return await runner.run(shop.module.Cleaner, message, **options), ""
        chunks: list[RunChunk] = [each async for each in runner.run_stream(shop.module.Cleaner, message, **options)]
        response = chunks[-1].response
        assert response is not None
        return response, "".join(each.text for each in chunks)

    async def go() -> tuple[AgentResponse, str]:
        async with aclosing(wire.client(server, retries)) as client:
            runner = AgentRunner(shop.table, model_client=client)
            return [await answer(runner, each) for each in messages][-1]

    return asyncio.run(go())
