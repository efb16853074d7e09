"""Run by the Python that has lauren-ai: prints what its decorators make of modules of agents.

stdin: a list of sources. stdout: for each, `{class: {"tools": [names of functions and classes], "model", "system"}}`
of the classes that are marked themselves; None for a source that Python refuses.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def agents_of(source: str) -> dict[str, Any] | None:
    namespace: dict[str, Any] = {"__name__": "drawn"}
    try:
        exec(compile(source, "drawn.py", "exec", dont_inherit=True), namespace)
    except TypeError:  # an order of bases that can't be
        return None
    marked = {key: value for key, value in namespace.items() if "__lauren_ai_agent__" in getattr(value, "__dict__", {})}
    return {key: said_of(value) for key, value in marked.items() if isinstance(value, type)}


def said_of(cls: Any) -> dict[str, Any]:
    meta = cls.__lauren_ai_agent__
    tools = {tool.__name__ for tool in getattr(cls, "__lauren_ai_tools__", ())}
    return {"tools": sorted(tools), "model": meta.model, "system": meta.system}


if __name__ == "__main__":
    json.dump([agents_of(source) for source in json.load(sys.stdin)], sys.stdout)
