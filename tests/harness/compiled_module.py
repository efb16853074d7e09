"""From source text to decoded values, in this process."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from lauren_compiler.config import Config
from lauren_compiler.pipeline import Outcome, run
from lauren_runtime.errors import ToolInputError

from .generated import decode_of

_NUMBERS = itertools.count()


class Compiled:
    """A module with tools that take one parameter `p`, compiled and run in this process."""

    def __init__(self, source: str, folder: Path) -> None:
        name = f"compiled{next(_NUMBERS)}"
        path = folder / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        self.outcome: Outcome = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out"))
        assert self.outcome.artifacts, [found.message for found in self.outcome.diagnostics]
        self.module = ModuleType(name)
        sys.modules[name] = self.module
        exec(compile(source, name, "exec", dont_inherit=True), vars(self.module))
        (text,) = (each.content for each in self.outcome.artifacts if each.path == f"_tools/{name}.py")
        names: dict[str, Any] = {"__name__": "generated"}
        exec(compile(text, "generated", "exec"), names)
        self.decoders = names

    def value(self, given: Any, repair: bool = False, tool: str = "f") -> Any:
        """What the parameter `p` is for the JSON value `given`. Raises ToolInputError."""
        _, kwargs, _ = decode_of(self.decoders, tool)({"p": given}, repair)
        return kwargs["p"]

    def messages(self, given: Any) -> list[str]:
        """What is wrong with `given`; there must be something."""
        try:
            decode_of(self.decoders, "f")({"p": given}, False)
        except ToolInputError as refused:
            return [error.message for error in refused.errors]
        raise AssertionError(f"{given!r} is taken")
