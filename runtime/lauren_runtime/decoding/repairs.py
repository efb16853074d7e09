"""Repairs: what was taken in place of a value that did not fit, and how to put it into the arguments."""

from __future__ import annotations

from .kinds import is_container, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()
"""`Repair.after` where a key is treated as if it had not been given."""


class Repair:
    """One repair: at `path` stood `before`, for the reason `what` it was read as `after`."""

    __slots__ = ("after", "before", "path", "what")

    def __init__(self, path: tuple[str | int, ...], what: str, before: object, after: object) -> None:
        self.path = path
        self.what = what
        self.before = before
        self.after = after

    def moved(self, depth: int, to: tuple[str | int, ...]) -> Repair:
        """The same repair at another place: the first `depth` steps replaced by `to`."""
        return Repair(to + self.path[depth:], self.what, self.before, self.after)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Repair):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((self.path, self.what))

    def __repr__(self) -> str:
        return f"Repair({self.path!r}, {self.what!r}, {self.before!r}, {self.after!r})"

    def _fields(self) -> tuple[object, ...]:
        return (self.path, self.what, self.before, self.after)


def apply_repairs(arguments: Any, repairs: Iterable[Repair]) -> Any:
    """A copy of the JSON value `arguments` with `repairs` made in their order.

    Containers are copied whether or not a repair touches them; raises KeyError or IndexError for repairs of another
    value.
    """
    root = {"": copied(arguments)}
    for repair in repairs:
        holder: Any = root
        last: str | int = ""
        for step in repair.path:
            holder, last = holder[last], step
        if repair.after is ABSENT:
            del holder[last]
        else:
            holder[last] = copied(repair.after)
    return root[""]


def copied(value: Any) -> Any:
    """A copy of a JSON value that shares no container with it. Nesting costs no stack."""
    root: list[Any] = [value]
    pending: list[Any] = [root]
    while pending:
        holder = pending.pop()
        members: Any = list(holder.items()) if is_object(holder) else enumerate(holder)
        for step, item in members:
            if is_container(item):
                holder[step] = dict(item) if is_object(item) else list(item)
                pending.append(holder[step])
    return root[0]
