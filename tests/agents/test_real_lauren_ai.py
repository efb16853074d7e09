"""Agents decorated by the real lauren-ai run here too, with what they say of themselves."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import lauren_runtime
from harness import requires
from harness.compiling import write_build

SOURCE = '''
from lauren_ai import AgentConfig, agent, tool, use_tools


@tool()
async def add(a: int) -> int:
    """Add one."""
    return a + 1


@agent(model="theirs", max_turns=1, config=AgentConfig(max_tokens_per_turn=7, tool_error_policy="skip"))
@use_tools(add)
class Sums:
    """Add."""

    async def on_finish(self, response, ctx):
        print(ctx.agent_name, response.stop_reason)


@agent(config=AgentConfig(system_prompt="Theirs."))
class Plain: ...
'''
SCRIPT = """
import asyncio, sys
sys.path[:0] = sys.argv[1:3]
from lauren_runtime import AgentConfig, load_build
from lauren_runtime.testing import AgentClient, asks
import shop
client = AgentClient(load_build(sys.argv[1] + "/lauren_build"), asks("add", a=1), "plain", model="ours",
                     config=AgentConfig(temperature=0.5, max_turns=4))
client.run(shop.Sums, "go")
client.run(shop.Plain, "go")
for request in client.model.requests:
    print(request.model, request.system, request.max_tokens, request.temperature, len(request.tools.entries))
"""


def test_they_run(tmp_path: Path) -> None:
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    write_build(SOURCE, tmp_path)
    runtime = str(Path(lauren_runtime.__file__).parent.parent)
    done = subprocess.run([python, "-c", SCRIPT, str(tmp_path), runtime], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["Sums max_turns", "theirs Add. 7 0.5 1", "ours Theirs. 4096 0.5 0"]
