"""Each code block of the two pages the project was created from compiles, and its tools run, without lauren installed.

The blocks stand in `blocks/`, word for word; what a page takes for granted above one, in `preambles.py`. Blocks that
hold no tool (modules, skills alone) compile to an empty build with the warning that there is none; they are not run.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
BLOCKS = sorted(path.stem for path in (HERE / "blocks").glob("*.py"))
WITHOUT_TOOLS = {"guide_reminder", "guide_sharing", "guide_skills"}
#: The page says of what follows this line in a block that it stands elsewhere, inside a handler.
HANDLER = "# In a separate handler"


def preamble(block: str) -> str:
    spec = importlib.util.spec_from_file_location("preambles", HERE / "preambles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    preambles: dict[str, str] = module.PREAMBLES
    return preambles[block]


def source(block: str, future: bool = False) -> str:
    tool, marker, rest = (HERE / "blocks" / f"{block}.py").read_text("utf-8").partition(HANDLER)
    text = tool + ("async def handler(runner):\n" + textwrap.indent(marker + rest, "    ") if rest else "")
    return ("from __future__ import annotations\n" if future else "") + preamble(block) + "\n" + text


def compile_block(folder: Path, text: str) -> dict[str, Any]:
    """Compile `block.py` with this text; return the JSON document of the build."""
    (folder / "block.py").write_text(text, "utf-8")
    command = [sys.executable, "-m", "lauren_compiler", "build", str(folder / "block.py"), "--format", "json"]
    out = ["-o", str(folder / "lauren_build"), "--root", str(folder)]
    done = subprocess.run([*command, *out], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def entry(folder: Path) -> dict[str, Any]:
    """The one tool of the build in `folder`."""
    manifest = json.loads((folder / "lauren_build" / "manifest.json").read_text("utf-8"))
    tools: list[dict[str, Any]] = manifest["tools"]
    assert len(tools) == 1
    return tools[0]


def run_block(folder: Path, calls: list[Any], bind: str | None) -> dict[str, Any]:
    request = json.dumps({"calls": calls, "bind": bind})
    command = [sys.executable, str(HERE / "run_block.py"), str(folder), request]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    *printed, last = done.stdout.splitlines()
    answer: dict[str, Any] = json.loads(last)
    return answer | {"printed": printed}


def test_packages_are_absent() -> None:
    assert [name for name in ("lauren", "lauren_ai") if importlib.util.find_spec(name)] == []


def test_every_block_has_an_expectation() -> None:
    assert set(BLOCKS) == WITHOUT_TOOLS | set(EXPECTED) | {"guide_agent"}


@pytest.mark.parametrize("block", sorted(WITHOUT_TOOLS))
def test_block_without_tools(block: str, tmp_path: Path) -> None:
    document = compile_block(tmp_path, source(block))
    assert document["tools"] == 0
    # That the modules it imports are not here, and so are left to the start of the application, is a note.
    told = [item["level"] for item in document["diagnostics"] if item["code"] != "LC720"]
    assert told == ["warning"], document["diagnostics"]


def test_the_agents_block_gives_the_agents_own_list(tmp_path: Path) -> None:
    """The skills that it names are the runtime's own, compiled from where they are installed."""
    document = compile_block(tmp_path, source("guide_agent"))
    assert [item["level"] for item in document["diagnostics"] if item["level"] != "note"] == [], document
    build = tmp_path / "lauren_build"
    (agent,) = json.loads((build / "manifest.json").read_text("utf-8"))["agents"]
    assert (agent["name"], agent["model"]) == ("research_agent", "claude-opus-4-6")
    assert agent["system"] == "You are a research assistant."
    assert agent["tools"] == ["http_fetch_tool", "web_search_tool"]
    tools = json.loads((build / "agents" / "research_agent" / "anthropic.json").read_text("utf-8"))
    assert [tool["name"] for tool in tools] == agent["tools"]


