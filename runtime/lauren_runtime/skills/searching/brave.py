"""Brave's search API (https://api-dashboard.search.brave.com/app/documentation/web-search)."""

from __future__ import annotations

from collections.abc import Sequence

from .backend import SearchResult, tidied
from .http import Engine, rows

_LONGEST_QUERY = 400
_MOST = 20


class BraveBackend:
    """Asks Brave with the subscription key `key`. `url` is where its API is.

    Raises SkillSetupError for what is no key.
    """

    def __init__(
        self,
        key: str,
        *,
        url: str = "https://api.search.brave.com/res/v1/web/search",
        timeout: float = 10.0,
        proxy: str | None = None,
    ) -> None:
        headers = {"x-subscription-token": key, "accept": "application/json"}
        self._engine = Engine("Brave", url, headers=headers, timeout=timeout, proxy=proxy)

    async def search(self, query: str, max_results: int) -> Sequence[SearchResult]:
        """What it finds, best first. Raises SearchError, SkillSetupError without httpx."""
        count = min(max_results, _MOST)
        answer = await self._engine.ask({"q": query[:_LONGEST_QUERY], "count": count, "text_decorations": "false"})
        found = rows(answer, "web", "results")
        return tidied((row.get("title"), row.get("url"), row.get("description")) for row in found)[:max_results]
