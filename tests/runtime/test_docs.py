"""The examples of docs/runtime.md run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import lauren_runtime
from harness.compiling import write_build

ROOT = Path(__file__).parents[2]
RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "runtime.md").read_text("utf-8"), flags=re.S)
WEATHER = '''
from lauren_runtime import tool

@tool()
async def get_weather(city: str) -> str:
    """Weather."""
    return f"sun in {city}"
'''
CALL = """
import asyncio, sys
from lauren_runtime import ToolCall, ToolExecutor, load_build
executor = ToolExecutor(load_build("lauren_build"))
for amount in (100, 101):
    print(asyncio.run(executor.execute(ToolCall("t", "pay", {"amount": amount}))).content)
"""


def run(code: str, folder: Path) -> str:
    setup = f"import sys; sys.path[:0] = {[str(folder), RUNTIME]!r}\n"
    done = subprocess.run([sys.executable, "-c", setup + code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_call(tmp_path: Path) -> None:
    write_build(WEATHER, tmp_path)
    assert run(BLOCKS[0], tmp_path) == "sun in Paris\n"


def test_the_hook(tmp_path: Path) -> None:
    write_build(BLOCKS[1], tmp_path)
    assert run(CALL, tmp_path) == "paid 100\ntoo much\n"
    assert len(BLOCKS) == 2
