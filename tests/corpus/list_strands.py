"""The tools of a package of strands tools, as their objects give them; run by an interpreter that has strands.

Usage: list_strands.py PACKAGE. Prints `{name: {"description", "schema"}}` as JSON, of decorated functions and methods,
and of modules with a `TOOL_SPEC`; a module that can't be imported is named on standard error.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any


def main(package: str) -> None:
    """Import the package's modules and print what they hold."""
    found: dict[str, Any] = {}
    with redirect_stdout(sys.stderr):
        for name in _modules(package):
            try:
                module = importlib.import_module(name)
            except Exception as error:
                print(f"{name}: {error!r}", file=sys.stderr)
                continue
            for spec in _specs(module):
                schema = spec["inputSchema"].get("json", spec["inputSchema"])
                found.setdefault(spec["name"], {"description": spec["description"], "schema": schema})
    print(json.dumps(found))


def _modules(package: str) -> Iterator[str]:
    root = importlib.import_module(package)
    for each in pkgutil.walk_packages(root.__path__, f"{package}."):
        yield each.name


def _specs(module: Any) -> Iterator[Any]:
    if isinstance(getattr(module, "TOOL_SPEC", None), dict):
        yield module.TOOL_SPEC
    for owner in (module, *(each for each in vars(module).values() if isinstance(each, type))):
        for each in list(vars(owner).values()):
            spec = getattr(each, "tool_spec", None)
            if isinstance(spec, dict):
                yield spec


if __name__ == "__main__":
    main(sys.argv[1])
