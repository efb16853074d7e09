"""Finds a provider for everything that a provider needs, and checks that it may have it."""

from __future__ import annotations

from typing import Any

from ..errors import StartupError
from .bindings import Bindings, ambiguous, circular, module_name
from .errors import DIScopeViolationError, Faults, MissingProviderError
from .order import postorder
from .provider import OMITTED, REQUIRED, Dependency, Provider
from .tokens import named


class Constant:
    """What fills a dependency that nothing provides: its default, or OMITTED."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


Source = Provider | tuple[Provider, ...] | Constant
"""What fills a dependency: one object, a list of them, or no provider's."""


class Wiring:
    """For each provider what fills its parameters and fields; `order` has each after those it needs."""

    def __init__(self, bindings: Bindings, faults: Faults) -> None:
        self.bindings = bindings
        self._faults = faults
        self._sources: dict[Provider, list[Source]] = {}
        for provider in bindings.providers:
            self._sources[provider] = [self._source(each, provider) for each in provider.dependencies]
        self._check_scopes()
        self.order, cycles = postorder(bindings.providers, self.needed_by)
        for cycle in cycles:
            faults.add(circular([provider.name for provider in cycle]), cycle[0].place)

    def sources(self, provider: Provider) -> list[Source]:
        """What fills each of a provider's `dependencies`."""
        return self._sources[provider]

    def needed_by(self, provider: Provider) -> list[Provider]:
        """The providers of what a provider needs."""
        return [each for source in self._sources[provider] for each in _providers(source)]

    def consumers(self) -> dict[Provider, list[Provider]]:
        """For each provider those that need it."""
        inverse: dict[Provider, list[Provider]] = {provider: [] for provider in self._sources}
        for provider in self._sources:
            for needed in self.needed_by(provider):
                inverse[needed].append(provider)
        return inverse

    def resolve(self, key: Any, collects: Any, module: type | None) -> Provider | tuple[Provider, ...] | None:
        """What a token stands for in a module's eyes: one provider, or several to be collected; None for nothing.

        Raises ProtocolAmbiguityError for several where one is wanted, and a list of what is not `multi`.
        """
        if collects is True:
            exact = self.bindings.find(list[key], module)  # pyright: ignore[reportInvalidTypeArguments]
            if len(exact) == 1:
                return exact[0]
        # A list is of what was registered for it: what only looks like the protocol was not meant to be in it.
        found = self.bindings.find(key, module, structural=collects is not True)
        all_multi = bool(found) and all(provider.multi for provider in found)
        if found and (collects is True or (collects == "multi" and all_multi)):
            if all_multi:
                return tuple(found)
            raise ambiguous(key, found, "a list takes providers with multi=True")
        if len(found) > 1:
            advice = f"ask for list[{named(key)}]" if all_multi else f"provide one of them as {named(key)}"
            raise ambiguous(key, found, advice)
        return found[0] if found else None

    def missing(self, key: Any, module: type | None, needed_by: str = "", problem: str = "") -> StartupError:
        """The error for a token that stands for nothing in a module's eyes."""
        known = self.bindings.is_known(key) and self.bindings.knows(module)
        visible = f" visible from {module_name(module)}: declare it there, or import a module that exports it"
        message = f"no provider for {named(key)}{visible if known else ''}"
        detail = {"token": named(key), "module": module_name(module)}
        if needed_by:
            message += f"; needed by {needed_by}"
            detail["needed_by"] = needed_by
        return MissingProviderError(f"{message}; {problem}" if problem else message, detail=detail)

    def _source(self, need: Dependency, provider: Provider) -> Source:
        try:
            found = None if need.problem else self.resolve(need.key, need.collects, provider.module)
        except StartupError as error:
            if need.key not in self.bindings.broken:
                self._faults.add(error, provider.place)
            return Constant(OMITTED)
        if found is not None:
            return found
        if need.default is REQUIRED:
            # What it sees and cannot use has been reported where it is declared.
            if need.problem or not self.bindings.sees(need.key, provider.module):
                self._faults.add(self.missing(need.key, provider.module, need.where, need.problem), provider.place)
            return Constant(OMITTED)
        return Constant(need.default)

    def _check_scopes(self) -> None:
        """What an object holds lives at least as long as the object."""
        for provider in self._sources:
            for needed in self.needed_by(provider):
                if needed.scope < provider.scope:
                    self._faults.add(_too_short(provider, needed), provider.place)


def _providers(source: Source) -> tuple[Provider, ...]:
    if isinstance(source, Constant):
        return ()
    return source if isinstance(source, tuple) else (source,)


def _too_short(provider: Provider, needed: Provider) -> StartupError:
    return DIScopeViolationError(
        f"{provider.name} has scope {provider.scope.label}, and so cannot hold {needed.name}, whose scope is "
        f"{needed.scope.label}",
        detail={
            "dependent_scope": provider.scope.label,
            "dependency_scope": needed.scope.label,
            "dependent": provider.name,
            "dependency": needed.name,
        },
    )
