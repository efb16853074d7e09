"""Importing the runtime, or a build, loads next to nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lauren_runtime
import pytest
from harness.hand_build import Build

RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
EXPENSIVE = (
    "asyncio",
    "dataclasses",
    "inspect",
    "typing",
    "re",
    "json",
    "pathlib",
    "logging",
    "enum",
    "importlib.util",
)
TOOL_SOURCE = """
@tool(name="a", cache_ttl=5)
@set_metadata("k", 1)
async def a() -> None: ...
"""


def loaded(code: str, *path: str) -> set[str]:
    """The modules that a bare interpreter has after `code`."""
    setup = f"import sys; sys.path[:0] = {[RUNTIME, *path]!r}; "
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", setup + code + "; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import lauren_runtime",
        "from lauren_runtime import tool, set_metadata, ToolContext, ToolCallContext, ToolResult, ToolCall, ToolHook",
        "from lauren_runtime import ToolPendingApprovalSignal, ToolInputError, DecoratorUsageError, Table, Entry",
    ],
)
def test_what_tool_modules_import_is_cheap(code: str) -> None:
    assert not loaded(code) & set(EXPENSIVE)


def test_what_module_files_import_is_cheap() -> None:
    names = "agent, use_tools, AgentConfig"
    names += (
        ", injectable, Scope, module, Inject, OptionalDep, Token, use_factory, post_construct, MissingProviderError"
    )
    use = "use_tools()(agent(max_turns=1)(type('A', (), {})))"
    assert loaded(f"from lauren_runtime import {names}; {use}") & set(EXPENSIVE) <= {"enum"}


def test_a_build_is_cheap_to_import_and_imports_no_tool(tmp_path: Path) -> None:
    build = Build(tmp_path, TOOL_SOURCE, {"a": {"is_async": True, "cache_ttl": 5}})
    modules = loaded(f"from {build.package}.dispatch import TABLE; TABLE['a']; TABLE.names", str(tmp_path))
    assert not modules & set(EXPENSIVE)
    assert f"{build.package}._tools" not in modules
    assert build.module not in modules


def test_every_public_name_is_there_and_nothing_else() -> None:
    for name in lauren_runtime._HOME:
        assert getattr(lauren_runtime, name) is not None
        assert name in dir(lauren_runtime)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = lauren_runtime.nothing


def test_type_checkers_and_interpreters_see_the_same_names() -> None:
    text = Path(lauren_runtime.__file__).read_text(encoding="utf-8")
    declared = {line.rsplit(" as ", 1)[1] for line in text.splitlines() if line.startswith("    from .")}
    assert declared == set(lauren_runtime._HOME)
