"""What is read of `AgentModule.for_root(...)`."""

from __future__ import annotations

from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.config.model import Config
from lauren_compiler.diagnostics.model import Sink
from lauren_compiler.ir.agents import AgentModule
from lauren_compiler.lower.agents.modules import AgentModules
from lauren_compiler.semantics.load import load_sources, open_program
from lauren_compiler.semantics.resolver import Resolver
from lauren_compiler.semantics.types import TypeReader
from lauren_compiler.source.filesystem import Disk

HEAD = """
from lauren import module
from lauren_ai import LLMConfig, LLMModule, agent, tool
from lauren_ai._module import AgentModule

@tool()
class Search:
    async def run(self) -> str: ...

@tool()
def clock() -> str: ...

@agent()
class Support: ...

@agent()
class Sales: ...

LLM = LLMModule.for_root(LLMConfig.for_anthropic(model="m"))

@module(providers=[Search], exports=[Search])
class Owner: ...
"""


def modules(folder: Path, text: str) -> list[AgentModule]:
    """The modules that a source makes."""
    path = folder / "app.py"
    path.write_text(HEAD + text, "utf-8")
    config: Config = load(CommandLine(paths=("app.py",), roots=(str(folder),), directory=folder)).config
    files, sink = Disk(), Sink()
    sources = load_sources([path], config, files, str, sink)
    program = open_program(sources, config, files, str, sink)
    reader = AgentModules(TypeReader(Resolver(program), sink).constants)
    return [found.module for source in sources.modules for found in reader.find(source)]


def keys(found: AgentModule, field: str) -> list[str]:
    return [each.key.removeprefix("app:") for each in getattr(found, field)]


def test_every_list_is_read(tmp_path: Path) -> None:
    (found,) = modules(
        tmp_path,
        """
TEAM = (Support, Sales)
MORE = [clock]
App = AgentModule.for_root(
    agents=[*TEAM], imports=[LLM, Owner], shared_tools=[Search], tools=MORE + [None], tool_cache=object(),
    injects=None, export_tools=list((Search,)), hooks=[], runner=None,
)
""",
    )
    assert found.name == "app:App"
    assert keys(found, "agents") == ["Support", "Sales"]
    assert keys(found, "imports") == ["LLM", "Owner"]
    assert keys(found, "shared_tools") == keys(found, "export_tools") == ["Search"]
    assert keys(found, "tools") == ["clock"]
    assert found.hooks == found.injects == found.runner == found.open == ()
    assert "tool_cache" in found.given


def test_imports_and_runner_may_be_alone(tmp_path: Path) -> None:
    (found,) = modules(tmp_path, "class Mine: ...\nAgentModule.for_root(agents=[Support], imports=LLM, runner=Mine)\n")
    assert (found.name, keys(found, "imports"), keys(found, "runner")) == (None, ["LLM"], ["Mine"])


@pytest.mark.parametrize(
    "spelling",
    [
        "import lauren_ai\nApp = lauren_ai.AgentModule.for_root(agents=[Sales])",
        "from lauren_runtime import AgentModule as M\nApp = M.for_root(agents=[Sales])",
        "make = AgentModule.for_root\nApp = make(agents=[Sales])",
        "@module(imports=[AgentModule.for_root(agents=[Sales])])\nclass Root: ...",
        "def build():\n    return AgentModule.for_root(agents=[Sales])",
    ],
)
def test_the_call_is_found_by_symbol(spelling: str, tmp_path: Path) -> None:
    (found,) = modules(tmp_path, spelling)
    assert keys(found, "agents") == ["Sales"]


@pytest.mark.parametrize(
    "spelling",
    [
        "class AgentModule:\n    def for_root(**k): ...\nAgentModule.for_root(agents=[Sales])",
        "def f(AgentModule):\n    AgentModule.for_root(agents=[Sales])",
        "[AgentModule.for_root(agents=[Sales]) for AgentModule in ()]",
    ],
)
def test_another_for_root_is_none(spelling: str, tmp_path: Path) -> None:
    assert modules(tmp_path, spelling) == []


DOUBLING = "\n".join(f"L{each + 1} = [*L{each}, *L{each}]" for each in range(16))
"""Lists that Python itself makes long."""


@pytest.mark.parametrize(
    ("agents", "why"),
    [
        ("load()", "it is a call"),
        ("[a for a in ()]", "it is a comprehension"),
        ("[load()]", "it is a call"),
        ("[*CHANGED]", "`CHANGED` is changed after it is made"),
        ("[*SET]", "`SET` is changed after it is made"),
        ("[*SLICED]", "`SLICED` is changed after it is made"),
        ("[*SHORTENED]", "`SHORTENED` is changed after it is made"),
        ("[*KEPT]", "`KEPT` is changed after it is made"),
        ("[*GROWN]", "it is an augmented assignment"),
        ("[Support if object() else Sales]", "it depends on a condition"),
        ("[Missing]", "`Missing` is defined nowhere"),
        ("[*Missing]", "`Missing` is defined nowhere"),
        ("[*LOOP]", "it is too long or too deep, or defined by itself"),
        ("[*L16]", "it is too long or too deep, or defined by itself"),
    ],
)
def test_what_can_not_be_known_is_said(agents: str, why: str, tmp_path: Path) -> None:
    (found,) = modules(
        tmp_path,
        f"""
CHANGED = [Support]
CHANGED.append(Sales)
SET = [Support]
SET[0] = Sales
SLICED = [Support]
SLICED[:], other = [Sales], 1
SHORTENED = [Support, Sales]
del SHORTENED[0]
KEPT = [Support]
add = KEPT.append
add(Sales)
GROWN = [Support]
GROWN += [Sales]
for _ in ():
    LOOP = [*LOOP, *LOOP]
L0 = [Support, Sales]
{DOUBLING}
AgentModule.for_root(agents={agents})
""",
    )
    assert {(each.option, each.why) for each in found.open} == {("agents", why)}
