"""Runs sources that define a module `Root` and a list `ASK`, one JSON text a line; prints what came of each.

Or an async function `talk`, which is called instead, and what it gives is printed.

Run by an interpreter with the real lauren, or, with the runtime's folder as argument, with the stand-in for it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import types
from typing import Any

if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])
    from lauren_runtime import standin

    standin.install()

from lauren import LaurenFactory

PLAIN = (str, int, float, bool, type(None))


def outcome(source: str, number: int) -> dict[str, Any]:
    """`errors`: names of the kinds of error; or `objects`: what was asked for; `log`: what hooks noted."""
    module = types.ModuleType(f"graph_{number}")
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, module.__name__, "exec"), vars(module))
        return asyncio.run(run(module))
    except Exception as error:
        found = getattr(error, "errors", (error,))
        return {"errors": [name_of(each) for each in found], "message": str(error)}
    finally:
        del sys.modules[module.__name__]


def name_of(error: Exception) -> str:
    """The name of a kind of error that both know."""
    return "ValueError" if isinstance(error, ValueError) else type(error).__name__


async def run(module: types.ModuleType) -> dict[str, Any]:
    if hasattr(module, "talk"):
        return {"objects": await module.talk()}
    app = LaurenFactory.create(module.Root)
    await app.startup()
    log: list[str] = getattr(module, "LOG", [])
    started = sorted(log)
    cache: dict[Any, Any] = {}
    objects = [
        await app.container.resolve(token, request_cache=cache, owning_module=owner) for token, owner in module.ASK
    ]
    known: dict[int, int] = {}
    shown = [picture(each, known, objects) for each in objects]
    await app.shutdown()
    return {"objects": shown, "started": started, "log": sorted(log)}


def picture(value: Any, known: dict[int, int], alive: list[Any]) -> Any:
    """An object as its class, its attributes and a number; the number alone where it has been shown."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, list):
        return [picture(each, known, alive) for each in sorted(value, key=lambda each: type(each).__name__)]
    if id(value) in known:
        return known[id(value)]
    known[id(value)] = len(known)
    attributes = {name: picture(part, known, alive) for name, part in sorted(vars(value).items())}
    return [type(value).__qualname__, known[id(value)], attributes]


def main() -> None:
    for number, line in enumerate(sys.stdin):
        print(json.dumps(outcome(json.loads(line), number)), flush=True)


main()
