"""Run by the Python that has lauren-ai: what its `tool()` makes of whole modules.

stdin: a source a line, as JSON. stdout: a line for each, `{qualname: {"name", "description", "input_schema"}}` of the
tools at its top, or `{"error": "Kind: text"}` if it can't be run.
"""

from __future__ import annotations

import json
import logging
import sys
import types
import warnings
from typing import Any


def made(source: str) -> dict[str, Any]:
    from lauren_ai._tools import TOOL_META

    module = types.ModuleType("drawn")
    sys.modules["drawn"] = module
    try:
        exec(compile(source, "drawn.py", "exec", dont_inherit=True), vars(module))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    marked = {key: value for key, value in vars(module).items() if TOOL_META in getattr(value, "__dict__", {})}
    return {key: getattr(value, TOOL_META).parameters for key, value in marked.items()}


def main() -> None:
    logging.disable()
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        # Objects in schemas (a fault of its own) have no JSON form.
        print(json.dumps(made(json.loads(line)), default=str), flush=True)


main()
