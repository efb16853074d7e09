"""Imports played through in their order, to find those that ask a module for a name before it has it.

Only what surely runs counts: statements under conditions that can't be decided, in a `try`, in functions and classes do
not. Libraries count as sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ..syntax.declarations import Attempt, ModuleImport, ParsedModule, SymbolImport
from .availability import Availability
from .choice import absolute_module
from .program import Program


class EarlyImport(Struct, frozen=True):
    """`statement`, in `module`, asks `source` for a name before `source`, which stands at `waits_at`, has bound it."""

    statement: SymbolImport
    module: ParsedModule
    source: ParsedModule
    waits_at: SymbolImport | ModuleImport


class ImportOrder:
    """Plays imports of one program; each play begins with nothing imported."""

    def __init__(self, program: Program, availability: Availability) -> None:
        self._program = program
        self._choice = availability.choice
        self._found: dict[int, tuple[SymbolImport | ModuleImport, ...]] = {}

    def failing(self, module: str) -> EarlyImport | None:
        """The first import that fails when `module` is imported first of all; None if none surely does."""
        return _Play(self._program, self.statements).run(module)

    def statements(self, module: ParsedModule) -> tuple[SymbolImport | ModuleImport, ...]:
        """The imports of a module that surely run, in their order, and whose failure nothing around them catches."""
        known = self._found.get(id(module))
        if known is None:
            known = self._found[id(module)] = tuple(self._statements(module))
        return known

    def _statements(self, module: ParsedModule) -> Iterator[SymbolImport | ModuleImport]:
        managed = module.scope.managed
        imports = [
            binding
            for binding in (*module.scope.members, *module.scope.stars)
            if isinstance(binding, (SymbolImport, ModuleImport))
        ]
        for binding in sorted(imports, key=lambda each: (each.since, each.pos)):
            tried = any(isinstance(guard, Attempt) for guard in binding.guards or ())
            tried = tried or any(pos[:2] <= binding.since <= pos[2:] for pos in managed)
            if not tried and self._choice.reached(binding, module.scope) is True:
                yield binding


class _Play:
    """`at` has the modules that are begun: the import each one waits at, None when it has all run."""

    def __init__(self, program: Program, statements: Any) -> None:
        self._program = program
        self._statements = statements
        self._at: dict[str, SymbolImport | ModuleImport | None] = {}

    def run(self, name: str) -> EarlyImport | None:
        """Import a module and, before it, the packages it is in."""
        parts = name.split(".")
        for count in range(1, len(parts) + 1):
            failure = self._module(".".join(parts[:count]))
            if failure is not None:
                return failure
        return None

    def _module(self, name: str) -> EarlyImport | None:
        if name in self._at:
            return None
        self._at[name] = None
        module = self._program.source(name)
        if module is None:
            return None
        for statement in self._statements(module):
            self._at[name] = statement
            failure = self._import(statement, module)
            if failure is not None:
                return failure
        self._at[name] = None
        return None

    def _import(self, statement: SymbolImport | ModuleImport, module: ParsedModule) -> EarlyImport | None:
        if isinstance(statement, ModuleImport):
            return self.run(statement.module)
        source = absolute_module(statement, module)
        if source is None:
            return None
        failure = self.run(source)
        if failure is not None or statement.symbol == "*":
            return failure
        waiting = self._at.get(source)
        parsed = self._program.source(source)
        if waiting is not None and parsed is not None and self._lacks(parsed, statement.symbol, waiting):
            if not self._program.exists(f"{source}.{statement.symbol}"):
                return EarlyImport(statement, module, parsed, waiting)
        if self._program.source(f"{source}.{statement.symbol}") is not None:
            return self.run(f"{source}.{statement.symbol}")
        return None

    @staticmethod
    def _lacks(source: ParsedModule, name: str, waiting: SymbolImport | ModuleImport) -> bool:
        """Whether a module that waits at one of its imports can't have bound the name yet."""
        scope = source.scope
        if source.writes_globals or "__getattr__" in scope.bindings or name in source.global_names:
            return False
        if any(star.since < waiting.since for star in scope.stars):
            return False
        bindings = scope.bindings.get(name, [])
        return bool(bindings) and all(binding.since >= waiting.since for binding in bindings)
