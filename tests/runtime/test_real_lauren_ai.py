"""Tools decorated by the real lauren-ai, in an environment that has it: all it leaves on them is read."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import lauren_runtime
from harness import requires
from harness.compiling import write_build

SOURCE = (Path(__file__).parent / "lauren_ai_tools.txt").read_text("utf-8")
CONTAINER = (Path(__file__).parent / "lauren_container.txt").read_text("utf-8")
WITH_CONTAINER = """
import asyncio, sys
sys.path[:0] = sys.argv[1:3]
import lauren_runtime as R, shop
class Run: ...
async def main():
    executor = R.ToolExecutor(R.load_build(sys.argv[1] + "/lauren_build"), container=shop.container)
    async def ask(name, run):
        return (await executor.execute(R.ToolCall("t", name, {}), R.ToolContext(run))).content
    one, two = Run(), Run()
    print(*[await ask(name, run) for name in ("shared", "per_run") for run in (one, one, two)])
    await executor.end_run(one)
    print(await ask("per_run", one))
asyncio.run(main())
"""
SCRIPT = """
import asyncio, json, sys
sys.path[:0] = sys.argv[1:3]
import lauren_runtime as R
table = R.load_build(sys.argv[1] + "/lauren_build")
executor = R.ToolExecutor(table, cache_backend=R.InMemoryCacheBackend())
for name, arguments in json.loads(sys.argv[3]):
    try:
        result = asyncio.run(executor.execute(R.ToolCall("t", name, arguments)))
        print(json.dumps([result.content, result.is_error, result.status, result.cached, result.tool_use_id]))
    except R.ToolPendingApprovalSignal as signal:
        print(json.dumps(["approve", signal.tool_input]))
import shop
print(json.dumps(shop.LOG))
"""
EXPECTED = [
    (("weather", {"city": "Oslo"}), ["sun in Oslo", False, "executed", False, "t"]),
    (("weather", {"city": "Oslo"}), ["sun in Oslo", False, "executed", True, "t"]),
    (("weather", {"city": "denied"}), ["denied", False, "aborted", False, "t"]),
    (("weather", {"city": "moved"}), ["sun in Bergen", False, "executed", False, "t"]),
    (("weather", {"city": "wrapped"}), ['{"wrapped": "sun in wrapped"}', False, "executed", False, "t"]),
    (("weather", {"city": "nowhere"}), ["fallback", False, "suppressed", False, "t"]),
    (("refuse", {}), ["refused refuse", True, "error", False, "t"]),
    (("pay", {"amount": 3}), ["3", False, "executed", False, "t"]),
    (("pay", {"amount": "4"}), ["approve", {"amount": 4}]),
    (("once", {}), ["1", False, "executed", False, "t"]),
    (("once", {}), ["2", False, "executed", False, "t"]),
    (("fresh", {}), ["1", False, "executed", False, "t"]),
    (("fresh", {}), ["1", False, "executed", False, "t"]),
]
LOG = ["before pre after", "before after", "before", "before pre after", "before pre after", "before pre"]
"""What each weather call leaves in the log."""


def test_they_run(tmp_path: Path) -> None:
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    write_build(SOURCE, tmp_path)
    runtime = Path(lauren_runtime.__file__).parent.parent
    calls = json.dumps([call for call, _ in EXPECTED])
    command = [python, "-c", SCRIPT, str(tmp_path), str(runtime), calls]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    *answers, log = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [answer for _, answer in EXPECTED]
    assert log == [word for words in LOG for word in words.split()]


def test_a_container_of_lauren_makes_them(tmp_path: Path) -> None:
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    write_build(CONTAINER, tmp_path)
    command = [python, "-c", WITH_CONTAINER, str(tmp_path), str(Path(lauren_runtime.__file__).parent.parent)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 2 3 1 2 1\n1\n"
