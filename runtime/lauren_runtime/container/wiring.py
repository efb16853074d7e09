"""What fills each thing that a provider needs, found and checked: what the container goes by."""

from __future__ import annotations

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


if TYPE_CHECKING:
    Source = Provider | tuple[Provider, ...] | Constant
    """What fills a dependency: one object, a list of them, or no provider's."""


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
        """The providers of what a provider needs."""
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
    return source if isinstance(source, tuple) else (source,)
