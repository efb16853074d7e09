"""Every difference from pydantic that `divergences.toml` lists is still there, and is what the list says."""

from __future__ import annotations

import json
import sys
import tomllib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.annotations import IMPORTS
from harness.compiling import compile_source

ENTRIES = tomllib.loads((Path(__file__).parent / "divergences.toml").read_text("utf-8"))["pydantic"]


def property_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    return {"p": schema["properties"]["p"], **definitions}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_a_divergence(entry: Mapping[str, str], tmp_path: Path) -> None:
    assert entry["reason"]
    setup = f"{IMPORTS}\n{entry['source']}\n"
    tool = f"from lauren_runtime import tool\n\n@tool()\ndef f(p: {entry['annotation']}):\n    '''Does it.'''\n"
    build = compile_source(setup + tool, tmp_path)
    ours = sorted(set(build.errors)) or property_of(build.tools["f"]["input_schema"])
    theirs = property_of(pydantic_oracle.model_schema({"p": (evaluated(setup, entry["annotation"]), ...)}))
    assert exact(ours) == exact(json.loads(entry["ours"]))
    assert exact(theirs) == exact(json.loads(entry["theirs"]))
    assert exact(ours) != exact(theirs)


def exact(value: Any) -> str:
    """`1`, `1.0` and `true` are equal to Python, and are not here."""
    return json.dumps(value, sort_keys=True)


def evaluated(setup: str, annotation: str) -> Any:
    module = types.ModuleType("divergent")
    sys.modules[module.__name__] = module
    try:
        exec(compile(setup, "divergent", "exec", dont_inherit=True), vars(module))
        return eval(annotation, vars(module))
    finally:
        del sys.modules[module.__name__]


def test_names_are_unique() -> None:
    names = [entry["name"] for entry in ENTRIES]
    assert sorted(set(names)) == sorted(names)
