"""From where, and when, a name is read."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ..syntax.declarations import Scope


class Reading(Struct, frozen=True):
    """A scope, and the place in its file where the reading is run; None: when all has run, as for a string."""

    scope: Scope
    at: tuple[int, int] | None

    def outwards(self, name: str) -> Iterator[tuple[Scope, tuple[int, int] | None]]:
        """The scopes a name is looked for in, each with the place at which its bindings count.

        Class bodies are seen from themselves and from the signatures of their functions that are read where they
        stand, as in Python. What encloses a function has all run when its body runs.
        """
        scope: Scope | None = self.scope
        at = self.at
        before: Scope | None = None
        while scope is not None:
            signature = before is not None and before.kind == "parameters" and before is self.scope
            if scope.kind != "class" or scope is self.scope or (signature and self.at is not None):
                if scope.outer_names.get(name) == "global":
                    scope, at = scope.module.scope, None
                yield scope, at
            if scope.kind == "function":
                at = None
            before, scope = scope, scope.parent
