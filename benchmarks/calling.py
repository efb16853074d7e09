"""What a call costs: decoding against msgspec and pydantic-core, the executor against those of frameworks."""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import logging
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from . import peers
from .measuring import Process
from .peers import Call
from .rows import Row, Setting

_SHAPES = Path(__file__).with_name("shapes.py")


@cache
def _built(folder: Path, python: Path) -> tuple[ModuleType, Any]:
    """The module of the shapes and their table."""
    place = folder / "called"
    place.mkdir()
    shutil.copy(_SHAPES, place / "shapes.py")
    Process([str(python), "-m", "lauren_compiler", "build", "-q", "shapes.py", "--target", "mcp"], place).run()
    sys.path.insert(0, str(place))
    logging.disable(logging.CRITICAL)
    return importlib.import_module("shapes"), importlib.import_module("lauren_build.dispatch").TABLE


def _medians(setting: Setting, calls: dict[str, tuple[Call, Any]], *, concurrent: int = 1) -> dict[str, float]:
    """The median CPU nanoseconds of each call, all in turn."""
    found: dict[str, list[float]] = {name: [] for name in calls}

    async def several(call: Call, given: Any, rounds: int) -> float:
        started = time.process_time_ns()
        for _ in range(rounds):
            if concurrent == 1:
                await call(given)
            else:
                await asyncio.gather(*(call(given) for _ in range(concurrent)))
        return (time.process_time_ns() - started) / (rounds * concurrent)

    async def run() -> None:
        rounds: dict[str, int] = {}
        for name, (call, given) in calls.items():
            await several(call, given, 3)
            once = await several(call, given, 3)
            rounds[name] = max(1, int(2e7 / max(once * concurrent, 1)))
        # What the peers' modules hold is no part of a call: a look for garbage among it hits whoever is running.
        gc.collect()
        gc.freeze()
        for _ in range(setting.runs * 2 + 1):
            for name, (call, given) in calls.items():
                found[name].append(await several(call, given, rounds[name]))

    try:
        asyncio.run(run())
    finally:
        gc.unfreeze()
    return {name: statistics.median(times) for name, times in found.items()}


def _decoding(setting: Setting, name: str) -> Call:
    """Our decoder, which calls."""
    from lauren_runtime.loading import decoder_of

    shapes, table = _built(setting.work, setting.python)
    quick, function = decoder_of(table, table.get(name)).quick, getattr(shapes, name)
    assert quick is not None
    return lambda arguments: quick(arguments, function)


def _executing(setting: Setting, name: str, **options: Any) -> Call:
    """Our executor, with all it does when nothing is configured."""
    from lauren_runtime import ToolCall, ToolExecutor

    executor = ToolExecutor(_built(setting.work, setting.python)[1], **options)
    return lambda given: executor.execute(ToolCall("x", name, given))


def _shape(name: str, peer: str, goal: float) -> Row:
    def measure(setting: Setting) -> float:
        shapes, _ = _built(setting.work, setting.python)
        theirs = {
            "msgspec": lambda: peers.msgspec_call(shapes, name),
            "msgspec to dataclasses": lambda: peers.msgspec_call(shapes, name, dataclasses=True),
            "pydantic-core": lambda: peers.pydantic_call(shapes, name),
        }[peer]()
        given = shapes.ARGUMENTS[name]
        found = _medians(setting, {"ours": (_decoding(setting, name), given), "theirs": (theirs, given)})
        return found["ours"] / found["theirs"]

    return Row(f"{name}: decode and call ÷ {peer}", goal, measure)


def _framework(peer: str, make: Callable[[Any], Call], goal: float, name: str = "s1", concurrent: int = 1) -> Row:
    def measure(setting: Setting) -> float:
        shapes, _ = _built(setting.work, setting.python)
        theirs, given = make(_undecorated(shapes, name)), shapes.ARGUMENTS.get(name, shapes.ARGUMENTS["s1"])
        calls = {"ours": (_executing(setting, name), given), "theirs": (theirs, given)}
        found = _medians(setting, calls, concurrent=concurrent)
        return found["theirs"] / found["ours"] if concurrent > 1 else found["ours"] / found["theirs"]

    if concurrent > 1:
        return Row(f"{concurrent:,} calls at once: calls a second ÷ {peer}'s", goal, measure, at_least=True)
    return Row(f"{name}: executor ÷ {peer}", goal, measure)


def _undecorated(shapes: ModuleType, name: str) -> Any:
    """A function of the same signature without our marks."""
    original = getattr(shapes, name)
    made = type(original)(original.__code__, original.__globals__, name, original.__defaults__)
    made.__annotations__, made.__doc__ = original.__annotations__, original.__doc__
    return made


def _decoding_text(setting: Setting, name: str) -> Call:
    """Parsing as the executor does, our decoder, which calls."""
    from lauren_runtime.json_text import quickest

    parse, call = quickest(), _decoding(setting, name)
    return lambda text: call(parse(text))


