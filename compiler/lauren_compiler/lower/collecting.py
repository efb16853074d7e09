"""The tools of a program: all of its sources, and those outside that agents name."""

from __future__ import annotations

import enum

from ..diagnostics.model import Sink
from ..diagnostics.rules.tools import DECORATED_TWICE
from ..ir.tools import Binding, Tool
from ..semantics.types import TypeReader
from ..source.span import Span
from ..syntax.declarations import ClassDecl, FunctionDecl, ParsedModule
from .discovery import Discovery, Found
from .makers import Makers
from .rebinding import is_rebound
from .registered import Candidate
from .tools import ToolLowerer, Verdict


class State(enum.Enum):
    """What a function or class is. `UNCLEAR`: no decorator is seen, and its module makes tools in ways not followed."""

    COMPILED = "compiled"
    REFUSED = "refused"
    UNDECIDABLE = "undecidable"
    UNCLEAR = "unclear"
    NONE = "none"


class Collector:
    """Finds and lowers tools. `found` counts all, `undecidable` those that can't be decided."""

    def __init__(self, types: TypeReader, makers: Makers, sink: Sink) -> None:
        self._resolver = types.resolver
        self._constants = types.constants
        self._makers = makers
        self._sink = sink
        self._discovery = Discovery(types.constants, makers, sink)
        self._outside: dict[int, Found] = {}
        self._unclear: set[int] = set()
        self._states: dict[int, State] = {}
        self.lowerer = ToolLowerer(types, makers, sink)
        self.tools: list[Tool] = []
        self.undecided: dict[int, Span] = {}
        """By id, the tools that stand under conditions that can't be decided, with the place where each is made one."""
        self.candidates: list[Candidate] = []
        """Those of the sources."""
        self.found = 0
        self.undecidable = 0

    def add(self, module: ParsedModule) -> None:
        """All tools of a module of the sources."""
        finds = self._discovery.find(module)
        self.found += len(finds.candidates) + finds.undecidable + finds.refused
        self.undecidable += finds.undecidable
        self.candidates += finds.candidates
        self._note(module, finds)
        made = {id(candidate.decl) for candidate in finds.candidates}
        for candidate in finds.candidates:
            self._lower(candidate, made)

    def state(self, decl: FunctionDecl | ClassDecl) -> State:
        """What a function or class is; one outside of the sources is compiled when it is first asked for."""
        module = decl.scope.module
        if id(decl) not in self._states and not self._resolver.program.is_source(module):
            self._look_outside(decl, module)
        unclear = id(module) in self._unclear or module.file.is_stub
        return self._states.get(id(decl), State.UNCLEAR if unclear else State.NONE)

    def _look_outside(self, decl: FunctionDecl | ClassDecl, module: ParsedModule) -> None:
        """Compile what is made a tool of `decl`, and nothing else of its module."""
        unheard = Sink()  # what is wrong with the module's other tools is none of the user's concern
        if id(module) not in self._outside:
            self._outside[id(module)] = Discovery(self._constants, self._makers, unheard).find(module)
            self._note(module, self._outside[id(module)])
        finds = self._outside[id(module)]
        made = {id(candidate.decl) for candidate in finds.candidates}
        for candidate in finds.candidates:
            if candidate.decl is decl:
                self.found += 1
                if not candidate.sound:
                    self._sink.extend(found for found in unheard if found.rule is DECORATED_TWICE)
                self._lower(candidate, made)

    def _note(self, module: ParsedModule, finds: Found) -> None:
        """Remember what is no tool for a reason that is told elsewhere."""
        if finds.undecidable or finds.refused:
            self._unclear.add(id(module))

    def _lower(self, candidate: Candidate, made: set[int]) -> None:
        tool = self.lowerer.lower(candidate)
        if tool is Verdict.UNDECIDABLE:
            self.undecidable += 1
            state = State.UNDECIDABLE
        elif isinstance(tool, Tool) and candidate.sound and self._can_be_reached(candidate, tool, made):
            self.tools.append(tool)
            if not candidate.decided:
                self.undecided[id(tool)] = candidate.maker.scope.module.file.span(candidate.maker.expr.pos)
            state = State.COMPILED
        else:
            state = State.REFUSED
        self._states[id(candidate.decl)] = state

    def _can_be_reached(self, candidate: Candidate, tool: Tool, made: set[int]) -> bool:
        """Whether the tool's name still means it when its module has run; reported if not."""
        return tool.binding is Binding.BIND or not is_rebound(candidate.decl, made, self._resolver, self._sink)
