"""Of all that the real lauren_ai and lauren have, the stand-ins offer a name, or say why they do not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest
from harness import requires
from lauren_runtime import standin
from lauren_runtime.standin.names import OFFERED, why_not

LISTING = """
import importlib, json, pkgutil, lauren, lauren_ai
found = {}
for package in (lauren_ai, lauren):
    names = [package.__name__, *(each.name for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."))]
    for name in names:
        try:
            found[name] = list(getattr(importlib.import_module(name), "__all__", []))
        except ImportError:  # one of its extras is not installed
            found[name] = []
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def real() -> dict[str, list[str]]:
    """The names that each module of the real packages exports."""
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    done = subprocess.run([python, "-c", LISTING], capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.fixture
def _installed() -> Iterator[None]:
    standin.install()
    yield
    standin.uninstall()


def test_every_exported_name_is_offered_or_explained(real: dict[str, list[str]]) -> None:
    exported = [f"{module}.{name}" for module in OFFERED if module in real for name in real[module]]
    assert len(exported) > 400
    silent = [each for each in exported if not offers(each) and each not in real and why_not(each) is None]
    assert silent == []


def test_every_module_is_offered_or_explained(real: dict[str, list[str]]) -> None:
    silent = [name for name in real if name not in OFFERED and why_not(name) is None]
    assert silent == []


def test_nothing_is_both_offered_and_explained() -> None:
    both = [f"{module}.{name}" for module, names in OFFERED.items() for name in names if why_not(f"{module}.{name}")]
    assert both == []


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("module", sorted(OFFERED))
def test_what_is_offered_is_there(module: str) -> None:
    assert [name for name in OFFERED[module] if getattr(import_module(module), name) is None] == []


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("from lauren_ai import Chain", "stand-in for lauren_ai has no 'Chain': prompts, chains, parsers"),
        ("from lauren_ai import tool, CostTracker", "has no 'CostTracker': this runtime keeps no list of prices"),
        ("import lauren_ai._workflows", "has no '_workflows': this runtime runs single agents"),
        ("import lauren_ai.mcp", "has no 'mcp': tools that are found only at run time"),
        ("from lauren import Router", "stand-in for lauren has no 'Router': it is part of lauren's web framework"),
        ("from lauren_ai._transport import Transport", "this runtime asks models through `lauren_runtime.ModelClient`"),
        ("import lauren_ai; lauren_ai.team", "does not offer 'team': this runtime runs single agents"),
    ],
)
def test_an_import_says_why(code: str, told: str) -> None:
    with pytest.raises((ImportError, AttributeError)) as caught:
        exec(code, {})
    assert told in str(caught.value)
    assert not hasattr(sys.modules["lauren_ai"], "Chain")


def offers(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return last in OFFERED.get(module, ())
