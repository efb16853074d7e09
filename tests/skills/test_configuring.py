"""How skills get what they need, from a container or from nowhere; and what is said where they are not built."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import lauren_runtime
import pytest
from harness.fetching import local
from harness.web import WebServer
from lauren_runtime import LaurenFactory, ToolCall, ToolExecutor, module, use_class, use_value
from lauren_runtime.skills import (
    CodeExecutionTool,
    FetchPolicy,
    HttpFetchTool,
    SandboxLimits,
    SearchBackend,
    SearchResult,
    WebSearchTool,
)
from lauren_runtime.table import Table

PACKAGE = Path(lauren_runtime.__file__).parent


class Own:
    """A search engine of the application's."""

    async def search(self, query: str, max_results: int) -> Sequence[SearchResult]:
        return [SearchResult(title=query, url="https://pages.test/", snippet=str(max_results))]


def test_a_container_gives_what_an_application_provides(table: Table) -> None:
    @module(
        providers=[
            *(HttpFetchTool, WebSearchTool, CodeExecutionTool),
            use_value(provide=FetchPolicy, value=local()),
            use_value(provide=SandboxLimits, value=SandboxLimits(seconds=3)),
            use_class(provide=SearchBackend, use=Own),
        ]
    )
    class App: ...

    async def run() -> tuple[list[str], float]:
        async with LaurenFactory.create(App) as app:
            executor = ToolExecutor(table, container=app.container)
            calls = [
                ToolCall("t1", "http_fetch_tool", {"url": server.url()}),
                ToolCall("t2", "web_search_tool", {"query": "lamp"}),
            ]
            results = [str((await executor.execute(call)).content) for call in calls]
            found = await app.resolve(CodeExecutionTool)
            return results, found.limits.seconds

    with WebServer(lambda exchange: exchange.answer("inside")) as server:
        (page, found), seconds = asyncio.run(run())
    assert json.loads(page)["body"] == "inside"
    assert json.loads(found) == [{"title": "lamp", "url": "https://pages.test/", "snippet": "5"}]
    assert seconds == 3


def test_a_container_without_any_leaves_the_defaults(table: Table) -> None:
    @module(providers=[HttpFetchTool, WebSearchTool, CodeExecutionTool])
    class App: ...

    async def run() -> HttpFetchTool:
        async with LaurenFactory.create(App) as app:
            tool: HttpFetchTool = await app.resolve(HttpFetchTool)
            return tool

    assert asyncio.run(run()).policy.allow_networks == ()


def test_the_build_of_the_skills_is_what_their_sources_give(table: Table) -> None:
    from lauren_runtime.skills import TABLE

    assert TABLE.digest == table.digest, "run python3 build.py"


@pytest.mark.parametrize("target", ["anthropic", "openai", "openai-responses", "gemini", "bedrock", "mcp"])
def test_every_provider_gets_all_of_them(table: Table, target: str) -> None:
    text = table.provider_json(target).decode()
    assert all(name in text for name in ("http_fetch_tool", "web_search_tool", "code_execution_tool"))
    assert table.manifest()["targets"][target]["lossy"] == []


def test_a_checkout_that_is_not_built_says_so(tmp_path: Path) -> None:
    (tmp_path / "lauren_runtime").mkdir()
    for path in PACKAGE.rglob("*.py"):
        relative = path.relative_to(PACKAGE)
        if "_generated" not in relative.parts:
            copy = tmp_path / "lauren_runtime" / relative
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from lauren_runtime.skills import TABLE"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert "ImportError: the skills are not compiled yet: run `python3 build.py`" in done.stderr
    wrong = code.replace("import TABLE", "import TABEL")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", wrong], capture_output=True, text=True)
    assert "cannot import name 'TABEL'" in done.stderr
