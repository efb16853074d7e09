"""`validate` finds every kind of damage, at its file, and runs nothing of what it looks at."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lauren_compiler import resources
from lauren_compiler.commands.main import main
from lauren_compiler.driver.validate import validate

SOURCE = '''
from lauren_runtime import agent, module, tool, use_tools

@tool()
def greet(name: str, times: int = 1) -> str:
    """Greet somebody."""
    return name * times

@tool()
def add(numbers: list[int]) -> int:
    """Add numbers."""
    return sum(numbers)

@agent(model="m")
@use_tools(greet)
class Host: ...

@module(providers=[Host])
class App: ...
'''


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that nobody touched."""
    folder = tmp_path_factory.mktemp("validate")
    (folder / "tools.py").write_text(SOURCE, encoding="utf-8")
    out = folder / "lauren_build"
    assert main(["-q", str(folder / "tools.py"), "-o", str(out)]) == 0
    return out


@pytest.fixture
def out(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "lauren_build")


def found(out: Path) -> set[tuple[str, str]]:
    return {(d.rule.code, d.span.path.partition("/")[2]) for d in validate(out, "B").diagnostics}


def test_a_whole_build_is_valid(out: Path) -> None:
    result = validate(out, "B")
    assert result.diagnostics == ()
    assert (result.tools, result.agents, result.targets) == (2, 1, 6)
    assert result.files == sum(path.is_file() for path in out.rglob("*"))


def edit(path: str, change: Callable[[Any], object]) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        document = json.loads((out / path).read_bytes())
        change(document)
        (out / path).write_text(json.dumps(document))

    return damage


def text(path: str, content: str) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        (out / path).write_text(content, encoding="utf-8")

    return damage


def remove(path: str) -> Callable[[Path], None]:
    return lambda out: (out / path).unlink()


def replaced(path: str, old: str, new: str) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        before = (out / path).read_text(encoding="utf-8")
        assert old in before
        (out / path).write_text(before.replace(old, new), encoding="utf-8")

    return damage


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (remove("manifest.json"), ("LC905", "")),
        (text("manifest.json", "{"), ("LC905", "manifest.json")),
        (text("manifest.json", '{"format": 1, "format": 1}'), ("LC905", "manifest.json")),
        (text("manifest.json", '{"format": NaN}'), ("LC905", "manifest.json")),
        (text("manifest.json", "[" * 100_000), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m.pop("agents")), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m.update(format=2)), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["files"].update({"../x": "0" * 64})), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["tools"][0].update(description="x")), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["tools"].reverse()), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m.update(digest="0" * 64)), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m.update(digest="0" * 64)), ("LC903", "dispatch.py")),
        (
            edit("manifest.json", lambda m: m["tools"][0]["input_schema"].update(required="numbers")),
            ("LC905", "manifest.json"),
        ),
        (edit("schemas/greet.json", lambda s: s.update(title="x")), ("LC903", "schemas/greet.json")),
        (edit("schemas/greet.json", lambda s: s.update(title="x")), ("LC905", "schemas/greet.json")),
        (remove("schemas/greet.json"), ("LC903", "schemas/greet.json")),
        (text("schemas/old.json", "{}"), ("LC903", "schemas/old.json")),
        (text("providers/mcp.json", "{}"), ("LC905", "providers/mcp.json")),
        (text("providers/mcp.json", "[]"), ("LC905", "providers/mcp.json")),
        (edit("providers/mcp.json", lambda p: p.reverse()), ("LC905", "providers/mcp.json")),
        (
            edit("providers/openai.json", lambda p: p[0]["function"]["parameters"].update(type=1)),
            ("LC905", "providers/openai.json"),
        ),
        (
            edit("providers/gemini.json", lambda p: p[0].update(other=p[0].pop("functionDeclarations"))),
            ("LC905", "providers/gemini.json"),
        ),
        (remove("providers/bedrock.json"), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["agents"][0].update(system="x")), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["agents"][0].pop("folder")), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["agents"][0].update(tools=["add"])), ("LC905", "manifest.json")),
        (edit("manifest.json", lambda m: m["targets"]["mcp"].pop("agents")), ("LC905", "manifest.json")),
        (text("agents/host/mcp.json", "[]"), ("LC905", "agents/host/mcp.json")),
        (text("agents/host/fax.json", "[]"), ("LC903", "agents/host/fax.json")),
        (remove("agents/host/mcp.json"), ("LC905", "manifest.json")),
        (replaced("_tools/tools.py", 'DIGEST = "', 'DIGEST = "0'), ("LC903", "_tools/tools.py")),
        (replaced("_wiring.py", 'DIGEST = "', 'DIGEST = "0'), ("LC903", "_wiring.py")),
        (remove("_wiring.py"), ("LC903", "_wiring.py")),
        (text("dispatch.py", "import os; os.abort()\n"), ("LC903", "dispatch.py")),
    ],
)
def test_damage_is_found(out: Path, damage: Callable[[Path], None], expected: tuple[str, str]) -> None:
    damage(out)
    assert expected in found(out)


def test_a_link_out_is_not_followed(out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_bytes((out / "schemas" / "greet.json").read_bytes())
    (out / "schemas" / "greet.json").unlink()
    (out / "schemas" / "greet.json").symlink_to(outside)
    assert ("LC903", "schemas/greet.json") in found(out)


def test_the_manifest_schema_is_a_schema() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(json.loads(resources.manifest_schema()))


def test_command(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(out)]) == 0
    assert capsys.readouterr().out.endswith(": 2 tools, 1 agent, 20 files, 6 targets: valid\n")
    (out / "schemas" / "greet.json").write_text("{}")
    assert main(["validate", str(out), "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["tools"] == 2
    assert {d["code"] for d in document["diagnostics"]} == {"LC903", "LC905"}


def test_without_a_folder_the_configured_output_is_looked_at(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.lauren-compile]\nout = 'made/build'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["validate"]) == 2
    assert "no such folder: made/build" in capsys.readouterr().err
    shutil.copytree(out, tmp_path / "made/build")
    assert main(["validate"]) == 0
    assert "made/build: 2 tools" in capsys.readouterr().out
