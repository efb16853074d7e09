"""Imports that are said to fail, against Python, which imports the same modules: libraries that nobody here wrote."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Sink
from lauren_compiler.pipeline import with_deep_stack
from lauren_compiler.semantics.availability import Availability
from lauren_compiler.semantics.failing_imports import FailingImports
from lauren_compiler.semantics.import_order import ImportOrder
from lauren_compiler.semantics.load import load_sources, open_program
from lauren_compiler.semantics.resolver import Resolver
from lauren_compiler.source.filesystem import Disk

_IMPORT = """
import importlib, sys, warnings
warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException:
        continue
    print(name)
"""

PACKAGES = (
    *("anthropic", "attr", "black", "blackd", "blib2to3", "botocore", "click", "hatchling", "httpx"),
    *("hypothesis", "jinja2", "jsonschema", "msgspec", "pydantic", "pytest", "redis", "starlette", "uvicorn"),
)
"""With optional dependencies, a good part of which are not installed where this runs. `types` of a provider's package
are thousands of files that import nothing optional."""


def failing(paths: list[Path], root: Path) -> list[str]:
    """The modules in which an import is said to fail."""
    config = Config(sources=tuple(paths), roots=(root,), python=Path(sys.executable))
    sources = load_sources(paths, config, Disk(), str, Sink())
    program = open_program(sources, config, Disk(), str, Sink())
    resolver = Resolver(program)
    available = Availability(resolver)
    found = FailingImports(resolver, available, ImportOrder(program, available), ())
    return [module.file.module for module in sources.modules if list(found.of(module))]


def imported(modules: list[str]) -> list[str]:
    """Those of the modules that Python can import."""
    command = [sys.executable, "-c", _IMPORT, *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    return done.stdout.split()


def test_of_installed_packages_none_is_said_to_fail_that_can_be_imported() -> None:
    root = Path(sysconfig.get_path("purelib"))
    paths = [path for name in PACKAGES for path in sorted((root / name).rglob("*.py")) if "types" not in path.parts]
    said = with_deep_stack(lambda: failing(paths, root))
    assert said, "none of the optional dependencies of these packages is missing: add one whose are"
    assert imported(said) == []


def test_of_the_standard_library_only_what_another_platform_has() -> None:
    root = Path(sysconfig.get_path("stdlib"))
    paths = [path for path in sorted(root.glob("*.py")) if path.stem.isidentifier()]
    paths += [path for name in ("asyncio", "dbm", "email", "importlib", "json") for path in (root / name).rglob("*.py")]
    said = with_deep_stack(lambda: failing(paths, root))
    assert imported(said) == []
    assert ("asyncio.windows_utils" in said) is (sys.platform != "win32")
