"""The sources of a corpus: files by top-level package, and the public functions in a module."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from lauren_compiler.syntax.declarations import Definition, FunctionDecl, ParsedModule
from lauren_compiler.syntax.scopes import scopes_in

_SKIPPED = frozenset({"__pycache__", "site-packages", "test", "tests", "idlelib", "turtledemo", "lib2to3", "ensurepip"})


def packages(folder: Path, only: frozenset[str] = frozenset()) -> Mapping[str, list[Path]]:
    """The source files below `folder`, by the first part of their path; `only` names the packages wanted."""
    found: dict[str, list[Path]] = {}
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and "." not in name)
        for name in sorted(files):
            path = Path(parent, name)
            if _wanted(path, files):
                top = path.relative_to(folder).parts[0].removesuffix(".py").removesuffix(".pyi")
                if not only or top in only:
                    found.setdefault(top, []).append(path)
    return found


def _wanted(path: Path, beside: list[str]) -> bool:
    """Sources whose name is an identifier; of a module that has both, the `.py`."""
    if path.suffix not in (".py", ".pyi") or not path.stem.isidentifier():
        return False
    return path.suffix == ".py" or f"{path.stem}.py" not in beside


def functions(module: ParsedModule) -> Iterator[FunctionDecl]:
    """The public functions of a module and of its public classes, each definition of an overloaded one."""
    for scope in scopes_in(module.scope):
        if scope.kind == "function" or any(part.startswith("_") for part in scope.qualname.split(".")):
            continue
        for binding in scope.members:
            if isinstance(binding, Definition) and isinstance(binding.decl, FunctionDecl):
                if not binding.name.startswith("_") and "<locals>" not in binding.decl.qualname:
                    yield binding.decl
