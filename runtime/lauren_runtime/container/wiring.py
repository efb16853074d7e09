"""What fills each thing that a provider needs, found and checked: what the container goes by."""

from __future__ import annotations

from ..injection import Scope
from .bindings import Bindings
from .order import postorder
from .provider import Provider

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Constant:
    """What fills a dependency that nothing provides: its default, or OMITTED."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Later:
    """What a supplier supplies. `first`: singletons are made before what holds the supplier."""

    __slots__ = ("first", "source")

    def __init__(self, source: Provider | tuple[Provider, ...], first: bool) -> None:
        self.source = source
        self.first = first


if TYPE_CHECKING:
    Source = Provider | tuple[Provider, ...] | Constant | Later
    """What fills a dependency: one object, a list of them, no provider's, or a supplier."""


class Wiring:
    """For each provider what fills its dependencies. `order` has each after those it needs, `cycles` those that need
    each other.
    """

    def __init__(self, bindings: Bindings, sources: Mapping[Provider, list[Source]]) -> None:
        self.bindings = bindings
        self._sources = sources
        self.order, self.cycles = postorder(bindings.providers, self.needed_by)

    def sources(self, provider: Provider) -> list[Source]:
        """What fills each of a provider's `dependencies`."""
        return self._sources[provider]

    def needed_by(self, provider: Provider) -> list[Provider]:
        """The providers of what a provider needs, to hold it or to have it made before."""
        return [each for source in self._sources[provider] for each in _providers(source)]

    def consumers(self) -> dict[Provider, list[Provider]]:
        """For each provider those that need it."""
        inverse: dict[Provider, list[Provider]] = {provider: [] for provider in self._sources}
        for provider in self._sources:
            for needed in self.needed_by(provider):
                inverse[needed].append(provider)
        return inverse


def _providers(source: Source) -> tuple[Provider, ...]:
    if isinstance(source, Constant):
        return ()
    if isinstance(source, Later):
        lasting = [each for each in _providers(source.source) if each.scope is Scope.SINGLETON]
        return tuple(lasting) if source.first else ()
    return source if isinstance(source, tuple) else (source,)
