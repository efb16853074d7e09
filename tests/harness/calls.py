"""`call` blocks: a line `tool {"its": "arguments"}`, below it the lines of the answer, indented by two spaces.

An answer starts with `->` for a result and `!!` for an error. The calls of a block run one after another in one process
of their own, through one executor, so that nothing of a case stays in the test's process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_SCRIPT = """
import asyncio, json, sys
answers, sys.stdout = sys.stdout, sys.stderr  # what tools print is no answer
sys.path.insert(0, sys.argv[1])
from lauren_runtime import ToolCall, ToolExecutor
from lauren_runtime.loading import load_build
import lauren_runtime.standin
lauren_runtime.standin.install()
executor = ToolExecutor(load_build(sys.argv[1] + "/lauren_build"))
async def main():
    for line in json.loads(sys.argv[2]):
        name, _, text = line.partition(" ")
        result = await executor.execute(ToolCall("call", name, text))
        content = result.content if isinstance(result.content, str) else json.dumps(result.content)
        print(json.dumps([result.is_error, content]), file=answers)
asyncio.run(main())
"""


def answer_calls(lines: Sequence[str], folder: Path) -> list[str]:
    """The block as it should be: every request with its answer below it."""
    requests = [line for line in lines if line.strip() and not line.startswith("  ")]
    command = [sys.executable, "-c", _SCRIPT, str(folder), json.dumps(requests)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if process.returncode:
        raise AssertionError(f"the calls ended with {process.returncode}:\n{process.stderr}")
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    found: list[str] = []
    for request, (is_error, content) in zip(requests, answers, strict=True):
        first, *rest = content.split("\n")
        found += [
            request,
            f"  {'!!' if is_error else '->'} {first}".rstrip(),
            *(f"     {line}".rstrip() for line in rest),
        ]
    return found
