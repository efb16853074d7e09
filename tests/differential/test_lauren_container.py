"""The container makes the same objects of the same modules as lauren 1.10 does, and refuses what that refuses.

Where they differ on purpose, `container_divergences.toml` says so. What the compiler says of the source is held against
both.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lauren_runtime
import pytest
from harness import requires
from harness.applications import compiled
from harness.container_graphs import HEAD, Graph, graphs
from hypothesis import HealthCheck, Phase, given, settings

HERE = Path(__file__).parent
SCRIPT = str(HERE / "container_objects.py")
RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
DIVERGENCES = tomllib.loads((HERE / "container_divergences.toml").read_text("utf-8"))["divergence"]


class Interpreter:
    """A process that says what came of the sources it is sent."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, source: str) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def theirs() -> Iterator[Interpreter]:
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0, which brings lauren 1.10"
    )
    process = Interpreter(python, SCRIPT)
    yield process
    process.close()


@pytest.fixture(scope="module")
def ours() -> Iterator[Interpreter]:
    process = Interpreter(sys.executable, SCRIPT, RUNTIME)
    yield process
    process.close()


def agree(theirs: dict[str, Any], ours: dict[str, Any]) -> bool:
    """The same objects and notes; or the one error that theirs reports is among all that ours reports."""
    if "errors" in theirs and "errors" in ours:
        return theirs["errors"][0] in ours["errors"]
    return theirs == ours


def looks_circular(answer: dict[str, Any]) -> bool:
    """Theirs reports a cycle; it fails to name one that goes through a token that is no class."""
    return answer.get("errors") in (["CircularDependencyError"], ["AttributeError"])


@settings(
    max_examples=300,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(graph=graphs)
def test_drawn_applications_agree(theirs: Interpreter, ours: Interpreter, graph: Graph) -> None:
    expected, found = theirs.ask(graph.text), ours.ask(graph.text)
    if "errors" in expected and set(found.get("errors", ())) & {"ValueError", "CircularModuleError"}:
        # Ours looks at what modules declare when their imports are sound; theirs goes module by module.
        found["errors"] += ours.ask(graph.sound).get("errors", [])
    if not agree(expected, found) and looks_circular(expected):
        # Listed: theirs finds cycles through what a module does not see. With everything in sight ours has them too.
        found = ours.ask(graph.flat)
        assert "CircularDependencyError" in found.get("errors", ()), graph.text
        return
    assert agree(expected, found), f"{graph.text}\ntheirs: {expected}\nours: {found}"


NAMED = "\nfrom lauren import LaurenFactory\ndef main():\n    LaurenFactory.create(Root)\n"
"""Says which module is the application: without it each that no other imports is one."""


def verdict(source: str, folder: Path) -> tuple[frozenset[str], bool]:
    """The kinds of error that the compiler finds, as both know them; and whether it leaves something to start-up."""
    found = compiled(source + NAMED, folder)
    return frozenset(KNOWN.get(name, name) for name in found.errors), found.is_dynamic


KNOWN = {"ModuleImportError": "ValueError"}


@settings(
    max_examples=150,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(graph=graphs)
def test_what_theirs_refuses_the_compiler_refuses(theirs: Interpreter, graph: Graph, tmp_path: Path) -> None:
    expected = theirs.ask(graph.text)
    found, is_dynamic = verdict(graph.text, tmp_path)
    if looks_circular(expected):
        found = found | verdict(graph.flat, tmp_path)[0]  # see above
        assert is_dynamic or "CircularDependencyError" in found, graph.text
    elif "errors" in expected:
        assert is_dynamic or expected["errors"][0] in found, f"{graph.text}\ntheirs: {expected}\nours: {found}"
    else:
        assert not found, f"{graph.text}\ntheirs: {expected}\nours: {found}"


def said(answer: dict[str, Any]) -> str:
    return answer["errors"][0] if "errors" in answer else json.dumps(answer["objects"])


@pytest.mark.parametrize("entry", DIVERGENCES, ids=[entry["reason"][:60] for entry in DIVERGENCES])
def test_every_listed_difference_is_one(theirs: Interpreter, ours: Interpreter, entry: dict[str, Any]) -> None:
    expected, found = theirs.ask(HEAD + entry["source"]), ours.ask(HEAD + entry["source"])
    assert said(expected) == entry["theirs"]
    assert said(found) == entry["ours"]
    assert expected != found
    assert found.get("log", []) == entry.get("log", found.get("log", []))


@pytest.mark.parametrize("entry", DIVERGENCES, ids=[entry["reason"][:60] for entry in DIVERGENCES])
def test_the_compiler_is_on_our_side(entry: dict[str, Any], tmp_path: Path) -> None:
    """Of each listed difference it says what our container says."""
    found, is_dynamic = verdict(HEAD + entry["source"], tmp_path)
    expected = {entry["ours"]} if entry["ours"].endswith("Error") else set[str]()
    if entry.get("later") or "async def talk" in entry["source"]:
        expected = set()
    assert found == expected
    assert not is_dynamic
