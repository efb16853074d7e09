"""Drawn classes of agents have the tools, model and prompt that the decorators give them when Python runs them.

Oracles are the runtime's own decorators, and lauren-ai's in an environment of its own.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from harness import requires
from harness.agent_sources import agent_classes, source
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.lower.agents.options import CONFIGURATION, KNOWN
from lauren_compiler.pipeline import run
from lauren_runtime import AgentConfig, agent

from .lauren_ai_agents import agents_of

HERE = Path(__file__).parent
PATIENT = settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)


def compiled(folder: Path, text: str) -> dict[str, Any]:
    """The agents of a source, by class."""
    path = folder / "drawn.py"
    path.write_text(text, "utf-8")
    outcome = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out", targets=("mcp",)))
    assert outcome.artifacts, [found.message for found in outcome.diagnostics]
    found = {
        agent.qualname: {
            "tools": [tool.qualname for tool in sorted(agent.tools, key=lambda tool: tool.qualname)],
            "model": agent.model,
            "system": agent.system,
        }
        for agent in outcome.toolset.agents
    }
    assert outcome.agents.found == outcome.agents.compiled == len(found)
    return found


@PATIENT
@given(agent_classes())
def test_as_the_runtime_has_them(tmp_path: Path, classes: str) -> None:
    expected = agents_of(source("lauren_runtime", classes))
    assume(expected is not None)
    assert compiled(tmp_path, source("lauren_runtime", classes)) == expected


@settings(PATIENT, max_examples=3)
@given(st.lists(agent_classes(), min_size=15, max_size=15))
def test_as_lauren_ai_has_them(tmp_path: Path, drawn: list[str]) -> None:
    sources = [source("lauren_ai", classes) for classes in drawn]
    command = [python(), str(HERE / "lauren_ai_agents.py")]
    done = subprocess.run(command, input=json.dumps(sources), capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert any(answers)
    for text, expected in zip(sources, answers, strict=True):
        if expected is not None:
            assert compiled(tmp_path, text) == expected


def test_every_option_that_they_take_is_known() -> None:
    assert set(AgentConfig.__slots__) - {"given"} <= CONFIGURATION
    assert {name for name in inspect.signature(agent).parameters if name not in ("args", "options")} <= KNOWN
    ask = (
        "import dataclasses, inspect, lauren_ai\n"
        "print(*(field.name for field in dataclasses.fields(lauren_ai.AgentConfig)))\n"
        "print(*inspect.signature(lauren_ai.agent).parameters)"
    )
    done = subprocess.run([python(), "-c", ask], capture_output=True, text=True, check=True, cwd=HERE)
    fields, options = (set(line.split()) for line in done.stdout.splitlines())
    assert fields <= CONFIGURATION
    assert options - {"args", "config_kwargs"} <= KNOWN
    assert fields | set(AgentConfig.__slots__) - {"given"} == CONFIGURATION


def python() -> str:
    """The Python of an environment with lauren-ai in it."""
    found = os.environ.get("LAUREN_AI_PYTHON")
    if found is None:
        requires.missing("LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0")
    return found
