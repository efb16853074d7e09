"""Agents on the command line: what a build says of them, what it writes and removes, what `show` prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lauren_compiler.commands.main import main

SOURCE = '''
from lauren_runtime import agent, tool, use_tools

@tool()
def clock(zone: str) -> str:
    """The time."""
    return zone

@tool(name="search")
def search_shop(text: str) -> str:
    """Search the shop."""
    return text

@tool(name="search")
def search_web(words: list[str]) -> str:
    """Search the web."""
    return ""

@agent()
@use_tools(clock, search_shop)
class Shop: ...

@agent()
@use_tools(search_web)
class Web: ...
'''


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\ntargets = ["mcp", "gemini"]\n', "utf-8")
    (tmp_path / "app.py").write_text(SOURCE, "utf-8")
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == status
    return capsys.readouterr().out


def test_summary(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (work / "app.py").read_text("utf-8")
    (work / "app.py").write_text(text + "\n@agent()\n@use_tools(*load())\nclass Open: ...\ndef load(): ...\n", "utf-8")
    lines = out(capsys, "build").splitlines()
    assert lines[:2] == [
        "3 tools found: 3 compiled, 0 refused, 0 not decidable",
        "3 agents found: 2 compiled, 0 refused, 1 not decidable",
    ]
    assert "in their agents' files only, for TABLE.for_agent: search" in lines
    out(capsys, "build", "--strict-discovery", status=1)


def test_an_agent_that_is_gone_loses_its_files(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "build")
    folder = work / "lauren_build" / "agents"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json")) == [
        "shop/gemini.json",
        "shop/mcp.json",
        "web/gemini.json",
        "web/mcp.json",
    ]
    (work / "app.py").write_text(SOURCE.replace("class Web", "class Net"), "utf-8")
    assert "agents/net/mcp.json" in out(capsys, "build", "--check", status=1)
    assert "removed" in out(capsys, "build")
    assert sorted(path.name for path in folder.iterdir()) == ["net", "shop"]
    out(capsys, "build", "--check")
    out(capsys, "validate", "lauren_build")


def test_a_file_of_the_users_among_them_stays(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = work / "lauren_build" / "agents" / "shop"
    folder.mkdir(parents=True)
    (folder / "notes.json").write_text("{}", "utf-8")
    out(capsys, "build")
    assert (folder / "notes.json").read_text("utf-8") == "{}"
    assert "LC903" in json.dumps(json.loads(out(capsys, "validate", "lauren_build", "--format=json", status=1)))


def test_show(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything = json.loads(out(capsys, "show", "app.py"))
    assert list(everything) == ["clock", "search", "search (app:search_web)"]
    of_web = json.loads(out(capsys, "show", "app.py", "--agent", "web"))
    assert of_web == {"search": everything["search (app:search_web)"]}
    assert json.loads(out(capsys, "show", "app.py", "--agent", "web", "--tool", "search")) == of_web["search"]
    out(capsys, "build")
    for target in ("mcp", "gemini"):
        for agent in ("shop", "web"):
            shown = json.loads(out(capsys, "show", "app.py", "--agent", agent, "--target", target))
            assert shown == json.loads((work / "lauren_build" / "agents" / agent / f"{target}.json").read_bytes())
        entry = json.loads(out(capsys, "show", "app.py", "--agent", "web", "--tool", "search", "--target", target))
        assert entry["description"] == "Search the web."


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--agent", "shops"), "no agent `shops` in app.py: did you mean `shop`?"),
        (("--agent", "web", "--tool", "clock"), "no tool `clock` in app.py"),
        (("--tool", "search"), "several tools are called `search`: add --agent shop or web"),
    ],
)
def test_what_is_not_there(
    work: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert main(["show", "app.py", *arguments]) == 2
    assert said in capsys.readouterr().err
