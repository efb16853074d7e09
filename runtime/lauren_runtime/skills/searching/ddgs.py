"""Public search engines through the package `ddgs`, which needs no key and promises nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..errors import SearchError, missing
from .backend import SearchResult, tidied


class DDGSBackend:
    """Asks `engine` of those that ddgs knows ("duckduckgo", "brave" …; "auto": several of them).

    `verify` is passed on: whether certificates are checked, or the file of those that are trusted.
    """

    def __init__(
        self, engine: str = "auto", *, timeout: float = 10.0, proxy: str | None = None, verify: bool | str = True
    ) -> None:
        self._engine = engine
        self._timeout = timeout
        self._proxy = proxy
        self._verify = verify

    async def search(self, query: str, max_results: int) -> Sequence[SearchResult]:
        """What is found, best first. Raises SearchError, SkillSetupError without ddgs."""
        import asyncio

        return await asyncio.to_thread(self._search, query, max_results)

    def _search(self, query: str, max_results: int) -> list[SearchResult]:
        try:
            from ddgs import DDGS  # pyright: ignore[reportUnknownVariableType]
            from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException
        except ImportError as error:
            raise missing("ddgs", "Searching with ddgs") from error
        client: Any = cast(Any, DDGS)(proxy=self._proxy, timeout=max(1, round(self._timeout)), verify=self._verify)
        try:
            found = client.text(query, max_results=max_results, backend=self._engine)
        except RatelimitException:
            raise SearchError("the search engines are asked too often: try again later") from None
        except TimeoutException:
            raise SearchError("the search engines did not answer in time: try again") from None
        except DDGSException as error:
            if "No results" in str(error):
                return []
            raise SearchError(f"the search engines could not be asked ({type(error).__name__})") from None
        return tidied((row.get("title"), row.get("href"), row.get("body")) for row in found)[:max_results]
