"""`WebSearchTool`: pages that a search engine finds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from .. import tool
from .errors import SearchError
from .searching.backend import SearchBackend, SearchResult

if TYPE_CHECKING:
    from annotated_types import Ge, Le


@tool()
class WebSearchTool:
    """Search the web. Gives pages with title, address and a snippet; fetch a page to read it."""

    def __init__(self, backend: SearchBackend | None = None) -> None:
        """`backend` is the search engine; None: the one that LAUREN_SEARCH_BACKEND names when the tool first runs."""
        self._backend = backend

    async def run(self, query: str, max_results: Annotated[int, Ge(1), Le(20)] = 5) -> list[SearchResult]:
        """What the search engine finds, best first.

        Raises SearchError where it gives no answer, SkillSetupError where none is set.

        Args:
            query: What to search for, as one would type it into a search engine.
            max_results: How many pages at most.
        """
        if not query.strip():
            raise SearchError("the query is empty: say what to search for")
        if self._backend is None:
            from .searching.configured import configured_backend

            self._backend = configured_backend(os.environ)
        return list(await self._backend.search(query, max_results))[:max_results]