def _from_json(name: str, goal: float, *, quick: bool, executor: bool = True) -> Row:
    """With the parser of the standard library, or with orjson, which the executor takes if it is installed."""

    def measure(setting: Setting) -> float:
        shapes, _ = _built(setting.work, setting.python)
        text = json.dumps(shapes.ARGUMENTS[name])
        hidden = {} if quick else {"orjson": None}
        with _modules(hidden):
            ours = _executing(setting, name) if executor else _decoding_text(setting, name)
            calls = {"ours": (ours, text), "theirs": (peers.pydantic_json_call(shapes, name), text)}
            found = _medians(setting, calls)
        return found["ours"] / found["theirs"]

    parser = "with orjson" if quick else "standard library"
    what = "executor" if executor else "decode and call"
    return Row(f"{name}: {what} from JSON text, {parser} ÷ pydantic-core's validate_json and call", goal, measure)


class _modules:
    """Modules that are as if they were not installed, for a while."""

    def __init__(self, hidden: dict[str, None]) -> None:
        self._hidden = hidden
        self._before: dict[str, Any] = {}

    def __enter__(self) -> None:
        for name in self._hidden:
            self._before[name] = sys.modules.get(name)
            sys.modules[name] = None  # type: ignore[assignment]

    def __exit__(self, *_: object) -> None:
        for name, module in self._before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _wrong(name: str) -> Row:
    def measure(setting: Setting) -> float:
        shapes, _ = _built(setting.work, setting.python)
        validate = peers.pydantic_validator(shapes, name).validate_python

        async def theirs(arguments: Any) -> object:
            try:
                return validate(arguments)
            except ValueError as error:
                return str(error)

        given = shapes.WRONG[name]
        found = _medians(setting, {"ours": (_executing(setting, name), given), "theirs": (theirs, given)})
        return found["ours"] / found["theirs"]

    return Row(f"{name}: a wrong argument, told ÷ pydantic-core's", 1.5, measure)


def _hop(setting: Setting) -> float:
    """What we add to the hop into a thread that a plain function takes."""
    shapes, _ = _built(setting.work, setting.python)
    given, function = shapes.ARGUMENTS["s1"], _undecorated(shapes, "plain")

    async def bare(arguments: Any) -> object:
        return await asyncio.to_thread(function, **arguments)

    found = _medians(setting, {"ours": (_executing(setting, "plain"), given), "theirs": (bare, given)})
    return found["ours"] / found["theirs"]


def _memory(setting: Setting) -> float:
    """How much the memory grows over many calls, in KiB."""
    import resource

    shapes, _ = _built(setting.work, setting.python)
    call, given = _executing(setting, "s1"), shapes.ARGUMENTS["s1"]

    async def several(size: int) -> int:
        for _ in range(size):
            await call(given)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    asyncio.run(several(1_000))
    return float(asyncio.run(several(100_000 if setting.runs > 1 else 1_000)) - asyncio.run(several(1)))


def _size(setting: Setting) -> float:
    """Bytes of generated Python a tool, on the tree."""
    from .compiling import folder_of

    files = (folder_of(setting, setting.tools) / "lauren_build").rglob("*.py")
    return sum(file.stat().st_size for file in files) / setting.tools


_DECODERS = [
    ("s1", 0.45, 0.40), ("s2", 0.60, 0.42), ("s3", 3.3, 0.65), ("s4", 3.2, 1.25), ("s5", 0.75, 0.40),
    ("s6", 0.50, 0.47), ("s7", 1.0, 0.50),
]  # fmt: skip

ROWS = [
    *(_shape(name, "msgspec", goal) for name, goal, _ in _DECODERS),
    _shape("s3", "msgspec to dataclasses", 1.1),
    *(_shape(name, "pydantic-core", goal) for name, _, goal in _DECODERS),
    _framework("lauren-ai's, which validates nothing", peers.lauren_ai_call, 0.33),
    _framework("pydantic-ai's", peers.pydantic_ai_call, 0.5),
    _framework("openai-agents'", peers.openai_agents_call, 0.15),
    _framework("fastmcp's", peers.fastmcp_call, 0.04),
    _framework("langchain-core's", peers.langchain_call, 0.005),
    *(_from_json(name, 1.4, quick=False, executor=False) for name in ("s1", "s5", "s7")),
    *(_from_json(name, 1.0, quick=True, executor=False) for name in ("s1", "s2", "s5", "s7")),
    *(_from_json(name, 1.4, quick=False) for name in ("s1", "s5", "s7")),
    *(_from_json(name, 1.0, quick=True) for name in ("s1", "s2", "s5", "s7")),
    _wrong("s2"),
    _wrong("s3"),
    _framework("lauren-ai's", peers.lauren_ai_call, 1.0, "plain"),
    Row("a plain function: executor ÷ a bare asyncio.to_thread", 1.05, _hop),
    _framework("lauren-ai", peers.lauren_ai_call, 1.5, concurrent=1000),
    Row("memory after 100,000 calls more", 64, _memory, unit="KiB"),
    Row("generated Python a tool", 2500, _size, unit="bytes"),
]
