"""SearXNG, a search engine to run oneself (its search API: https://docs.searxng.org/dev/search_api.html)."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SearchError
from .backend import SearchResult, tidied
from .http import Engine, rows

_HELP = {
    403: "its settings.yml has to list json under search.formats",
    429: "its limiter has to let this client through",
}


class SearXNGBackend:
    """Asks the SearXNG at `url`, whose settings have to allow the format json."""

    def __init__(self, url: str, *, timeout: float = 10.0, proxy: str | None = None) -> None:
        self._engine = Engine("SearXNG", url.rstrip("/") + "/search", timeout=timeout, proxy=proxy, help_for=_HELP)

    async def search(self, query: str, max_results: int) -> Sequence[SearchResult]:
        """What it finds, best first. Raises SearchError, SkillSetupError without httpx."""
        answer = await self._engine.ask({"q": query, "format": "json"})
        found = rows(answer, "results")
        silent = answer.get("unresponsive_engines")
        if not found and silent:
            raise SearchError("SearXNG found nothing because the engines behind it did not answer: try again later")
        return tidied((row.get("title"), row.get("url"), row.get("content")) for row in found)[:max_results]
