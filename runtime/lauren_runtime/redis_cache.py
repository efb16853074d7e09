"""Results kept in Redis, for processes on many machines. Needs the `redis` client (`lauren-compile[redis]`)."""

from __future__ import annotations

from .blocking import Workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TIMEOUT = 2.0


class RedisCacheBackend:
    """Keeps results in Redis, under `prefix` and the key; Redis itself forgets them when their time is over.

    `client` is a `redis.Redis` (not the asyncio one, which belongs to one event loop), or anything with its `get`,
    `set(…, px=)` and `delete`. What the client raises is passed on: the executor logs it and goes on without a cache.
    """

    def __init__(self, client: Any, prefix: str = "lauren:") -> None:
        self._client = client
        self._prefix = prefix
        self._workers = Workers("lauren-redis-cache")

    @classmethod
    def from_url(cls, url: str, prefix: str = "lauren:") -> RedisCacheBackend:
        """A backend for the server at `url` (`redis://host:6379/0`), which is first asked at the first use.

        Raises ImportError without the client library, ValueError for a wrong URL.
        """
        try:
            import redis
        except ImportError as error:
            raise ImportError(
                "RedisCacheBackend needs the redis client: pip install 'lauren-compile[redis]'"
            ) from error
        options = {"socket_timeout": _TIMEOUT, "socket_connect_timeout": _TIMEOUT}
        return cls(redis.Redis.from_url(url, **options), prefix)  # pyright: ignore[reportUnknownMemberType]

    async def get(self, key: str) -> str | None:
        """The text under `key`, or None if there is none or its time is over."""
        found = await self._workers.run(lambda: self._client.get(self._prefix + key))
        return found.decode("utf-8") if isinstance(found, bytes) else found

    async def set(self, key: str, value: str, *, ttl: float) -> None:
        """Keep `value` for `ttl` seconds; nothing is kept for 0 or less."""
        if ttl <= 0:
            await self.delete(key)
            return
        milliseconds = max(1, round(ttl * 1000))
        await self._workers.run(lambda: self._client.set(self._prefix + key, value, px=milliseconds))

    async def delete(self, key: str) -> None:
        """Forget `key`, if it is there."""
        await self._workers.run(lambda: self._client.delete(self._prefix + key))

    def close(self) -> None:
        """Wait for what is being stored, and close the client's connections."""
        self._workers.close()
        self._client.close()
