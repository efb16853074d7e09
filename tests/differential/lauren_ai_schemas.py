"""Run by the Python that has lauren-ai: prints what its `tool()` makes of source texts.

stdin: `{"setup": source, "annotations": [text], "module": source}`. stdout: `{"annotations": {text: schema},
"tools": {qualname: schema}}`, a schema being what lauren-ai keeps as a tool's parameters.
"""

from __future__ import annotations

import json
import sys
import types
from typing import Any


def module_of(name: str, source: str) -> dict[str, Any]:
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))
    return vars(module)


def schema_of(tool: Any) -> Any:
    from lauren_ai._tools import TOOL_META

    return getattr(tool, TOOL_META).parameters


def main() -> None:
    asked = json.load(sys.stdin)
    namespace = module_of("shop", asked["setup"])
    annotations: dict[str, Any] = {}
    for text in asked["annotations"]:
        source = f"@tool()\ndef f(p: {text}):\n    '''Does it.'''\n"
        exec(compile(source, "shop", "exec", dont_inherit=True), namespace)
        annotations[text] = schema_of(namespace["f"])
    tools = {
        name: schema_of(value)
        for name, value in module_of("tools", asked["module"]).items()
        if "__lauren_ai_tool__" in getattr(value, "__dict__", {})
    }
    # Enum members in schemas (a fault of its own) have no JSON form.
    json.dump({"annotations": annotations, "tools": tools}, sys.stdout, default=str)


main()
