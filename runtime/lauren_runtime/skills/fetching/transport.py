"""An httpx transport that reaches only addresses which the policy allows.

A name is resolved once for each connection, what it resolves to is checked, and the connection goes to the address that
was checked: a name server that answers otherwise the next time changes nothing. Certificates are checked against the
name. A connection serves one request, so that a name is looked at for each. Proxies of the environment are not used.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import httpcore
import httpx

from ..errors import FetchError, FetchRefused
from .addresses import read_address
from .policy import FetchPolicy, Resolver


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The addresses that the system has for a host, each once."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def trusted(authorities: str | None) -> ssl.SSLContext:
    """What servers' certificates are checked with; the environment has no say in it."""
    if authorities is not None:
        return ssl.create_default_context(cafile=authorities)
    return httpx.create_ssl_context(trust_env=False)


class CheckedTransport(httpx.AsyncBaseTransport):
    """Sends requests over connections that `_CheckedNetwork` makes."""

    def __init__(self, policy: FetchPolicy, resolver: Resolver, certificates: ssl.SSLContext) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=certificates,
            max_keepalive_connections=0,
            network_backend=_CheckedNetwork(policy, resolver),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to one request. Raises what httpcore and `_CheckedNetwork` raise."""
        assert isinstance(request.stream, httpx.AsyncByteStream)
        response = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
        )

    async def aclose(self) -> None:
        """Close what is open."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.aiter_stream():
            yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()


class _CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Makes connections, to addresses that were checked."""

    def __init__(self, policy: FetchPolicy, resolver: Resolver) -> None:
        self._policy = policy
        self._resolver = resolver
        backend: Any = httpcore.AnyIOBackend  # where anyio is missing, which httpx brings, it is another class
        self._network: httpcore.AsyncNetworkBackend = backend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first allowed address of a host that answers.

        Raises FetchRefused if none is allowed, FetchError if there are none, httpcore.ConnectError as the last did.
        """
        failure: Exception | None = None
        for address in await self._allowed(host, port):
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or FetchError(f"the host {host} has no address")

    async def _allowed(self, host: str, port: int) -> list[str]:
        """The addresses that may be tried. What is in no form of an address is not."""
        try:
            found = [read_address(text) for text in await self._resolver(host, port)]
        except (OSError, ValueError) as error:
            raise FetchError(f"the host {host} was not found") from error
        refused = {address: self._policy.address_refusal(address) for address in found}
        allowed = [str(address) for address, why in refused.items() if why is None]
        if refused and not allowed:
            address, why = next(iter(refused.items()))
            leads = "" if str(address) == host.strip("[]") else f"; {host} leads there"
            raise FetchRefused(f"the address {address} is {why}, and may not be reached{leads}")
        return allowed

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never: no URL leads to one."""
        raise FetchRefused("sockets of this machine may not be reached")

    async def sleep(self, seconds: float) -> None:
        """Wait, as httpcore asks between tries."""
        await asyncio.sleep(seconds)
