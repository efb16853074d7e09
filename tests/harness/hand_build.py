"""A build as the compiler would write it, by hand: a package with dispatch.py and _tools/, and the tools' own module.

Its decoders know four kinds of argument (`int`, `str`, `upper`, `any`) and one repair; the real ones have tests of
their own.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import itertools
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

from lauren_runtime import Table, ToolCall, ToolExecutor, ToolResult
from lauren_runtime.table import ABI

_numbers = itertools.count()

_HEAD = """\
from lauren_runtime.decoding import Place
from lauren_runtime.decoding.place import Fault
from lauren_runtime.decoding.quick import Doubt

DIGEST = "d1"


def refuse(at, key, expected, got=""):
    words = f"expected {expected}, got {got}" if got else f"expected {expected}"
    at.faults.append(Fault((key,), expected, got, None, words))
"""
_DECODER = """
def {function}(arguments, call):
    at = Place(False)
    args, keywords = check_{function}(arguments, at)
    if at.faults:
        raise Doubt
    return call(*args, **keywords)


def check_{function}(arguments, at):
    kinds, needed, positional, wire = {kinds!r}, {needed!r}, {positional!r}, {wire!r}
    keywords = {{}}
    for key, value in arguments.items():
        kind = kinds.get(key)
        if kind is None:
            refuse(at, key, "no argument of this name")
        elif kind == "int" and type(value) is str and value.isdigit() and at.repair:
            at.path.append(key)
            at.mend("text read as an integer", value, int(value))
            at.path.pop()
            value = int(value)
        elif kind == "int" and type(value) is float and value.is_integer():
            value = int(value)
        elif kind == "int" and type(value) is not int:
            refuse(at, key, "an integer", repr(value))
        elif kind == "str" and type(value) is not str:
            refuse(at, key, "a string", repr(value))
        elif kind == "upper":
            value = value.upper()
        keywords[wire.get(key, key)] = value
    for key in needed:
        if key not in arguments:
            refuse(at, key, "a value")
    args = tuple(keywords.pop(name) for name in positional if name in keywords)
    return args, keywords
"""
_PREAMBLE = "import asyncio, contextvars, threading, time\nfrom lauren_runtime import *\n"


class Build:
    """A build of `source` (dedented, after a preamble with what tools need) with these tools, by name.

    A tool is the keywords of its Entry, and `arguments` (name → kind), `needed` (default: all), `positional`, `wire`
    (wire name → Python name) for its decoder.
    """

    def __init__(
        self, folder: Path, source: str, tools: dict[str, dict[str, Any]], abi: int = ABI, module_digest: str = "d1"
    ) -> None:
        number = next(_numbers)
        self.module, self.package = f"hand_tools_{number}", f"hand_build_{number}"
        self.folder = folder / self.package
        self._decoders, entries = [_HEAD], []
        for name, about in tools.items():
            entries.append(f"        Entry({self._entry(name, dict(about))}),")
        (folder / f"{self.module}.py").write_text(_PREAMBLE + textwrap.dedent(source), encoding="utf-8")
        self.write("__init__.py", "")
        self.write("_tools/__init__.py", "")
        self.write("_tools/x.py", "\n".join(self._decoders))
        table = f'abi={abi}, package=__package__, file=__file__, digest="b1", modules={{"x": {module_digest!r}}}'
        text = "\n".join(
            ["from lauren_runtime.table import Entry, Table", f"TABLE = Table({table}, entries=(", *entries, "))", ""]
        )
        self.write("dispatch.py", text)
        sys.path.insert(0, str(folder))
        importlib.invalidate_caches()

    def _entry(self, name: str, about: dict[str, Any]) -> str:
        kinds = about.pop("arguments", {})
        parts = {
            key: about.pop(key, default) for key, default in (("needed", list(kinds)), ("positional", ()), ("wire", {}))
        }
        self._decoders.append(_DECODER.format(function=name, kinds=kinds, **parts))
        ids = {"name": name, "module": self.module, "qualname": name, "decoder": "x", "function": name}
        return ", ".join(
            f"{key}={value!r}"
            for key, value in {**ids, "digest": f"t-{name}", "schema_digest": f"s-{name}", **about}.items()
        )

    def write(self, path: str, text: str) -> None:
        """Write a file of the build."""
        file = self.folder / path
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text, encoding="utf-8")

    def write_manifest(self, targets: dict[str, Any], providers: dict[str, Any], digest: str = "b1") -> None:
        """Write manifest.json and providers/*.json."""
        files = {}
        for target, content in providers.items():
            text = json.dumps(content)
            self.write(f"providers/{target}.json", text)
            files[f"providers/{target}.json"] = hashlib.sha256(text.encode()).hexdigest()
        self.write("manifest.json", json.dumps({"format": 1, "digest": digest, "files": files, "targets": targets}))

    @property
    def table(self) -> Table:
        """The build's table."""
        return importlib.import_module(f"{self.package}.dispatch").TABLE

    @property
    def tools(self) -> Any:
        """The module the tools are in."""
        return importlib.import_module(self.module)

    @property
    def tools_are_loaded(self) -> bool:
        """Whether anything imported the tools' module."""
        return self.module in sys.modules

    def executor(self, **options: Any) -> ToolExecutor:
        """An executor for the table."""
        return ToolExecutor(self.table, **options)

    def run(self, name: str, arguments: Any = None, context: Any = None, **options: Any) -> ToolResult:
        """One call in an executor and an event loop of its own."""
        return run(self.executor(**options), name, arguments, context)


def run(executor: ToolExecutor, name: str, arguments: Any = None, context: Any = None) -> ToolResult:
    """One call, in an event loop of its own."""
    return asyncio.run(executor.execute(ToolCall("t1", name, {} if arguments is None else arguments), context))
