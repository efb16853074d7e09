"""`HttpFetchTool`: pages of the public web, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from .. import tool
from .errors import missing
from .fetching.policy import FetchPolicy, Resolver

if TYPE_CHECKING:
    from annotated_types import Gt, Le

    from .fetching.request import Fetcher, Page


class FetchedPage(TypedDict):
    """What a request came back with."""

    url: str
    status: int
    content_type: str
    body: str
    truncated: bool
    note: NotRequired[str]


@tool()
class HttpFetchTool:
    """Fetch a page or another text from the public web. HTML comes back as its text, with links as [text](address)."""

    def __init__(self, policy: FetchPolicy | None = None, *, resolver: Resolver | None = None) -> None:
        """`policy` says what may be fetched (default: the public web); `resolver` finds the addresses of hosts, in
        place of the system's. The addresses are checked whoever finds them."""
        self.policy = FetchPolicy() if policy is None else policy
        self._resolver = resolver
        self._certificates: Any = None

    async def run(
        self,
        url: str,
        method: Literal["GET", "HEAD", "POST"] = "GET",
        headers: dict[str, str] | None = None,
        body: str | None = None,
        timeout: Annotated[float, Gt(0), Le(30)] = 30.0,
    ) -> FetchedPage:
        """The answer, whatever its status; a body that is no text is left out, and `note` says so.

        Raises FetchRefused for what the policy forbids, FetchError for what fails, SkillSetupError without httpx.

        Args:
            url: Where the page is: http:// or https:// and a public host.
            method: The HTTP method.
            headers: Further request headers.
            body: What to send with POST; state its Content-Type in the headers.
            timeout: How many seconds to wait for the whole answer.
        """
        fetcher = self._fetcher()
        page = await fetcher.fetch(url, method, headers or {}, body, min(timeout, self.policy.max_seconds))
        return await self._told(page)

    def _fetcher(self) -> Fetcher:
        try:
            from .fetching.request import Fetcher
            from .fetching.transport import system_resolver, trusted
        except ImportError as error:
            raise missing("httpx", "HttpFetchTool") from error
        if self._certificates is None:  # reading them takes a while
            self._certificates = trusted(self.policy.certificates)
        return Fetcher(self.policy, self._resolver or system_resolver, self._certificates)

    async def _told(self, page: Page) -> FetchedPage:
        import asyncio

        from .fetching.page import is_text, media_type

        kind = media_type(page.content_type)
        told = FetchedPage(
            url=page.url, status=page.status, content_type=page.content_type, body="", truncated=page.cut
        )
        if not is_text(kind, page.content, page.charset):
            size = f"more than {len(page.content):,}" if page.cut else f"{len(page.content):,}"
            told["note"] = f"the body is left out: {size} bytes that are no text"
            return told
        text, cut = await asyncio.to_thread(_text, kind, page)  # a long page of HTML takes a while
        told["body"] = text[: self.policy.max_characters]
        told["truncated"] = page.cut or cut or len(text) > self.policy.max_characters
        return told


def _text(kind: str, page: Page) -> tuple[str, bool]:
    """The text of a page, and whether more of it was left out."""
    from .fetching.html import is_cut, shown_text
    from .fetching.page import decoded

    is_html = kind in ("text/html", "application/xhtml+xml")
    text = decoded(page.content, page.charset, is_html, page.cut)
    return (shown_text(text, page.url), is_cut(text)) if is_html else (text, False)
