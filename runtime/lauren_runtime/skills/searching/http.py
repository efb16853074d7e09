"""Asking a search engine over HTTP for JSON. Errors name the engine, never its address, query or key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from ...surrogates import mended
from ..bodies import ACCEPTED, PackedWrong, body_of
from ..errors import SearchError, SkillSetupError, missing

_LONGEST_ANSWER = 5_000_000
_HEADER = re.compile(r"[\x21-\x7e]+")
_SECONDS = re.compile(r"[0-9]{1,9}")
_SAID = {
    401: "refused the key",
    403: "refused the request",
    422: "refused the request or the key",
    429: "is asked too often",
}


class Engine:
    """A search engine that is asked with GET. `help_for` says, by status, what whoever runs it can do.

    Raises SkillSetupError for a header that can't be sent.
    """

    def __init__(
        self,
        name: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float = 10.0,
        proxy: str | None = None,
        help_for: Mapping[int, str] | None = None,
    ) -> None:
        self.name = name
        self._url = url
        self._headers = dict(headers or {})
        if not all(_HEADER.fullmatch(each) for each in self._headers.values()):
            raise SkillSetupError(f"the key set for {name} is none: it is empty, or has characters that no key has")
        self._timeout = timeout
        self._proxy = proxy
        self._help_for = help_for or {}

    async def ask(self, parameters: Mapping[str, str | int]) -> Mapping[str, Any]:
        """The JSON object that the engine answers with.

        Raises SearchError, SkillSetupError without httpx or for an address that is none.
        """
        import asyncio

        try:
            import httpx
        except ImportError as error:
            raise missing("httpx", f"Searching with {self.name}") from error
        try:
            url = httpx.URL(self._url)
            # In the address they would stand in httpx's log.
            auth = httpx.BasicAuth(url.username, url.password) if url.userinfo else None
            plain = url.copy_with(username=None, password=None) if url.userinfo else url
            client = httpx.AsyncClient(proxy=self._proxy, trust_env=False, auth=auth, timeout=self._timeout)
        except (httpx.InvalidURL, ValueError):
            raise SkillSetupError(f"the address or the proxy set for {self.name} is no URL") from None
        try:
            async with asyncio.timeout(self._timeout), client:
                headers = {**self._headers, "accept-encoding": ACCEPTED}
                request = client.stream("GET", plain, params=self._sendable(parameters), headers=headers)
                async with request as response:
                    self._check(response.status_code, response.headers.get("retry-after", ""))
                    return self._parsed(await self._body(response))
        except (TimeoutError, httpx.TimeoutException):
            raise SearchError(f"{self.name} did not answer within {self._timeout:g} seconds: try again") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SearchError(f"{self.name} could not be reached ({type(error).__name__})") from None

    def _check(self, status: int, retry_after: str) -> None:
        if status == 200:
            return
        said = _SAID.get(status, "failed" if status >= 500 else "gave no results")
        wait = f"; try again in {retry_after} seconds" if status == 429 and _SECONDS.fullmatch(retry_after) else ""
        more = f": {self._help_for[status]}" if status in self._help_for else ""
        raise SearchError(f"{self.name} {said} (status {status}){wait}{more}")

    def _sendable(self, parameters: Mapping[str, str | int]) -> dict[str, str | int]:
        """The parameters, if there is no half of a character in them."""
        made = dict(parameters)
        if mended(made) is not made:
            raise SearchError("the query is no text: it has half a surrogate pair in it")
        return made

    async def _body(self, response: Any) -> bytes:
        try:
            content, cut = await body_of(response, _LONGEST_ANSWER)
        except PackedWrong as error:
            raise SearchError(f"{self.name} could not be understood: {error}") from error
        if cut:
            raise SearchError(f"the answer of {self.name} is too long, or breaks off")
        return content

    def _parsed(self, body: bytes) -> Mapping[str, Any]:
        try:
            answer: Any = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise SearchError(f"{self.name} did not answer with the JSON that was asked for")
        return cast("dict[str, Any]", answer)


def rows(answer: Any, *path: str) -> list[Mapping[str, Any]]:
    """The objects in the list at `path`; none where the answer has something else there."""
    for key in path:
        answer = cast("dict[str, Any]", answer).get(key) if isinstance(answer, dict) else None
    found: Any = answer
    return [row for row in found if isinstance(row, dict)] if isinstance(answer, list) else []
