"""Putting things in order of what they need. No recursion: chains may be long."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import TypeVar

    _T = TypeVar("_T", bound=Hashable)


def postorder(roots: Iterable[_T], needed_by: Callable[[_T], Iterable[_T]]) -> tuple[list[_T], list[list[_T]]]:
    """Everything reachable, each after what it needs, otherwise in the given order; and the cycles that were met.

    A cycle begins and ends with the same thing.
    """
    done: dict[_T, None] = {}
    cycles: list[list[_T]] = []
    for root in roots:
        if root in done:
            continue
        path: dict[_T, None] = {root: None}  # what is being looked at, in order
        stack = [iter(needed_by(root))]
        while stack:
            following = next((each for each in stack[-1] if each not in done), None)
            if following is None:
                stack.pop()
                done[path.popitem()[0]] = None
            elif following in path:
                around = list(path)
                cycles.append([*around[around.index(following) :], following])
            else:
                path[following] = None
                stack.append(iter(needed_by(following)))
    return list(done), cycles
