"""Which providers a token stands for, seen from a module: the rules of the runtime's container/bindings.py.

What only running code would know opens a view: it may then hold more than is known, and that a token is not in it says
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from ..diagnostics.model import Sink
from ..ir.graph import Alias, ClassFacts, Entry, Graph, Module, Provider, Token
from . import messages
from .order import postorder

_RUNNER = Token("known", "lauren.AgentRunner")
"""Found by its subclasses, where nothing is registered for it."""

TABLE = Token("known", "lauren.Table")
"""What `LaurenFactory.create(..., table=)` gives to all modules of an application that has none of its own."""


class View(Struct, eq=False):
    """What a module sees. `is_open`: perhaps more. `maybe`: tokens that an import exports, perhaps for something."""

    entries: dict[Token, dict[Entry, None]] = field(default_factory=dict[Token, "dict[Entry, None]"])
    is_open: bool = False
    maybe: set[Token] = field(default_factory=set[Token])

    def show(self, entry: Entry, keys: Iterable[Token]) -> None:
        """Let the module see an entry."""
        for key in keys:
            self.entries.setdefault(key, {})[entry] = None

    def lacks(self, token: Token) -> bool:
        """Whether there is surely nothing for a token."""
        return not self.is_open and token not in self.entries and token not in self.maybe


class Found(Struct, frozen=True):
    """The providers of a token, in order of declaration; where there are none, whether that is certain."""

    providers: tuple[Provider, ...]
    is_certain: bool


class Bindings:
    """The entries of one application's modules (imports first), and what each module sees of them.

    `broken` are tokens that were reported as ambiguous or circular; `again`, items that are listed once more in their
    module, with what they were the first time.
    """

    def __init__(self, modules: Sequence[Module], graph: Graph, sink: Sink, *, is_open: bool) -> None:
        self.broken: set[Token] = set()
        self.again: dict[Provider, Provider] = {}
        self.views: dict[str, View] = {}
        self.modules = {module.name: module for module in modules}
        self._classes = graph.classes
        self._runners = graph.runners
        self._sink = sink
        self._place: dict[Entry, int] = {}
        self._owners: dict[Token, Entry] = {}
        for module in modules:
            self._add(module)
        for module in modules:
            self.views[module.name] = self._connected(module, is_open)
        if self.may_be_given_table:
            for view in self.views.values():
                view.maybe.add(TABLE)
        self._check_ambiguous()
        self._check_aliases()

    @property
    def entries(self) -> list[Entry]:
        """All entries, in order of declaration, imports first."""
        return list(self._place)

    @property
    def providers(self) -> list[Provider]:
        """Those that make something."""
        return [entry for entry in self._place if isinstance(entry, Provider)]

    @property
    def may_be_given_table(self) -> bool:
        """Whether a build's table, if the application is created with one, is what a `Table` stands for."""
        return all(entry.key != TABLE for entry in self._place)

    def find(self, token: Token, module: str, *, structural: bool = True) -> Found:
        """The providers that a token stands for in a module's eyes, aliases followed.

        `structural`: a protocol that nothing is registered for stands for the classes that have its members.
        """
        view = self.views[module]
        found: dict[Provider, None] = {}
        looked: set[Alias] = set()
        certain = not view.is_open and token not in view.maybe
        waiting = sorted(view.entries.get(token, ()), key=self._order)
        while waiting:
            entry = waiting.pop(0)
            if isinstance(entry, Provider):
                found[entry] = None
            elif isinstance(entry, Alias) and entry not in looked:
                looked.add(entry)
                if entry.target is None:
                    certain = False
                    continue
                there = self.views[entry.module]
                certain = certain and not there.is_open and entry.target not in there.maybe
                waiting.extend(there.entries.get(entry.target, ()))
        if found or not structural:
            return Found(tuple(found), certain)
        return self._structural(token, view, certain)

    def declaring(self, token: Token) -> list[Entry]:
        """The entries of the application that a token is of, wherever they are declared."""
        return [entry for entry in self._place if token in keys_of(entry)]

    def asked_by(self, token: Token) -> ClassFacts | None:
        """What a protocol asks for; None for all other tokens."""
        facts = self._classes.get(token.name) if token.kind == "class" else None
        return None if facts is None or facts.asks is None else facts

    def fitting(self, protocol: ClassFacts) -> list[Provider]:
        """The classes of the application that have the members of a protocol, wherever they are declared."""
        asks = protocol.asks or ()
        facts = {each: self._classes.get(each.key.name) for each in self.providers if each.key.kind == "class"}
        return [each for each, found in facts.items() if found is not None and _satisfies(found, asks)]

    def _structural(self, token: Token, view: View, certain: bool) -> Found:
        if token == _RUNNER:
            entries = dict.fromkeys(entry for entries in view.entries.values() for entry in entries)
            runners = [each for each in entries if isinstance(each, Provider) and self._is_runner(each)]
            return Found(tuple(sorted(runners, key=self._order)), certain)
        protocol = self._classes.get(token.name) if token.kind == "class" else None
        if protocol is None or not protocol.is_runtime_protocol or protocol.asks is None:
            return Found((), certain)
        seen = dict.fromkeys(entry for entries in view.entries.values() for entry in entries)
        providers = [entry for entry in seen if isinstance(entry, Provider) and entry.key.kind == "class"]
        facts = {entry: self._classes.get(entry.key.name) for entry in providers}
        certain = certain and protocol.is_known and all(each is None or each.is_known for each in facts.values())
        if not certain:
            return Found((), False)
        fitting = [entry for entry, each in facts.items() if each is not None and _satisfies(each, protocol.asks)]
        return Found(tuple(sorted(fitting, key=self._order)), certain)

    def _is_runner(self, provider: Provider) -> bool:
        return provider.at_start or (provider.key.kind == "class" and provider.key.name in self._runners)

    def _order(self, entry: Entry) -> int:
        return self._place[entry]

    def _add(self, module: Module) -> None:
        listed: dict[Token, Entry] = {}
        for entry in module.declares:
            first = listed.setdefault(entry.key, entry) if _is_the_item(entry) else entry
            if first is not entry:
                if isinstance(entry, Provider) and isinstance(first, Provider):
                    self.again[entry] = first
                continue
            other = self._owners.setdefault(entry.key, entry)
            if other is not entry and not (is_multi(entry) and is_multi(other) and entry.module == other.module):
                self._sink.add(messages.twice(entry, other, self.modules))
            else:
                self._place[entry] = len(self._place)

    def _connected(self, module: Module, is_open: bool) -> View:
        """What a module declares and its imports export."""
        known = module.knows_declared and module.knows_imports
        view = View(is_open=is_open or not known)
        for entry in module.declares:
            if entry in self._place:
                view.show(entry, keys_of(entry))
                view.is_open = view.is_open or (isinstance(entry, Provider) and not entry.knows_tokens)
        for named in module.imports:
            imported, theirs = self.modules.get(named.token.name), self.views.get(named.token.name)
            if imported is None or theirs is None:  # a circle, reported
                continue
            view.is_open = view.is_open or not imported.knows_exports
            for export in imported.exports:
                entries = theirs.entries.get(export.token, {})
                if theirs.is_open or export.token in theirs.maybe:
                    view.maybe.add(export.token)
                for entry in entries:
                    view.show(entry, keys_of(entry) if entry.key == export.token else (export.token,))
                    if isinstance(entry, Provider) and not entry.knows_tokens:
                        view.is_open = True
        declared = {key for entry in module.declares for key in keys_of(entry)}  # one that is another's is reported
        for export in module.exports:
            if view.lacks(export.token) and export.token not in declared:
                self._sink.add(messages.unexportable(module, export, self))
        return view

    def _check_ambiguous(self) -> None:
        """Of several providers of one token each is `multi`."""
        by_key: dict[Token, list[Entry]] = {}
        for entry in self._place:
            for key in keys_of(entry):
                by_key.setdefault(key, []).append(entry)
        for key, several in by_key.items():
            unknown = any(isinstance(each, Provider) and each.multi is None for each in several)
            if len(several) > 1 and not unknown and not all(map(is_multi, several)):
                self.broken.add(key)
                self._sink.add(messages.ambiguous_token(key, several))

    def _check_aliases(self) -> None:
        aliases = [entry for entry in self._place if isinstance(entry, Alias)]
        _, cycles = postorder(aliases, self._next_aliases)
        for cycle in cycles:
            self.broken.update(entry.key for entry in cycle)
            self._sink.add(messages.alias_cycle(cycle))
        for alias in aliases:
            if alias.key in self.broken or alias.target is None:
                continue
            found = self.find(alias.target, alias.module)
            if not found.providers and found.is_certain:
                self.broken.add(alias.key)
                if alias.target not in self.views[alias.module].entries:
                    self._sink.add(messages.leads_nowhere(alias, alias.target, self))

    def _next_aliases(self, alias: Alias) -> list[Alias]:
        if alias.target is None:
            return []
        following = self.views[alias.module].entries.get(alias.target, {})
        return [entry for entry in following if isinstance(entry, Alias)]


def keys_of(entry: Entry) -> tuple[Token, ...]:
    """All tokens of an entry, its own first."""
    return entry.keys if isinstance(entry, Provider) else (entry.key,)


def is_multi(entry: Entry) -> bool:
    """Whether an entry may share its tokens; so may be one of which that is not known."""
    return isinstance(entry, Provider) and entry.multi is not False


def _is_the_item(entry: Entry) -> bool:
    """Whether what is listed is the class or function itself, which counts once however often it is listed."""
    if isinstance(entry, Provider):
        return entry.what is not None and entry.what.startswith(("class ", "function "))
    return not isinstance(entry, Alias)


def _satisfies(facts: ClassFacts, asks: Iterable[str]) -> bool:
    return facts.asks is None and all(name in facts.members for name in asks)
