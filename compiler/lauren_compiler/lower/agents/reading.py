"""Parsed modules → drafts of agents: their options, and their tools with those of base classes."""

from __future__ import annotations

from collections.abc import Iterable

from ...diagnostics.model import Label, Sink
from ...diagnostics.rules import agents as rules
from ...semantics.classes.kinds import ancestry
from ...semantics.classes.linearization import linearized
from ...semantics.symbols import Unresolved
from ...semantics.types import TypeReader
from ...source.span import Span
from ...syntax.declarations import ClassDecl, ParsedModule
from ..arguments import Item
from ..lists import Listing, Lists
from .conflicts import tool_refused
from .decorations import Decorated, Decorations
from .drafts import Draft
from .entries import Entries
from .options import AgentOptionReader


class AgentReader:
    """Reads the agents of one program. `undecidable` counts what makes agents in ways that can't be followed."""

    def __init__(self, types: TypeReader, entries: Entries, sink: Sink) -> None:
        self._resolver = types.resolver
        self._sink = sink
        self._entries = entries
        self._lists = Lists(types.constants)
        self._options = AgentOptionReader(types.constants, sink)
        self._decorations = Decorations(types.resolver, sink)
        self._drafts: dict[int, Draft] = {}

    @property
    def drafts(self) -> list[Draft]:
        """All agents read so far, by place."""
        return sorted(self._drafts.values(), key=lambda draft: draft.span)

    @property
    def undecidable(self) -> int:
        return self._decorations.undecidable

    def read(self, modules: Iterable[ParsedModule]) -> None:
        """The agents of the sources."""
        for module in modules:
            for said in self._decorations.classes(module):
                if said.mark is not None:
                    self._draft(said)
                else:
                    self._warn_of_subclass(said)

    def agent_of(self, decl: ClassDecl) -> Draft | None:
        """The agent that a class is: itself, or the nearest base with a mark, which its subclasses inherit."""
        said = self._marked(decl)
        return self._draft(said) if said is not None else None

    def _marked(self, decl: ClassDecl) -> Decorated | None:
        order = (self._decorations.of(base) for base in self._order(decl))
        return next((said for said in order if said.mark is not None), None)

    def add(self, draft: Draft, listing: Listing) -> None:
        """Give an agent the tools of a list. What can't be known leaves the agent out, and is said."""
        for lost in listing.lost:
            self._sink.add(lost)
            draft.sound = False
        for each in listing.unknown:
            self._leave_out_for_tools(draft, each.span, each.why)
        for item in listing.items:
            entry = self._entries.find(item)
            if entry.decl is not None:
                draft.tools.setdefault(id(entry.decl), (entry.decl, item.span))
            elif entry.problem is not None:
                self._sink.add(entry.problem)
                draft.sound = False
            elif entry.refused is not None:
                tool_refused(draft, entry.refused, item.span, self._sink)
                draft.sound = False
            else:
                self._leave_out_for_tools(draft, item.span, entry.why)

    def identity(self, item: Item) -> object:
        """Equal for items of lists that are the same tool."""
        found = self._entries.find(item).decl
        return item.span if found is None else id(found)

    def _leave_out_for_tools(self, draft: Draft, span: Span, why: str) -> None:
        remedy = "name the tools, in `@use_tools(...)` or in a list or tuple that is not changed"
        self._leave_out(draft, span, f"not all of its tools can be known: {why}", remedy)

    def _leave_out(self, draft: Draft, span: Span, why: str, help: str | None = None) -> None:
        """Say why an agent can't be compiled."""
        message = f"agent `{draft.decl.name}` is not compiled: {why}"
        self._sink.add(rules.UNDECIDABLE_AGENT.at(span, message, help=help))
        draft.left_out = True

    def _draft(self, said: Decorated) -> Draft:
        if id(said.decl) not in self._drafts:
            assert said.mark is not None
            options = self._options.read(said, said.mark)
            span = said.decl.scope.module.file.span(said.decl.name_pos)
            draft = Draft(said.decl, options.name, options.model, options.system, span, decided=said.decided)
            draft.sound = options.sound and said.sound
            draft.left_out = options.undecidable
            self._drafts[id(said.decl)] = draft
            self._check_bases(draft)
            self._read_tools(draft)
        return self._drafts[id(said.decl)]

    def _read_tools(self, draft: Draft) -> None:
        """The tools of a class and, before them, of the first base that has a list, as `getattr` finds it."""
        lists: list[Decorated] = []
        decl: ClassDecl | None = draft.decl
        while decl is not None:
            lists.append(self._decorations.of(decl))
            bases = self._order(decl)[1:]
            decl = next((base for base in bases if self._decorations.of(base).lists), None)
        for said in reversed(lists):
            if said.unclear is not None:
                expr, scope, why = said.unclear
                self._leave_out(draft, scope.module.file.span(expr.pos), why)
            for use in said.lists:
                self.add(draft, self._lists.of_arguments(use.arguments))

    def _check_bases(self, draft: Draft) -> None:
        """A base that can't be known may have tools."""
        lost = ancestry(draft.decl, self._resolver).lost
        if lost is not None:
            symbol, expr, decl = lost
            why = symbol.diagnostic.message if isinstance(symbol, Unresolved) else f"it is {symbol.why}"
            span = decl.scope.module.file.span(expr.pos)
            self._leave_out(draft, span, f"a base of it may have tools, and is not known: {why}")

    def _order(self, decl: ClassDecl) -> tuple[ClassDecl, ...]:
        """A class and its bases, as Python looks through them."""
        found = ancestry(decl, self._resolver)
        return (None if found.cycle else linearized(decl, self._resolver)) or (decl,)

    def _warn_of_subclass(self, said: Decorated) -> None:
        agent = self._marked(said.decl)
        if agent is not None:
            decl, base = said.decl, agent.decl
            message = f"`{decl.name}` adds tools to agent `{base.name}` and is no agent by itself"
            label = Label(base.scope.module.file.span(base.name_pos), "this is the agent")
            remedy = "decorate it with `@agent(...)` too: without, no file of the build has these tools"
            span = decl.scope.module.file.span(decl.name_pos)
            self._sink.add(rules.UNDECORATED_AGENT.at(span, message, labels=(label,), help=remedy))
