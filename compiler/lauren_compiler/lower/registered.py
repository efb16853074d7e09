"""What one function or class is made a tool by, and whether twice in one run of its module."""

from __future__ import annotations

from msgspec import Struct, field

from ..syntax.declarations import ClassDecl, FunctionDecl, Guards, Lazy
from .makers import Maker


class Candidate(Struct, frozen=True, eq=False):
    """A function or class that is made a tool by `maker`; `below` are the decorators applied before it, `above` those
    after it.

    `guards` are the conditions under which that is done; `decided` is False if one of them can't be decided, `sound`
    after an error about its makers.
    """

    decl: FunctionDecl | ClassDecl
    maker: Maker
    below: tuple[Lazy, ...]
    decided: bool
    guards: Guards | None = None
    sound: bool = True
    above: tuple[Lazy, ...] = ()


class _Places(Struct):
    """Where makers of one kind stand: by their conditions, and by all conditions that those stand under."""

    exact: dict[Guards | None, Candidate] = field(default_factory=dict["Guards | None", Candidate])
    around: dict[Guards | None, Candidate] = field(default_factory=dict["Guards | None", Candidate])

    def add(self, candidate: Candidate) -> None:
        guards = _guards(candidate)
        self.exact.setdefault(guards[0], candidate)
        for step in guards:
            self.around.setdefault(step, candidate)

    def with_it(self, candidate: Candidate) -> Candidate | None:
        guards = _guards(candidate)
        if guards[0] in self.around:
            return self.around[guards[0]]
        return next((self.exact[step] for step in guards if step in self.exact), None)


class Registered(Struct):
    """The makers of one declaration that were seen so far, in source order."""

    _own: _Places = field(default_factory=_Places)
    _foreign: _Places = field(default_factory=_Places)

    def add(self, candidate: Candidate) -> None:
        """Remember one more."""
        (self._own if candidate.maker.framework is None else self._foreign).add(candidate)

    def with_it(self, candidate: Candidate) -> Candidate | None:
        """One that runs whenever `candidate` does, or the other way round; None if either may run without the other.

        Two of other frameworks do not get in each other's way: one function may be in two servers.
        """
        found = self._own.with_it(candidate)
        if found is None and candidate.maker.framework is None:
            found = self._foreign.with_it(candidate)
        return found


def _guards(candidate: Candidate) -> tuple[Guards | None, ...]:
    """The conditions, innermost first, up to none; none alone if they hold for certain."""
    if candidate.decided or candidate.guards is None:
        return (None,)
    return (*candidate.guards.steps(), None)
