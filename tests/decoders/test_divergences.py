"""Every decoded value that differs from pydantic's on purpose still does, and is what `divergences.toml` says."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from harness.annotations import IMPORTS
from harness.generated import decode_of
from lauren_compiler.config import Config
from lauren_compiler.pipeline import run
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter

LIST = Path(__file__).parents[1] / "differential" / "divergences.toml"
ENTRIES = tomllib.loads(LIST.read_text("utf-8"))["decoding"]
TOOL = "from lauren_runtime import tool\n\n@tool()\ndef f(p: {}):\n    '''Does it.'''\n"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_a_divergence(entry: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert entry["reason"]
    source = f"{IMPORTS}\n{entry['source']}\n{TOOL.format(entry['annotation'])}"
    path = tmp_path / "divergent.py"
    path.write_text(source, encoding="utf-8")
    outcome = run(Config(sources=(path,), roots=(tmp_path,), project=tmp_path, out=tmp_path / "out"))
    module = ModuleType("divergent")
    monkeypatch.setitem(sys.modules, "divergent", module)
    exec(compile(source, "divergent", "exec", dont_inherit=True), vars(module))
    texts = {each.path: each.content for each in outcome.artifacts}
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(texts["_tools/divergent.py"], "generated", "exec"), names)
    assert ours(decode_of(names, "f"), entry["value"]) == entry["ours"]
    annotation = eval(entry["annotation"], vars(module))
    assert repr(TypeAdapter(annotation).validate_json(entry["value"])) == entry["theirs"]
    assert entry["ours"] != entry["theirs"]


def ours(decode: Any, value: str) -> str:
    try:
        _, kwargs, _ = decode({"p": json.loads(value)}, True)
    except ToolInputError:
        return "refused"
    return repr(kwargs["p"])
