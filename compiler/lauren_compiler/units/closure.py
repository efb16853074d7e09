"""On which files of the project each module of the sources depends: what its imports lead to, if it was looked into.

A name gets its meaning through import statements, so what a module comes to depends on its own text, on the modules
that it imports, on theirs, and on the packages these are in. More is assumed than is so: of an imported package all
modules may be asked for by their names, and an import in a comment counts too. What is not told here concerns every
unit: libraries, which files there are, and where modules are looked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ..semantics.program import Program
from ..source.file import SourceFile

_STATEMENT = re.compile(
    r"\bfrom\b[\s\\]*(?P<source>\.*[\s\\]*[\w.]*)[\s\\]*\bimport\b[\s\\]*(?P<names>\([^)]*|(?:\\\n|[^\n;])*)"
    r"|\bimport\b[\s\\]+(?P<modules>[\w.]+(?:[\s\\]+as[\s\\]+\w+)?(?:[\s\\]*,[\s\\]*[\w.]+(?:[\s\\]+as[\s\\]+\w+)?)*)"
)
_WORD = re.compile(r"[^\W\d]\w*")
_COMPUTED = re.compile(r"\bimport_module\b|\b__import__\b")


class Closure:
    """The dependencies of the sources of one program, once all of it that will be has been looked into."""

    def __init__(self, program: Program) -> None:
        library = tuple(
            os.path.join(folder, "") for folder in (*program.environment.stdlib, *program.environment.packages)
        )
        self._files: dict[str, list[SourceFile]] = {}
        for file in program.looked_into():
            # A library is installed apart from what uses it, and knows nothing of it.
            if program.is_source_file(file.path) or not file.path.startswith(library):
                self._files.setdefault(file.module, []).append(file)
        self._below: dict[str, list[str]] = {}
        for name in self._files:
            for package in _packages(name):
                self._below.setdefault(package, []).append(name)
        self._steps: dict[str, tuple[str, ...]] = {}

    def of(self, module: str) -> frozenset[str] | None:
        """The paths of the files that a module depends on, its own included; None if that can't be told."""
        reached = {module}
        pending = [module]
        while pending:
            for name in self._imported(pending.pop()):
                if name not in reached:
                    reached.add(name)
                    pending.append(name)
        files = [file for name in reached for file in self._files.get(name, ())]
        if any(_COMPUTED.search(file.text) for file in files):
            return None
        return frozenset(file.path for file in files)

    def _imported(self, name: str) -> tuple[str, ...]:
        """The modules of the project that were looked into and that a module may have asked."""
        if name not in self._steps:
            targets = [target for file in self._files.get(name, ()) for target in _targets(file)]
            named = [each for target, _ in targets for each in (target, *_packages(target))]
            below = [each for target, opened in targets if opened for each in self._below.get(target, ())]
            found = (*_packages(name), *named, *below)
            self._steps[name] = tuple(dict.fromkeys(each for each in found if each in self._files))
        return self._steps[name]


def _targets(file: SourceFile) -> Iterator[tuple[str, bool]]:
    """The modules that import statements of a file may name, and whether those in them can be asked for by name."""
    for found in _STATEMENT.finditer(file.text):
        if found["modules"] is None:
            source = _absolute("".join(found["source"].replace("\\", " ").split()), file)
            yield source, "*" in found["names"]
            yield from ((f"{source}.{each}", True) for each in _WORD.findall(found["names"]))
        else:
            for each in found["modules"].replace("\\", " ").split(","):
                whole = each.split()[0]
                yield whole, True
                # What `import a.b` binds is `a`.
                yield whole.partition(".")[0], True


def _absolute(source: str, file: SourceFile) -> str:
    """The absolute name of a module that stands behind `from`."""
    name = source.lstrip(".")
    level = len(source) - len(name)
    if not level:
        return name
    package = file.package.split(".")
    start = package[: max(len(package) - level + 1, 0)]
    return ".".join(part for part in (*start, name) if part)


def _packages(name: str) -> Iterator[str]:
    """The packages that a module is in, the nearest first."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
