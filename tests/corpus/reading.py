"""One package read: every public function made a tool by a `tool(name=…)` that is not there, by the real front end and
back end."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Diagnostic, Level, Sink
from lauren_compiler.emit import decoders, dispatch, manifest
from lauren_compiler.ir.references import Needs
from lauren_compiler.ir.tools import Tool
from lauren_compiler.ir.verify import verify
from lauren_compiler.lower.arguments import Argument
from lauren_compiler.lower.configured import Configured
from lauren_compiler.lower.entry import entry_of
from lauren_compiler.lower.makers import Maker, Makers
from lauren_compiler.lower.parameters import ParameterReader
from lauren_compiler.lower.program import tool_set
from lauren_compiler.lower.registered import Candidate
from lauren_compiler.lower.tools import ToolLowerer
from lauren_compiler.pipeline import with_deep_stack
from lauren_compiler.semantics.attempts import attempt
from lauren_compiler.semantics.load import load_sources, open_program
from lauren_compiler.semantics.resolver import Resolver
from lauren_compiler.semantics.types import TypeReader
from lauren_compiler.source.filesystem import Disk
from lauren_compiler.syntax.declarations import FunctionDecl, ParamDecl
from lauren_compiler.syntax.expressions import Constant

from .gathering import functions

SLOW = 2.0
"""Seconds in one module that are reported."""


@dataclass
class Findings:
    """What reading came to. `reasons` are the first error of each parameter that does not resolve."""

    modules: int = 0
    functions: int = 0
    tools: int = 0
    parameters: int = 0
    resolved: int = 0
    unannotated: int = 0
    reasons: list[Diagnostic] = field(default_factory=list[Diagnostic])
    silent: list[str] = field(default_factory=list[str])
    """Parameters that did not resolve without a word."""
    crashes: list[str] = field(default_factory=list[str])
    slow: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    unreadable: Counter[str] = field(default_factory=Counter[str])

    def add(self, other: Findings) -> None:
        """Add what another package came to."""
        for name in vars(self):
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            else:
                setattr(self, name, mine + theirs)


def read(paths: list[Path], root: Path, python: Path | None) -> Findings:
    """The findings of some files; `root` is the folder module names count from, `python` the interpreter."""
    return with_deep_stack(lambda: _Reading(paths, root, python).findings)


class _Reading:
    def __init__(self, paths: list[Path], root: Path, python: Path | None) -> None:
        self.findings = Findings()
        config = Config(sources=tuple(paths), roots=(root,), python=python)
        sink = Sink()
        sources = load_sources(paths, config, Disk(), str, sink)
        modules = list(sources.modules)
        self.findings.unreadable.update(found.rule.code for found in sink)
        program = open_program(sources, config, Disk(), str, sink)
        self.sink = Sink()
        self.types = TypeReader(Resolver(program), self.sink)
        self.lowerer = ToolLowerer(self.types, Makers(self.types.resolver, Configured()), self.sink)
        self.tools: list[Tool] = []
        self.findings.modules = len(modules)
        # Parameters first: a class that can't be read says so once, and then is known not to be. Reading it again for
        # each parameter takes its time; what is slow is counted in the second step, which is as a build is.
        for step in (self._parameters, self._tool):
            for module in modules:
                start = time.perf_counter()
                for decl in functions(module):
                    self._guarded(partial(step, decl), f"{decl.key}, line {decl.line}")
                taken = time.perf_counter() - start
                if taken > SLOW and step == self._tool:
                    self.findings.slow.append((taken, module.file.module))
        self._guarded(self._back_end, f"the tools of {root}")

    def _guarded(self, work: Callable[[], None], what: str) -> None:
        """Note a crash and go on."""
        try:
            work()
        except Exception:
            self.findings.crashes.append(f"{what}\n{traceback.format_exc(limit=-6)}")

    def _parameters(self, decl: FunctionDecl) -> None:
        self.findings.functions += 1
        entry = entry_of(decl, self.types, self.sink)
        if entry is None:
            return
        for parameter in entry.parameters:
            if parameter.annotation is None:
                self.findings.unannotated += 1
            elif not parameter.name.startswith("_"):
                self._parameter(parameter, entry.decl)

    def _tool(self, decl: FunctionDecl) -> None:
        name = Constant((decl.line, 0, decl.line, 0), f"tool_{len(self.tools)}")
        argument = Argument("name", name, decl.scope, name.pos)
        maker = Maker(name, decl.scope, (argument,))
        tool = self.lowerer.lower(Candidate(decl, maker, decl.decorators, decided=True))
        if isinstance(tool, Tool):
            self.tools.append(tool)
            self.findings.tools += 1

    def _parameter(self, parameter: ParamDecl, decl: FunctionDecl) -> None:
        """Whether one parameter resolves, and why not. What fails is forgotten, so that it says why each time."""
        self.findings.parameters += 1
        with attempt(self.types) as made:
            found = ParameterReader(self.types, made.sink, decl.signature_scope, {}).read((parameter,))
            made.succeeded = found.sound
        if found.sound:
            self.findings.resolved += 1
            return
        errors = [each for each in made.sink if each.level is Level.ERROR]
        if errors:
            self.findings.reasons.append(errors[0])
        else:
            self.findings.silent.append(f"{decl.key}({parameter.name}), line {decl.line}")

    def _back_end(self) -> None:
        """Schemas, decoders and table of all that compiled."""
        needs = Needs(self.types.definitions)
        whole = [tool for tool in self.tools if needs.of(tool) is not None]
        made = tool_set(whole, self.types)
        verify(made)
        entries = manifest.entries(made)
        list(decoders.render(made, entries))
        dispatch.render(made, entries, "")
