"""What a search engine is for WebSearchTool, and what it finds."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypedDict, runtime_checkable

from ...surrogates import mended

_MARKUP = re.compile(r"<[^<>]{0,500}>")
_LONGEST_TITLE = 300
_LONGEST_SNIPPET = 1000
_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f\"<>]{1,2000}", re.IGNORECASE)


class SearchResult(TypedDict):
    """One page that a search found."""

    title: str
    url: str
    snippet: str


@runtime_checkable
class SearchBackend(Protocol):
    """A search engine. One's own needs this method and nothing else."""

    async def search(self, query: str, max_results: int) -> Sequence[SearchResult]:
        """What the engine finds, best first; more than `max_results` are cut off. Raises SearchError."""
        ...


def tidied(found: Iterable[tuple[object, object, object]]) -> list[SearchResult]:
    """Results of (title, address, snippet) as engines give them: markup and repeated addresses are left out, and what
    is no address of the web."""
    results: dict[str, SearchResult] = {}
    for title, url, snippet in found:
        if isinstance(url, str) and _URL.fullmatch(url := mended(url)) and url not in results:
            about = _plain(title, _LONGEST_TITLE), _plain(snippet, _LONGEST_SNIPPET)
            results[url] = SearchResult(title=about[0], url=url, snippet=about[1])
    return list(results.values())


def _plain(text: object, longest: int) -> str:
    if not isinstance(text, str):
        return ""
    return " ".join(mended(html.unescape(_MARKUP.sub("", text))).split())[:longest]
