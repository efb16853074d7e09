"""What the start of an application costs, against lauren's own container: creating it, and making every singleton.

The same classes, each with up to two constructor parameters, declared once for each container; both start in this
process, in turn, their modules loaded before. Alone:

    python -m benchmarks.run --only providers
"""

from __future__ import annotations

import asyncio
import importlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from .rows import Row, Setting

Start = Callable[[], Any]
"""Creates an application, which is then started."""


def source(library: str, providers: int) -> str:
    """A module of that many singletons, each of which needs up to two of those before it."""
    lines = [f"from {library} import LaurenFactory, injectable, module", ""]
    for number in range(providers):
        needed = dict.fromkeys(each for each in (number // 2, number // 3) if each < number)
        parameters = "".join(f", p{index}: Service{each}" for index, each in enumerate(needed))
        body = [f"        self.p{index} = p{index}" for index in range(len(needed))] or ["        pass"]
        lines += ["", "@injectable()", f"class Service{number}:", f"    def __init__(self{parameters}):", *body, ""]
    names = "".join(f"\n        Service{number}," for number in range(providers))
    lines += ["", f"@module(\n    providers=[{names}\n    ]\n)\nclass Root: ...\n"]
    return "\n".join(lines)


@cache
def _applications(work: Path, python: Path, providers: int) -> dict[str, Start]:
    """How each container creates the application; ours with the wiring of a build, and by reading the classes."""
    from lauren_runtime import load_build

    folder = work / f"providers-{providers}"
    folder.mkdir()
    names = {"lauren_runtime": f"ours_of_{providers}", "lauren": f"theirs_of_{providers}"}
    for library, name in names.items():
        (folder / f"{name}.py").write_text(source(library, providers), "utf-8")
    settings = f'[tool.lauren-compile]\nsources = ["{names["lauren_runtime"]}.py"]\nlevels = {{ no-tools = "off" }}\n'
    (folder / "pyproject.toml").write_text(settings, "utf-8")
    subprocess.run([str(python), "-m", "lauren_compiler", "build", "-q"], cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    ours, theirs = (importlib.import_module(name) for name in names.values())
    table = load_build(str(folder / "lauren_build"))
    if table.wiring is None:
        raise RuntimeError("the build has no wiring")
    return {
        "ours": lambda: ours.LaurenFactory.create(ours.Root, table=table),
        "read": lambda: ours.LaurenFactory.create(ours.Root),
        "theirs": lambda: theirs.LaurenFactory.create(theirs.Root),
    }


def _cpu(start: Start) -> float:
    """The CPU seconds of one start."""

    async def started() -> None:
        await start().startup()

    before = time.process_time()
    asyncio.run(started())
    return time.process_time() - before


def _against_theirs(name: str) -> Callable[[Setting], float]:
    def measure(setting: Setting) -> float:
        applications = _applications(setting.work, setting.python, setting.tools // 4)
        pairs = [(_cpu(applications[name]), _cpu(applications["theirs"])) for _ in range(setting.runs * 2 + 1)][1:]
        return statistics.median(ours for ours, _ in pairs) / statistics.median(theirs for _, theirs in pairs)

    return measure


ROWS = [
    Row("500 providers with generated wiring ÷ lauren's container", 0.2, _against_theirs("ours")),
    Row("500 providers by reading classes ÷ lauren's container", 0.6, _against_theirs("read")),
]
