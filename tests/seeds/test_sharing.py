"""The guide's block on sharing a tool runs as it stands, under the stand-in, in modules as the page describes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lauren_runtime
import pytest
from harness.compiling import write_build

BLOCK = (Path(__file__).parent / "blocks" / "guide_sharing.py").read_text("utf-8")
RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
SHARED = "    shared_tools=[CheckAuthenticationTool],   # owned by CheckAuthModule\n"
TOOL = '''
from lauren_ai import tool

@tool()
class CheckAuthenticationTool:
    """Check whether somebody is known."""

    def __init__(self) -> None:
        self.calls = 0

    async def run(self, name: str) -> int:
        self.calls += 1
        return self.calls
'''
PREAMBLE = """
from lauren import use_value
from lauren_ai import agent, use_tools
from lauren_runtime import ModelClient, Table
from lauren_runtime.testing import ScriptedModel, asks
from lauren_build.dispatch import TABLE
from app.ai.check_auth_tool import CheckAuthenticationTool

@agent(model="m")
@use_tools(CheckAuthenticationTool)
class UnauthenticatedCRMAgent: ...

@agent(model="m")
@use_tools(CheckAuthenticationTool)
class AuthenticatedCRMAgent: ...

ask = asks("check_authentication_tool", name="bob")
MODEL = ScriptedModel(ask, "done", ask, "done")

from lauren import module

@module(
    providers=[use_value(provide=Table, value=TABLE), use_value(provide=ModelClient, value=MODEL)],
    exports=[Table, ModelClient],
)
class LLMProvider: ...
"""
MAIN = """
import asyncio
from lauren import LaurenFactory
from lauren_ai import AgentRunner

@module(imports=[UnauthMod, AuthMod])
class AppModule: ...

async def main():
    try:
        app = LaurenFactory.create(AppModule)
    except Exception as error:
        print(type(error).__name__, error)
        return
    async with app:
        for each in (UnauthenticatedCRMAgent, AuthenticatedCRMAgent):
            runner = await app.resolve(AgentRunner[each])
            await runner.run(each, "Is bob known?")
            print(MODEL.results[0]["content"])

asyncio.run(main())
"""


def run(folder: Path, block: str) -> str:
    (folder / "app" / "ai").mkdir(parents=True)
    for package in ("app", "app/ai"):
        (folder / package / "__init__.py").write_text("", "utf-8")
    write_build(TOOL, folder, "app/ai/check_auth_tool")
    setup = f"import sys; sys.path[:0] = {[str(folder), RUNTIME]!r}\nfrom lauren_runtime import standin\nstandin.install()\n"
    done = subprocess.run([sys.executable, "-c", setup + PREAMBLE + block + MAIN], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_both_agents_call_the_owners_one_object(tmp_path: Path) -> None:
    assert run(tmp_path, BLOCK) == "1\n2\n"


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (BLOCK.replace(SHARED, ""), "ModuleExportViolation CheckAuthenticationTool is declared in CheckAuthModule and"),
        (
            BLOCK.replace(", CheckAuthModule]", "]"),
            "MissingProviderError no provider for CheckAuthenticationTool; needed by",
        ),
        (
            BLOCK.replace(", exports=[CheckAuthenticationTool]", ""),
            "MissingProviderError no provider for CheckAuthenticationTool visible from UnauthenticatedCRMAgentModule",
        ),
    ],
    ids=["not said to be shared", "not imported", "not exported"],
)
def test_it_says_what_is_missing(tmp_path: Path, block: str, told: str) -> None:
    assert block != BLOCK
    assert run(tmp_path, block).startswith(told)
