"""Which of a name's bindings in one scope count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..syntax.declarations import (
    Assignment,
    Attempt,
    Binding,
    Guards,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
    TryBlock,
)
from .conditions import Conditions


class Placed(Protocol):
    """What stands under conditions, and ends somewhere: a binding, or a call."""

    @property
    def guards(self) -> Guards | None: ...

    @property
    def since(self) -> tuple[int, int]: ...


class Choice:
    """Chooses by order, by conditions, and by whether the imports of a `try` body are found."""

    def __init__(self, conditions: Conditions, module_exists: Callable[[str], bool]) -> None:
        self._conditions = conditions
        self._module_exists = module_exists

    def options(self, scope: Scope, name: str, at: tuple[int, int] | None) -> list[Binding]:
        """The bindings that may be the one in force at a place (line, column; None: when all has run).

        Several only where conditions can't be decided: the last one that surely takes place, and those after it which
        may. A handler of a `try` counts if an import in its body fails, else what its body binds.
        """
        bindings = scope.bindings.get(name)
        if not bindings:
            return []
        if len(bindings) == 1 and bindings[0].guards is None:
            only = bindings[0]
            return [] if _is_bare(only) or (at is not None and not _is_bound(only, scope, at)) else [only]
        reached = [(binding, self.reached(binding, scope)) for binding in bindings if not _is_bare(binding)]
        live = [(binding, certain) for binding, certain in reached if certain is not False]
        if not live:
            # All that binds it stands in handlers whose `try` does not fail: better than nothing.
            live = [(binding, True) for binding, _ in reached if in_handler(binding)]
        if at is not None:
            live = [item for item in live if _is_bound(item[0], scope, at)]
        found: list[Binding] = []
        for binding, certain in live:
            found = [binding] if certain else [*found, binding]
        return found

    def reached(self, placed: Placed, scope: Scope) -> bool | None:
        """Whether something takes place, None if that can't be decided."""
        if placed.guards is None:
            return True
        for attempt in attempts_of(placed):
            fails = self._fails(attempt.block, placed, scope.module, attempt.handler)
            if fails is not attempt.handler:
                return False
        return self._conditions.reached(placed.guards, scope)

    def may_be_reached(self, placed: Placed, scope: Scope) -> bool | None:
        """The same where nothing may be left out: a handler of a `try` without imports may run, for all that is known.

        What its body binds too is no matter: then the body counts.
        """
        reached = self.reached(placed, scope)
        if reached is not False or self._conditions.reached(placed.guards, scope) is False:
            return reached
        tried = attempts_of(placed)
        if any(attempt.block.imports or not attempt.handler for attempt in tried):
            return False
        again = scope.bindings.get(placed.name, ()) if isinstance(placed, Binding) else ()
        blocks = [attempt.block for attempt in tried]
        bodies = (each.block for other in again for each in attempts_of(other) if not each.handler)
        return False if any(body in blocks for body in bodies) else None

    def _fails(self, block: TryBlock, placed: Placed, module: ParsedModule, handler: bool) -> bool:
        """Whether an import in a `try` body fails: any of them for its handlers, one up to `placed` for the body."""
        return any(
            not self._found(statement, module)
            for statement in block.imports
            if handler or statement.since <= placed.since
        )

    def _found(self, statement: ModuleImport | SymbolImport, module: ParsedModule) -> bool:
        if isinstance(statement, ModuleImport):
            return self._module_exists(statement.target)
        return self._module_exists(absolute_module(statement, module) or "")


def in_handler(binding: Binding) -> bool:
    """Whether a binding stands in an exception handler."""
    return any(attempt.handler for attempt in attempts_of(binding))


def attempts_of(placed: Placed) -> tuple[Attempt, ...]:
    """The `try` statements that something stands in, innermost first."""
    return () if placed.guards is None else placed.guards.attempts


def _is_bound(binding: Binding, scope: Scope, at: tuple[int, int]) -> bool:
    """Whether a binding has taken place when what stands at a place is evaluated.

    `name: annotation = value` in a class binds the name before the annotation is evaluated: `date: date = None` says
    None of its type.
    """
    if binding.since <= at:
        return True
    if scope.kind != "class" or not isinstance(binding, Assignment):
        return False
    if binding.annotation is None or binding.value is None:
        return False
    line, column, last, end = binding.annotation.pos
    return (line, column) <= at < (last, end)


def _is_bare(binding: Binding) -> bool:
    """`name: annotation` binds nothing."""
    return isinstance(binding, Assignment) and binding.value is None


def absolute_module(binding: SymbolImport, module: ParsedModule) -> str | None:
    """The module a `from … import` names; None if its dots leave the top-level package."""
    if not binding.level:
        return binding.module
    package = module.file.package.split(".") if module.file.package else []
    if binding.level > len(package):
        return None
    base = package[: len(package) - binding.level + 1]
    return ".".join([*base, binding.module] if binding.module else base)