def test_the_block_on_sharing_gives_two_agents(tmp_path: Path) -> None:
    compile_block(tmp_path, source("guide_sharing"))
    manifest = json.loads((tmp_path / "lauren_build" / "manifest.json").read_text("utf-8"))
    names = ["authenticated_crm_agent", "unauthenticated_crm_agent"]
    assert [agent["name"] for agent in manifest["agents"]] == names


@dataclass(frozen=True)
class Expected:
    """What a block's tool compiles to, and what calls of it give: (arguments, content of the result)."""

    name: str
    description: str
    properties: dict[str, Any]
    required: list[str]
    calls: list[tuple[dict[str, Any], str]]
    bind: str | None = None


def text(description: str, **more: object) -> dict[str, object]:
    return {"type": "string", "description": description, **more}


EXPECTED = {
    "reference_function": Expected(
        "my_tool",
        "One-line description.",
        {"query": text("What to search for.")},
        ["query"],
        [({"query": "x"}, "null")],
    ),
    "reference_class": Expected(
        "my_tool",
        "Description used as tool description.",
        {"query": {"type": "string"}},
        ["query"],
        [({"query": "x"}, "null")],
        bind="MyTool(SomeDep())",
    ),
    "guide_function": Expected(
        "get_weather",
        "Return current weather for a city.",
        {
            "city": text("The city name to look up."),
            "unit": text("Temperature unit, either 'celsius' or 'fahrenheit'.", default="celsius"),
        },
        ["city"],
        [
            ({"city": "Paris"}, '{"city": "Paris", "temperature": 22, "unit": "celsius"}'),
            ({"city": "Oslo", "unit": "fahrenheit"}, '{"city": "Oslo", "temperature": 22, "unit": "fahrenheit"}'),
        ],
    ),
    "guide_class": Expected(
        "search_tool",
        "Search the product catalogue.",
        {
            "query": text("The search query."),
            "max_results": {"type": "integer", "description": "Maximum number of results (1-50).", "default": 10},
        },
        ["query"],
        [
            ({"query": "lamp"}, '[{"query": "lamp", "limit": 10}]'),
            ({"query": "lamp", "max_results": 3}, '[{"query": "lamp", "limit": 3}]'),
        ],
        bind="SearchTool(DatabaseService())",
    ),
    "guide_context": Expected(
        "log_action",
        "Log an action taken by the agent.",
        {"action": text("Description of the action.")},
        ["action"],
        [({"action": "looked"}, "logged")],
    ),
    "guide_names": Expected(
        "web_search",
        "Search the web for current information.",
        {"query": {"type": "string"}},
        ["query"],
        [({"query": "x"}, "null")],
    ),
    "guide_approval": Expected(
        "send_email",
        "Send an email.",
        {
            "to": text("Recipient email address."),
            "subject": text("Email subject line."),
            "body": text("Email body text."),
        },
        ["to", "subject", "body"],
        [({"to": "a@b.c", "subject": "s", "body": "b"}, "null")],
    ),
    "guide_cache": Expected(
        "fetch_exchange_rate",
        "Fetch the current exchange rate between two currencies.",
        {"base": text("Base currency code (e.g. USD)."), "quote": text("Quote currency code (e.g. EUR).")},
        ["base", "quote"],
        [({"base": "USD", "quote": "EUR"}, "null"), ({"quote": "EUR", "base": "USD"}, "null")],
    ),
    "guide_cache_key": Expected(
        "get_weather",
        "",
        {"city": {"type": "string"}},
        ["city"],
        [({"city": "Rome"}, "null"), ({"city": "ROME"}, "null")],
    ),
    "guide_result": Expected(
        "risky_operation",
        "Attempt a risky operation.",
        {"param": {"type": "string"}},
        ["param"],
        [({"param": "good"}, '{"done": "good"}'), ({"param": "bad"}, "no such thing")],
    ),
}


