"""`DIContainer`: the objects of an application, made when they are first asked for."""

from __future__ import annotations

from ..injection import Scope
from .building import Made, make
from .errors import LifecycleError, LifecycleViolationError
from .lookup import missing, resolved
from .once import Once
from .order import postorder
from .provider import Provider
from .tokens import asked_token, is_hashable
from .wiring import Constant, Later, Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .wiring import Source


class DIContainer:
    """Makes and keeps objects. Safe for tasks, threads, and one event loop after another."""

    def __init__(self, wiring: Wiring, root: type) -> None:
        self._wiring = wiring
        self._root = root
        self._once = Once()
        self._singletons: dict[Any, Any] = {}
        self._made: dict[Provider, Made] = {}
        self._requests: dict[int, tuple[dict[Any, Any], dict[Provider, Made]]] = {}
        self._asked: dict[tuple[Any, type], Source] = {}
        self._is_closed = False

    async def resolve(
        self, token: Any, *, request_cache: dict[Any, Any] | None = None, owning_module: type | None = None
    ) -> Any:
        """The object for a class, a token or `list[token]`, as a module sees it; the root module if none is given.

        `request_cache` holds the objects of scope REQUEST: one for each provider and cache. Without one they are made
        for this call alone.

        Raises MissingProviderError and ProtocolAmbiguityError, LifecycleViolationError after shutdown, and whatever
        constructors, factories and hooks raise.
        """
        if self._is_closed:
            raise LifecycleViolationError("the application has been shut down")
        asked = (token, owning_module or self._root)
        source = self._asked.get(asked) if is_hashable(token) else None
        if source is None:
            source = self._source(*asked)
            self._asked[asked] = source
        return await self._filled(source, {} if request_cache is None else request_cache)

    def _source(self, token: Any, module: type) -> Source:
        """What a token stands for. Raises as `resolve` does; so none without a hash is ever given back."""
        want = asked_token(token)
        bindings = self._wiring.bindings
        found = resolved(bindings, want.key, want.collects, module) if bindings.knows(module) else None
        if found is None and not want.optional:
            raise missing(bindings, want.key, module)
        return Constant(None) if found is None else found

    def scope_of(self, token: Any, *, owning_module: type | None = None) -> Scope | None:
        """How long the object for a token lives, as a module, the root if none is given, sees it; None if it does not.

        Of several the shortest counts.
        """
        found = self._wiring.bindings.find(token, owning_module or self._root)
        return min((provider.scope for provider in found), default=None)

    async def supplied(self, source: Source, request_cache: dict[Any, Any]) -> Any:
        """What a supplier gives. Raises as `resolve` does."""
        if self._is_closed:
            raise LifecycleViolationError("the application has been shut down")
        return await self._filled(source, request_cache)

    async def start(self) -> None:
        """Make every singleton, each after those it needs."""
        for provider in self._wiring.order:
            if provider.scope is Scope.SINGLETON:
                await self._kept(provider, {})

    async def end_request(self, request_cache: dict[Any, Any], seconds: float = 10.0) -> list[LifecycleError]:
        """End the objects that were made for a request; what went wrong is given back. The cache is emptied."""
        _, made = self._requests.pop(id(request_cache), ({}, {}))
        request_cache.clear()
        return await self._end(made, seconds)

    async def close(self, seconds: float) -> list[LifecycleError]:
        """End everything that was made, and make nothing any more; what went wrong is given back."""
        self._is_closed = True
        await self._once.settled()
        return await self.end_all(seconds)

    async def end_all(self, seconds: float) -> list[LifecycleError]:
        """End everything that was made: what is left of requests, then singletons."""
        failures: list[LifecycleError] = []
        for cache, _ in list(self._requests.values()):
            failures += await self.end_request(cache, seconds)
        made, self._made = self._made, {}
        self._singletons.clear()
        return failures + await self._end(made, seconds)

    async def _filled(self, source: Source, cache: dict[Any, Any]) -> Any:
        if isinstance(source, Constant):
            return source.value
        if isinstance(source, Later):
            return Supplier(self, source.source)
        if isinstance(source, tuple):
            return [await self._object(provider, cache) for provider in source]
        return await self._object(source, cache)

    async def _object(self, provider: Provider, cache: dict[Any, Any]) -> Any:
        if self._is_kept(provider, cache):
            return await self._kept(provider, cache)
        if provider.scope is Scope.TRANSIENT:
            return (await self._new(provider, cache)).value
        made: Any = None
        # Nothing here is TRANSIENT: who is kept may not need such. The order ends with the provider itself.
        for needed in postorder([provider], lambda each: self._missing(each, cache))[0]:
            made = await self._kept(needed, cache)
        return made

    def _missing(self, provider: Provider, cache: dict[Any, Any]) -> list[Provider]:
        """What has to be made before a provider's object."""
        needed = [] if self._is_kept(provider, cache) else self._wiring.needed_by(provider)
        return [each for each in needed if not self._is_kept(each, cache)]

    def _is_kept(self, provider: Provider, cache: dict[Any, Any]) -> bool:
        return provider in self._singletons or (provider.scope is Scope.REQUEST and _cache_key(provider) in cache)

    async def _kept(self, provider: Provider, cache: dict[Any, Any]) -> Any:
        if provider.scope is Scope.SINGLETON:
            return await self._once.get(self._singletons, provider, lambda: self._for_all(provider))
        return await self._once.get(cache, _cache_key(provider), lambda: self._for_request(provider, cache))

    async def _for_all(self, provider: Provider) -> Any:
        made = await self._new(provider, {})
        self._made[provider] = made
        return made.value

    async def _for_request(self, provider: Provider, cache: dict[Any, Any]) -> Any:
        made = await self._new(provider, cache)
        if made.ends:
            self._requests.setdefault(id(cache), (cache, {}))[1][provider] = made
        return made.value

    async def _new(self, provider: Provider, cache: dict[Any, Any]) -> Made:
        return await make(provider, [await self._filled(each, cache) for each in self._wiring.sources(provider)])

    async def _end(self, made: dict[Provider, Made], seconds: float) -> list[LifecycleError]:
        """Each after those that hold it; otherwise `@pre_destruct` before teardowns, and the latest first."""
        latest = list(reversed(made.values()))
        first = sorted((each for each in latest if each.ends), key=lambda each: each.generator is not None)
        consumers = self._wiring.consumers() if first else {}
        order, _ = postorder([each.provider for each in first], consumers.__getitem__)
        ending = [made[provider] for provider in order if provider in made and made[provider].ends]
        return [failure for each in ending for failure in await each.end(seconds)]


class Supplier:
    """Gives an object of a container, or a list of them, when it is asked for it; `scope` is the shortest of theirs."""

    def __init__(self, container: DIContainer, source: Provider | tuple[Provider, ...]) -> None:
        self.container = container
        self._source: Provider | tuple[Provider, ...] = source

    @property
    def scope(self) -> Scope:
        """How long the object lives."""
        several = self._source if isinstance(self._source, tuple) else (self._source,)
        return min(provider.scope for provider in several)

    async def get(self, request_cache: dict[Any, Any] | None = None) -> Any:
        """The object. Raises as `DIContainer.resolve` does."""
        return await self.container.supplied(self._source, {} if request_cache is None else request_cache)


def _cache_key(provider: Provider) -> Any:
    """What a request's object is kept under: the provider's token, where that is its alone."""
    return provider if provider.multi else provider.key
