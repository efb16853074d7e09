"""Unions: which branch a value goes to. The algorithm, pydantic's smart mode, is told in docs/decoding.md."""

from __future__ import annotations

from .containers import members
from .keys import distinct
from .place import EXACT, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from .place import Place
    from .repairs import Repair

    Branch: TypeAlias = Callable[[Any, Place], object]


class _Candidate:
    """A branch that takes the value, and how well."""

    __slots__ = ("exactness", "fields", "repairs", "value")

    def __init__(self, value: object, at: Place, repairs: list[Repair]) -> None:
        self.value = value
        self.exactness = at.exactness
        self.fields = at.fields
        self.repairs = repairs

    def beats(self, other: _Candidate) -> bool:
        """More fields given, else more exact, else fewer repairs; of equals the earlier one stays."""
        if self.fields is not None and other.fields is not None and self.fields != other.fields:
            return self.fields > other.fields
        if self.exactness != other.exactness:
            return self.exactness > other.exactness
        return len(self.repairs) < len(other.repairs)


class Choice:
    """One value at a union. First all branches without repairs; only if none takes the value, all with repairs.

    What a union makes of one value is remembered for the call: a recursive union, and one of aliases of unions, would
    ask again and again.
    """

    __slots__ = ("at", "best", "depth", "expected", "failed", "memo", "outer", "value")

    def __init__(self, value: object, at: Place, expected: str) -> None:
        self.value = value
        self.at = at
        if at.memo is None:
            at.memo = {}
        self.memo = at.memo
        self.expected = expected
        self.depth = len(at.path)
        self.best: _Candidate | None = None
        self.failed: list[list[Fault]] = []
        self.outer = (at.repair, at.exactness, at.fields, len(at.faults), len(at.repairs))

    def over(self, *branches: Branch) -> Iterator[Branch]:
        """The branches to try, each to be followed by `take`."""
        for repair in (False, True) if self.outer[0] else (False,):
            # The arguments keep the value alive while they are decoded.
            key = (branches, id(self.value), repair, self.at.models > 0)
            if not self._recall(key):
                self.failed = []
                yield from self._attempts(branches, repair)
                self.memo[key] = (self.depth, self.best, self.failed)
            if self.best is not None:
                return

    def _attempts(self, branches: tuple[Branch, ...], repair: bool) -> Iterator[Branch]:
        at = self.at
        for branch in branches:
            at.repair, at.exactness, at.fields = repair, EXACT, None
            yield branch
            best = self.best
            if best is not None and best.exactness == EXACT and best.fields is None and not best.repairs:
                return

    def take(self, value: object) -> None:
        """What the branch made of the value."""
        at = self.at
        _, _, _, faults, repairs = self.outer
        if len(at.faults) > faults:
            self.failed.append(at.faults[faults:])
        else:
            candidate = _Candidate(value, at, at.repairs[repairs:])
            if self.best is None or candidate.beats(self.best):
                self.best = candidate
        del at.faults[faults:], at.repairs[repairs:]

    def result(self) -> object:
        """The best branch's value; None, with faults, if no branch takes the value."""
        at = self.at
        at.repair, at.exactness, at.fields, _, _ = self.outer
        if self.best is None:
            at.faults.extend(closest(self.failed, self.value, tuple(at.path), self.expected))
            return None
        at.loosen(self.best.exactness)
        if self.best.fields is not None:
            at.add_fields(self.best.fields)
        at.repairs.extend(self.best.repairs)
        return self.best.value

    def _recall(self, key: object) -> bool:
        """Take what is remembered, moved to this place, if there is something."""
        known = self.memo.get(key)
        if known is None:
            return False
        depth, self.best, failed = known
        path = tuple(self.at.path)
        self.failed = [[fault.moved(depth, path) for fault in branch] for branch in failed]
        if self.best is not None:
            moved = _Candidate(self.best.value, self.at, [each.moved(depth, path) for each in self.best.repairs])
            moved.exactness, moved.fields = self.best.exactness, self.best.fields
            self.best = moved
        return True


def choose(value: Any, at: Place, expected: str, wire: str, branches: Mapping[str | int, Branch]) -> object:
    """What the branch makes of an object that its value under the key `wire` tells, a discriminator of pydantic's."""
    given = members(value, at, expected)
    if given is None:
        return None
    tag = given.get(wire)
    if isinstance(tag, float) and tag.is_integer():  # equal as JSON
        tag = int(tag)
    if isinstance(tag, (str, int)) and not isinstance(tag, bool) and tag in branches:
        return branches[tag](given, at)
    at.path.append(wire)
    if wire in given:
        at.fail("one of the allowed values", given[wire], tuple(branches))
    else:
        words = "required, but missing: it tells which kind of object this is"
        at.faults.append(Fault(tuple(at.path), "a value", "nothing", tuple(branches), words))
    at.path.pop()
    return None


def closest(failed: list[list[Fault]], value: object, path: tuple[str | int, ...], expected: str) -> list[Fault]:
    """The faults to tell of a value that no branch takes.

    Those of the one branch that is nearest: whose kind of value it is, then with the fewest constants missed, then
    with the fewest keys missing or unknown, then with the fewest faults. If no branch is nearer than the others, one
    fault that names them all.
    """
    inside = [faults for faults in failed if all(fault.path != path for fault in faults)]
    if inside:
        ranked = sorted(inside, key=_distance)
        if len(ranked) == 1 or _distance(ranked[0]) < _distance(ranked[1]):
            return ranked[0]
    from .wording import described

    allowed = [item for faults in failed for fault in faults if fault.path == path for item in fault.allowed or ()]
    return [Fault(path, expected, described(value), tuple(distinct(allowed)) or None)]


def _distance(faults: list[Fault]) -> tuple[int, int, int]:
    constants = sum(fault.words is None and fault.allowed is not None for fault in faults)
    keys = sum(fault.words is not None for fault in faults)
    return (constants, keys, len(faults))