@pytest.mark.parametrize("future", [False, True], ids=["plain", "future"])
@pytest.mark.parametrize("block", sorted(EXPECTED))
def test_block_compiles(block: str, future: bool, tmp_path: Path) -> None:
    expected = EXPECTED[block]
    document = compile_block(tmp_path, source(block, future))
    assert [item for item in document["diagnostics"] if item["level"] == "error"] == []
    tool = entry(tmp_path)
    assert (tool["name"], tool["description"]) == (expected.name, expected.description)
    schema = tool["input_schema"]
    assert schema["properties"] == expected.properties
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == ("object", expected.required, False)


@pytest.mark.parametrize("block", sorted(EXPECTED))
def test_block_runs(block: str, tmp_path: Path) -> None:
    expected = EXPECTED[block]
    compile_block(tmp_path, source(block))
    answer = run_block(tmp_path, [[expected.name, arguments] for arguments, _ in expected.calls], expected.bind)
    assert [row["content"] for row in answer["results"]] == [content for _, content in expected.calls]
    assert [row["id"] for row in answer["results"]] == [f"t{number}" for number in range(len(expected.calls))]
    failed = [row["content"] == "no such thing" for row in answer["results"]]
    assert [row["error"] for row in answer["results"]] == failed
    also = ALSO.get(block, {})
    assert {key: answer[key] for key in also} == also


#: What a run shows besides results: what the tool printed, and how many results of two calls went into the cache.
ALSO: dict[str, dict[str, Any]] = {
    "guide_context": {"printed": ["[run-7] turn=3: looked"]},
    "guide_cache": {"written": 1},
    "guide_cache_key": {"written": 1},
    "guide_function": {"written": 0},
}


def test_approval_is_asked_for(tmp_path: Path) -> None:
    compile_block(tmp_path, source("guide_approval"))
    arguments = {"to": "a@b.c", "subject": "s", "body": "b"}
    [row] = run_block(tmp_path, [["send_email", arguments]], None)["results"]
    assert row["approved"] == arguments


@pytest.mark.parametrize(
    ("run", "status", "steps"),
    [
        ("...", "executed", ["asked", "approved", "claimed", "finished"]),
        ("another", "expired", ["asked", "expired"]),
    ],
)
def test_the_handler_decides_the_call_it_names(run: str, status: str, steps: list[str], tmp_path: Path) -> None:
    """The block approves, then rejects: the first decision stands, and both can be awaited."""
    compile_block(tmp_path, source("guide_approval"))
    command = [sys.executable, str(HERE / "run_handler.py"), str(tmp_path), run]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found, _, history = json.loads(done.stdout)
    assert (found, [what for what, _ in history]) == (status, steps)


def test_the_handler_alone_rejects_with_its_reason(tmp_path: Path) -> None:
    text = source("guide_approval")
    approving = next(line for line in text.splitlines() if "approve_tool" in line)
    compile_block(tmp_path, text.replace(approving, ""))
    command = [sys.executable, str(HERE / "run_handler.py"), str(tmp_path), "..."]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found, content, _ = json.loads(done.stdout)
    assert (found, content) == ("rejected", "The user denied permission to run 'send_email': Not approved")


def test_the_skills_of_the_agents_block_run(tmp_path: Path) -> None:
    """Under the stand-in: they refuse what is not public, and say which settings they lack."""
    compile_block(tmp_path, source("guide_agent"))
    calls = [["http_fetch_tool", {"url": "http://127.0.0.1/"}], ["web_search_tool", {"query": "lamps"}]]
    fetched, searched = run_block(tmp_path, calls, None)["results"]
    assert fetched["error"]
    assert "the address 127.0.0.1 is loopback, and may not be reached" in fetched["content"]
    assert searched["error"]
    assert "no search engine is set" in searched["content"]


def test_skills_are_imported_under_the_names_of_the_guide() -> None:
    code = f"import lauren_runtime.standin as s; s.install(); exec({source('guide_skills')!r}); print(HttpFetchTool)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "<class 'lauren_runtime.skills.http_fetch.HttpFetchTool'>", done.stderr
