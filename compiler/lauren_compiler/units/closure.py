"""On which files of the project each module of the sources depends: what its imports lead to, if it was looked into.

A name gets its meaning through import statements, so what a module comes to depends on its own text, on the modules
that it imports, on theirs, and on the packages these are in. More is assumed than is so: of an imported package all
modules may be asked for by their names, and an import in a comment counts too. What is not told here concerns every
unit: libraries, which files there are, and where modules are looked for. Names in the configuration mean what the
modules say that they lead to, so that every unit depends on those.

Statements are found in texts, for trees are not kept and to walk through them again takes longer than all else here.
What is found holds all that the grammar allows, and may hold statements in strings besides.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator

from ..semantics.program import Program
from ..source.file import SourceFile

_GAP = r"(?:[ \t\f]|\\\n)"
# All but what no name holds, said in ASCII: of marks in names, which are no `\w`, there are some beyond it.
_NAME = r"[^\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]"
_STATEMENT = re.compile(
    rf"(?:^|[;:]){_GAP}*"
    # Looked at without passing it: where something only seems to begin in a comment, the next line may have another.
    rf"(?=from\b(?P<source>(?:{_NAME}|\.|{_GAP})*?)\bimport\b{_GAP}*"
    r"(?P<names>\((?:[^()#]|#[^\n]*)*|(?:\\\n|[^\n;#])*)"
    r"|import\b(?P<modules>(?:\\\n|[^\n;#])*))",
    re.MULTILINE,
)
_WORD = re.compile(rf"(?!\d){_NAME}+")
_BREAK = re.compile(r"[ \t\f\\\n]+")
_AS = re.compile(r"\bas\b")
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
        self._computing = {
            name for name, files in self._files.items() if any(_may_compute(each.text) for each in files)
        }
        """The modules that may import by names that they compute."""

    def of(self, module: str) -> frozenset[str] | None:
        """The paths of the files that a module depends on, its own included; None if that can't be told."""
        reached = {module}
        pending = [module]
        while pending:
            for name in self._imported(pending.pop()):
                if name not in reached:
                    reached.add(name)
                    pending.append(name)
        if not self._computing.isdisjoint(reached):
            return None
        return frozenset(file.path for name in reached for file in self._files.get(name, ()))

    def of_names(self, names: Iterable[str]) -> frozenset[str] | None:
        """The paths of the files on which it depends what qualified names mean; None if that can't be told."""
        found: set[str] = set()
        for module in {each for name in names for each in _packages(f"{name.replace(':', '.')}.")}:
            paths = self.of(module)
            if paths is None:
                return None
            found |= paths
        return frozenset(found)

    def _imported(self, name: str) -> tuple[str, ...]:
        """The modules of the project that were looked into and that a module may have asked."""
        if name not in self._steps:
            asked = [target for file in self._files.get(name, ()) for target in targets(file)]
            named = [each for target, _ in asked for each in (target, *_packages(target))]
            below = [each for target, opened in asked if opened for each in self._below.get(target, ())]
            found = (*_packages(name), *named, *below)
            self._steps[name] = tuple(dict.fromkeys(each for each in found if each in self._files))
        return self._steps[name]


def targets(file: SourceFile) -> Iterator[tuple[str, bool]]:
    """The modules that import statements of a file may name, and whether those in them can be asked for by name."""
    for found in _statements(file.text):
        if found["modules"] is None:
            source = _absolute(_spelled(found["source"]), file)
            yield source, "*" in found["names"]
            yield from ((f"{source}.{_spelled(each)}", True) for each in _WORD.findall(found["names"]))
        else:
            for each in found["modules"].split(","):
                whole = _spelled(_AS.split(each)[0])
                yield whole, True
                # What `import a.b` binds is `a`.
                yield whole.partition(".")[0], True


def _statements(text: str) -> Iterator[re.Match[str]]:
    """All that looks like an import statement. Where the word does not follow there is none, and the word is found much
    sooner than that there is no statement: most files have them at their beginning."""
    place = word = 0
    while text.find("import", word) >= 0 and (found := _STATEMENT.search(text, place)) is not None:
        yield found
        place = max(found.end(), found.start() + 1)
        word = max(found.start("names"), found.start("modules"))
        if "\n" in text[place:word]:  # a line of its own with the word may be another
            word = place


def _may_compute(text: str) -> bool:
    return "import_" in text and _COMPUTED.search(text) is not None


def _spelled(name: str) -> str:
    """A dotted name as Python takes it, however it is written."""
    return unicodedata.normalize("NFKC", _BREAK.sub("", name))


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
