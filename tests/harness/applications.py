"""Applications from source: compiled, with their wiring, and loaded as modules of this process."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Level
from lauren_compiler.pipeline import Outcome, run
from lauren_runtime import LaurenApp, Table, load_build

ERRORS: Mapping[str, str] = {
    "LC701": "MissingProviderError",
    "LC702": "MissingProviderError",
    "LC703": "ModuleExportViolation",
    "LC704": "ModuleExportViolation",
    "LC705": "DIScopeViolationError",
    "LC706": "CircularDependencyError",
    "LC707": "CircularModuleError",
    "LC708": "ProtocolAmbiguityError",
    "LC709": "DuplicateBindingError",
    "LC710": "UnresolvableParameterError",
    "LC711": "MetadataInheritanceError",
    "LC712": "DecoratorUsageError",
    "LC713": "ModuleImportError",
    "LC714": "MissingProviderError",
    "LC715": "MissingProviderError",
    "LC716": "StartupError",
    "LC717": "StartupError",
    "LC718": "MissingProviderError",
}
"""What the container raises for what each rule reports."""
MODULES = {"ModuleImportError", "CircularModuleError"}
"""Errors after which the container looks no further."""


@dataclass(frozen=True)
class Compiled:
    """What came of a source: the names of the errors that the container would raise, once each; whether something is
    left to start-up; the generated files by path, none if there are errors.
    """

    errors: frozenset[str]
    is_dynamic: bool
    files: Mapping[str, bytes]

    @property
    def wiring(self) -> str:
        """The text of `_wiring.py`, empty if there is none."""
        return self.files.get("_wiring.py", b"").decode()


def compiled(source: str, folder: Path, name: str = "shop") -> Compiled:
    """Compile one module, which is written into `folder`; its build is written beside it."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    outcome: Outcome = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "lauren_build"))
    files = {artifact.path: artifact.content for artifact in outcome.artifacts}
    for place, content in files.items():
        file = folder / "lauren_build" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    codes = [found.rule.code for found in outcome.diagnostics if found.level is Level.ERROR]
    is_dynamic = any(found.rule.code == "LC720" for found in outcome.diagnostics)
    return Compiled(frozenset(ERRORS.get(code, code) for code in codes), is_dynamic, files)


@contextmanager
def loaded(folder: Path, name: str = "shop") -> Iterator[tuple[ModuleType, Table]]:
    """While it lasts, the module and the table of its build."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        yield importlib.import_module(name), load_build(str(folder / "lauren_build"))
    finally:
        sys.path.remove(str(folder))
        for each in set(sys.modules) - before:
            if each == name or each.startswith("lauren_build_"):
                del sys.modules[each]


def life_of(app: LaurenApp, module: ModuleType) -> dict[str, Any]:
    """An application from start to end: what `ASK` of its module gives, as pictures, and all that `LOG` notes."""
    return asyncio.run(_life_of(app, module))


async def _life_of(app: LaurenApp, module: ModuleType) -> dict[str, Any]:
    del module.LOG[:]
    await app.startup()
    started = list(module.LOG)
    cache: dict[Any, Any] = {}
    objects = [
        await app.container.resolve(token, request_cache=cache, owning_module=owner) for token, owner in module.ASK
    ]
    known: dict[int, int] = {}
    shown = [picture(each, known) for each in objects]
    await app.shutdown()
    return {"objects": shown, "started": started, "log": list(module.LOG)}


def picture(value: Any, known: dict[int, int]) -> Any:
    """An object as its class, its attributes and a number; the number alone where it has been shown."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, list):
        return [picture(each, known) for each in value]
    if isinstance(value, dict):
        return {str(key): picture(part, known) for key, part in value.items()}
    if id(value) in known:
        return known[id(value)]
    number = known[id(value)] = len(known)
    return [
        type(value).__qualname__,
        number,
        {name: picture(part, known) for name, part in sorted(vars(value).items())},
    ]
