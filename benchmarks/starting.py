"""What the start of a service costs: the table, the manifest and the runtime, against reading JSON, and frameworks."""

from __future__ import annotations

import shutil
from dataclasses import replace

from .compiling import folder_of
from .measuring import Process, ratio
from .rows import Row, Setting
from .trees import FRAMEWORKS, TOOLS_A_MODULE, write_tree

_OURS = """
import asyncio
from lauren_build.dispatch import TABLE
import lauren_runtime
lauren_runtime.ToolExecutor(TABLE)
assert len(TABLE.manifest()["tools"]) == {tools}
"""
_SCHEMAS_OF_OURS = """
from lauren_build.dispatch import TABLE
schemas = [each["input_schema"] for each in TABLE.manifest()["tools"]]
assert len(schemas) == {tools}
"""
_JSON = """
import asyncio, json
with open("lauren_build/manifest.json", encoding="utf-8") as file:
    assert len(json.load(file)["tools"]) == {tools}
"""
_BYTES = """
with open("lauren_build/providers/anthropic.json", "rb") as file:
    file.read()
"""
_SCHEMAS = {
    "lauren": "from lauren_ai._tools import TOOL_META\nread = lambda each: getattr(each, TOOL_META).parameters",
    "pydantic-ai": "read = lambda each: each.tool_def.parameters_json_schema",
    "openai-agents": "read = lambda each: each.params_json_schema",
    "langchain-core": "from langchain_core.utils.function_calling import convert_to_openai_tool as read",
    "fastmcp": "read = lambda each: each.parameters",
}
_FRAMEWORK = """
import importlib
{read}
modules = [importlib.import_module(f"{package}.mod_{{number:04d}}") for number in range({modules})]
schemas = [read(each) for module in modules for each in module.TOOLS]
assert len(schemas) == {tools}
"""
_GOALS = {"lauren": 25, "pydantic-ai": 60, "openai-agents": 100, "fastmcp": 120, "langchain-core": 150}


def _process(setting: Setting, code: str, **variables: str) -> Process:
    folder = folder_of(setting, setting.tools)
    return Process([str(setting.python), "-c", code.format(tools=setting.tools)], folder, variables)


def _table(setting: Setting) -> float:
    return ratio(_process(setting, _OURS), _process(setting, _JSON), setting.runs)


def _without_bytecode(setting: Setting) -> float:
    """No cached bytecode of the build; that of the runtime and the library is there, as in an image."""
    ours = _process(setting, _OURS, PYTHONDONTWRITEBYTECODE="1")

    def clear() -> None:
        for folder in (ours.folder / "lauren_build").rglob("__pycache__"):
            shutil.rmtree(folder)

    return ratio(replace(ours, before=clear), _process(setting, _JSON), setting.runs)


def _bytes(setting: Setting) -> float:
    return ratio(_process(setting, _BYTES), _process(setting, "pass"), setting.runs)


def _framework(name: str) -> Row:
    def measure(setting: Setting) -> float:
        folder = setting.work / f"imported-{name}-{setting.tools}"
        if not folder.exists():
            write_tree(folder, setting.tools, name)
        modules = setting.tools // TOOLS_A_MODULE
        code = _FRAMEWORK.format(
            read=_SCHEMAS[name], package=FRAMEWORKS[name].package, modules=modules, tools=setting.tools
        )
        theirs = Process([str(setting.python), "-c", code], folder)
        return ratio(theirs, _process(setting, _SCHEMAS_OF_OURS), max(2, setting.runs // 4))

    return Row(f"{name} ÷ ours, all schemas as dicts", _GOALS[name], measure, at_least=True)


ROWS = [
    Row("table, runtime and manifest ÷ a process that reads the manifest as JSON", 1.35, _table),
    Row("the same without bytecode of the build", 2, _without_bytecode),
    Row("a provider's file as bytes ÷ `python -c pass`", 1.1, _bytes),
    *map(_framework, _GOALS),
]
