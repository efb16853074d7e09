"""One request of a model's: its redirects, its limits, and what came of it."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Mapping
from typing import NamedTuple

import httpcore
import httpx

from ..bodies import ACCEPTED, PackedWrong, body_of
from ..errors import FetchError, FetchRefused
from .policy import FetchPolicy, Resolver
from .transport import CheckedTransport

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_LONGEST_URL = 8192
_LONGEST_TYPE = 200
#: What the connection is made of is for the client to say.
_OWN_HEADERS = frozenset(
    """
    accept-encoding connection content-length expect host keep-alive proxy-authorization proxy-connection te trailer
    transfer-encoding upgrade
    """.split()
)


class Page(NamedTuple):
    """An answer: `content` is the body after decompression, `cut` whether there was more of it."""

    url: str
    status: int
    content_type: str
    charset: str | None
    content: bytes
    cut: bool


class _Ask(NamedTuple):
    """What is asked for at one place; `headers` by their names in small letters."""

    method: str
    url: httpx.URL
    headers: dict[str, str]
    body: bytes | None


class Fetcher:
    """Makes requests as a policy allows them."""

    def __init__(self, policy: FetchPolicy, resolver: Resolver, certificates: ssl.SSLContext) -> None:
        self._policy = policy
        self._resolver = resolver
        self._certificates = certificates

    async def fetch(self, url: str, method: str, headers: Mapping[str, str], body: str | None, seconds: float) -> Page:
        """The answer to a request, after redirects, within so many seconds.

        Raises FetchRefused for what the policy forbids, FetchError for what fails.
        """
        self._policy.check_method(method)
        ask = _Ask(method, _parsed(url), _headers(headers, self._policy), _content(method, body))
        transport = CheckedTransport(self._policy, self._resolver, self._certificates)
        client = httpx.AsyncClient(transport=transport, trust_env=False, timeout=seconds)
        try:
            async with asyncio.timeout(seconds), client:
                return await self._followed(client, ask)
        except (TimeoutError, httpx.TimeoutException, httpcore.TimeoutException) as error:
            raise FetchError(f"{ask.url.host} did not answer completely within {seconds:g} seconds") from error

    async def _followed(self, client: httpx.AsyncClient, ask: _Ask) -> Page:
        for _ in range(self._policy.max_redirects + 1):
            self._policy.check_place(ask.url.scheme, ask.url.raw_host.decode("ascii"), _port(ask.url))
            try:
                found = await self._answered(client, ask)
            except (httpx.TimeoutException, httpcore.TimeoutException):
                raise
            except (httpx.HTTPError, httpcore.NetworkError, httpcore.ProtocolError) as error:
                raise FetchError(f"the request to {ask.url.host} failed: {_reason(error)}") from error
            if isinstance(found, Page):
                return found
            ask = found
        raise FetchError(f"more than {self._policy.max_redirects} redirects")

    async def _answered(self, client: httpx.AsyncClient, ask: _Ask) -> Page | _Ask:
        """The answer of one place, or what it redirects to."""
        headers = {name.encode("ascii"): value.encode("latin-1") for name, value in ask.headers.items()}
        # Built by the client, which adds the cookies that a server set on the way.
        request = client.build_request(ask.method, ask.url, headers=headers, content=ask.body)
        response = await client.send(request, stream=True, follow_redirects=False)
        try:
            location = response.headers.get("location")
            if response.status_code not in _REDIRECTS or location is None:
                return await _read(response, self._policy)
            return _redirected(ask, response.status_code, _parsed(location, base=ask.url))
        finally:
            await response.aclose()


def _port(url: httpx.URL) -> int:
    usual = 443 if url.scheme == "https" else 80
    return usual if url.port is None else url.port


def _parsed(text: str, base: httpx.URL | None = None) -> httpx.URL:
    if len(text) > _LONGEST_URL:
        raise FetchRefused(f"the URL {text[:100]!r}… is longer than {_LONGEST_URL} characters")
    try:
        url = httpx.URL(text.strip()) if base is None else base.join(text)
    except (httpx.InvalidURL, ValueError) as error:
        raise FetchRefused(f"{text[:200]!r} is no URL: {error}") from error
    if url.userinfo:
        raise FetchRefused("URLs with a user name or password are not allowed")
    return url


def _headers(given: Mapping[str, str], policy: FetchPolicy) -> dict[str, str]:
    """The headers to send: the model's, those of its own that it may not set refused."""
    headers = {"user-agent": policy.user_agent, "accept": "*/*"}
    for name, value in given.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise FetchRefused(f"the header {name[:100]!r} or its value has characters that headers can't have")
        if name.lower() in _OWN_HEADERS:
            raise FetchRefused(f"the header {name} is set by the client itself: leave it out")
        headers[name.lower()] = value.strip(" \t")  # what stands around a value is no part of it
    return {**headers, "accept-encoding": ACCEPTED}


def _content(method: str, body: str | None) -> bytes | None:
    if body is not None and method != "POST":
        raise FetchRefused(f"a {method} request has no body: leave `body` out, or use POST")
    try:
        return None if body is None else body.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FetchRefused(f"the body is no text: {error.reason}") from error


def _redirected(ask: _Ask, status: int, url: httpx.URL) -> _Ask:
    """What a redirect asks for (RFC 9110, section 15.4; POST becomes GET as browsers have it).

    Another origin gets none of the model's headers, which may carry secrets meant for the first.
    """
    again = ask.method != "POST" or status in (307, 308)
    same = (url.scheme, url.host, _port(url)) == (ask.url.scheme, ask.url.host, _port(ask.url))
    kept = {"user-agent", "accept", "accept-encoding", *(("content-type",) if again else ())}
    headers = {
        name: value
        for name, value in ask.headers.items()
        if name in kept or (same and (again or name != "content-type"))
    }
    return _Ask(ask.method if again else "GET", url, headers, ask.body if again else None)


async def _read(response: httpx.Response, policy: FetchPolicy) -> Page:
    """The answer, of whose body no more is read or decompressed than the policy allows."""
    try:
        content, cut = await body_of(response, policy.max_bytes)
    except PackedWrong as error:
        raise FetchError(str(error)) from error
    return Page(
        url=str(response.url),
        status=response.status_code,
        content_type=response.headers.get("content-type", "")[:_LONGEST_TYPE],
        charset=response.charset_encoding,
        content=content,
        cut=cut,
    )


def _reason(error: Exception) -> str:
    """What went wrong, without the addresses and numbers of system errors."""
    text = str(error) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return "its certificate is not valid for it"
    return "it could not be reached" if "connection attempts failed" in text else text[:200]
