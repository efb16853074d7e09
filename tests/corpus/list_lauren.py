"""The tools of a module of lauren-ai's, as its objects give them; run by an interpreter that has lauren-ai.

Usage: list_lauren.py MODULE. Prints `{name: {"description", "schema"}}` as JSON.
"""

from __future__ import annotations

import importlib
import json
import sys


def main(name: str) -> None:
    """Import the module and print what its tools' metadata says."""
    marks = importlib.import_module("lauren_ai._tools")
    found = {}
    for value in vars(importlib.import_module(name)).values():
        meta = getattr(value, marks.TOOL_META, None)
        if meta is not None:
            found[meta.name] = {"description": meta.description, "schema": meta.parameters["input_schema"]}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
