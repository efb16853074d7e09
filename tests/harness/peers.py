"""What the compiler says that lauren-ai makes of a source, and what it makes of it, run where it is installed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Diagnostic, Level, Sink
from lauren_compiler.diagnostics.rules.runtimes import OTHER_SCHEMA, OTHER_TEXT
from lauren_compiler.discover.files import find_sources
from lauren_compiler.ir.peers import LOST, MODEL, NO_JSON, PeerTool
from lauren_compiler.lower.program import lower
from lauren_compiler.pipeline import with_deep_stack
from lauren_compiler.schema.json_schema import input_schema
from lauren_compiler.semantics.load import load_sources, open_program
from lauren_compiler.source.filesystem import Disk
from lauren_compiler.targets.canonical import canonical
from lauren_compiler.targets.peers import differences, predicted

from . import requires

SCRIPT = Path(__file__).parents[1] / "differential" / "lauren_ai_modules.py"


@dataclass(frozen=True)
class Derived:
    """Of one module: by tool, what lauren-ai is said to make of it, and ours; what is told of them; errors."""

    theirs: Mapping[str, dict[str, Any]]
    ours: Mapping[str, dict[str, Any]]
    peers: Mapping[str, PeerTool]
    told: tuple[Diagnostic, ...]
    errors: tuple[str, ...]

    @property
    def kinds(self) -> set[str]:
        """The names of the rows that are told."""
        return {name for each in self.told for name in each.label.split(", ") if name}

    def is_told(self, tool: str, *, text: bool = False) -> bool:
        """Whether a difference of this tool is told."""
        rule = OTHER_TEXT if text else OTHER_SCHEMA
        return any(each.rule is rule and f"`{tool}`" in each.message for each in self.told)


def derive(source: str, folder: Path, name: str = "drawn") -> Derived:
    """Compile a module, which is written into `folder`, for lauren-ai."""
    (folder / f"{name}.py").write_text(source, "utf-8")
    return with_deep_stack(lambda: _derive(folder, folder / f"{name}.py"))


def _derive(folder: Path, path: Path) -> Derived:
    config = Config(sources=(path,), roots=(folder,), project=folder, target_runtime="lauren-ai")
    files, sink = Disk(), Sink()
    paths = find_sources(config, files, str, sink)
    sources = load_sources(paths, config, files, str, sink)
    program = open_program(sources, config, files, str, sink)
    lowered = lower(program, sources, config, sink)
    tools = {tool.qualname: tool for tool in lowered.toolset.tools}
    peers = {each.key.partition(":")[2]: each for each in lowered.peers}
    theirs = {
        name: {
            "name": peer.own_name,
            "description": peer.description,
            "input_schema": predicted(peer, tools[name], lowered.toolset),
        }
        for name, peer in peers.items()
        if name in tools
    }
    ours = {
        name: {
            "name": tool.name,
            "description": tool.description,
            "input_schema": input_schema(tool, lowered.toolset),
        }
        for name, tool in tools.items()
    }
    told = tuple(differences(lowered.peers, lowered.toolset))
    return Derived(theirs, ours, peers, told, tuple(each.message for each in sink if each.level is Level.ERROR))


class LaurenAI:
    """The real package, in a process of its own that is asked of one module after the other."""

    def __init__(self) -> None:
        python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
            "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
        )
        self._process = subprocess.Popen(
            [python, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def tools(self, source: str) -> dict[str, Any]:
        """By tool, what it keeps of it; or `{"error": text}` for a module that can't be run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def agree(ours: dict[str, Any], theirs: dict[str, Any], *, texts: bool) -> bool:
    """Whether two schemas of arguments say the same, the root's closure apart."""
    schemas = [{key: value for key, value in each.items() if key != "additionalProperties"} for each in (ours, theirs)]
    if ours.get("additionalProperties") not in (False, None):
        return False
    found = [canonical(each, each.get("$defs", {}), texts=texts) for each in schemas]
    return bool(found[0] == found[1])


def is_as_predicted(said: Any, real: Any) -> bool:
    """Whether what lauren-ai made is what was said, where that is known: see `ir/peers.py`."""
    if isinstance(said, dict):
        if MODEL in said:
            return isinstance(real, dict) and "properties" in real | real.get("$defs", {})
        if LOST in said:
            rest = {key: value for key, value in said.items() if key != LOST}
            lost = ({"type": "string"}, {"type": "object", "properties": {}, "required": []})
            return any(is_as_predicted({**each, **rest}, real) for each in lost)
        if not isinstance(real, dict) or said.keys() != real.keys():
            return False
        return all(
            isinstance(real[key], str) if value == NO_JSON else is_as_predicted(value, real[key])
            for key, value in said.items()
        )
    if isinstance(said, list):
        return isinstance(real, list) and len(said) == len(real) and all(map(is_as_predicted, said, real))
    return bool(said == real and type(said) is type(real))
