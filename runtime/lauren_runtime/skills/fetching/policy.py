"""What may be fetched: `FetchPolicy`, the configuration of HttpFetchTool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from ipaddress import ip_network
from typing import TypeVar, cast

from ..errors import FetchRefused
from .addresses import Address, embedded, read_network, special_kind
from .hosts import LONGEST, address_of, comparable, matches, pattern

_Item = TypeVar("_Item", str, int)
_NAMES = {str: "texts", int: "numbers"}
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Takes a host and a port; gives the addresses to try, in order. Raises OSError if there are none."""


class FetchPolicy:
    """The rules for fetching. The defaults allow the public web, and nothing else.

    allow_hosts: the only hosts that may be asked, if any are given; "example.com" is that host, "*.example.com" every
    host below it. deny_hosts: hosts that may not, which wins; an address there denies whatever leads to it.
    allow_networks: addresses off the public internet that may be reached all the same, as "10.1.0.0/16". deny_networks:
    addresses that may not, which wins. ports: those that may be asked; None for all. methods: those that may be used.
    https_only: refuse plain http.

    max_redirects: how many are followed, each held to the same rules. max_bytes: how much of a body is read, after
    decompression. max_characters: how much of its text the model gets. max_seconds: the longest that a request may
    take, redirects included, whatever the model asks for. user_agent: what servers are told. certificates: a file of
    the authorities that servers' certificates may come from, in place of the public ones.

    Raises ValueError for a host, network or port that is none, for one of them where a list belongs, and for limits
    that are not positive; SkillSetupError for hosts that are not in ASCII, without httpx.
    """

    def __init__(
        self,
        *,
        allow_hosts: Iterable[str] = (),
        deny_hosts: Iterable[str] = (),
        allow_networks: Iterable[str] = (),
        deny_networks: Iterable[str] = (),
        ports: Iterable[int] | None = (80, 443),
        methods: Iterable[str] = ("GET", "HEAD", "POST"),
        https_only: bool = False,
        max_redirects: int = 5,
        max_bytes: int = 2_000_000,
        max_characters: int = 8192,
        max_seconds: float = 30.0,
        user_agent: str = "lauren-runtime",
        certificates: str | None = None,
    ) -> None:
        if max_redirects < 0 or min(max_bytes, max_characters, max_seconds) <= 0:
            raise ValueError("the limits of a FetchPolicy have to be positive")
        self.allow_hosts = tuple(pattern(each) for each in _listed("allow_hosts", allow_hosts, str))
        self.deny_hosts = tuple(pattern(each) for each in _listed("deny_hosts", deny_hosts, str))
        self.allow_networks = tuple(read_network(each) for each in _listed("allow_networks", allow_networks, str))
        denied = [read_network(each) for each in _listed("deny_networks", deny_networks, str)]
        addresses = [address for each in self.deny_hosts if (address := address_of(each)) is not None]
        self.deny_networks = (*denied, *(ip_network(each) for each in addresses))
        self.ports = None if ports is None else frozenset(_listed("ports", ports, int))
        if self.ports is not None and (wrong := [each for each in sorted(self.ports) if not 0 < each < 65536]):
            raise ValueError(f"there is no port {wrong[0]}")
        self.methods = frozenset(_listed("methods", methods, str))
        self.https_only = https_only
        self.max_redirects = max_redirects
        self.max_bytes = max_bytes
        self.max_characters = max_characters
        self.max_seconds = max_seconds
        self.user_agent = user_agent
        self.certificates = certificates

    def check_method(self, method: str) -> None:
        """Raises FetchRefused for a method that may not be used."""
        if method not in self.methods:
            raise FetchRefused(f"{method} requests are not allowed here; {' and '.join(sorted(self.methods))} are")

    def check_place(self, scheme: str, host: str, port: int) -> None:
        """Raises FetchRefused for a scheme, host or port that may not be asked. `host` is in ASCII."""
        allowed = ("https",) if self.https_only else ("http", "https")
        if scheme not in allowed:
            known = " and ".join(allowed)
            raise FetchRefused(f"only {known} URLs are allowed, not {scheme[:40] or 'one without a scheme'}")
        if not host:
            raise FetchRefused("the URL names no host")
        if len(host) > LONGEST:
            raise FetchRefused(f"the host {host[:40]}… has a longer name than there is")
        if not 0 < port < 65536:
            raise FetchRefused(f"there is no port {port}")
        if self.ports is not None and port not in self.ports:
            known = ", ".join(str(each) for each in sorted(self.ports))
            raise FetchRefused(f"port {port} is not allowed; these are: {known}")
        name = comparable(host)
        if any(matches(name, each) for each in self.deny_hosts):
            raise FetchRefused(f"the host {host} is not allowed")
        if self.allow_hosts and not any(matches(name, each) for each in self.allow_hosts):
            raise FetchRefused(f"the host {host} is not allowed; these are: {', '.join(self.allow_hosts)}")

    def address_refusal(self, address: Address) -> str | None:
        """Why an address may not be reached; None if it may."""
        ends = (address, embedded(address))
        if any(end is not None and end in network for network in self.deny_networks for end in ends):
            return "not allowed"
        if any(address in network for network in self.allow_networks):
            return None
        return special_kind(address)


def _listed(name: str, given: object, kind: type[_Item]) -> Iterator[_Item]:
    """The items of an argument. Raises ValueError if it is no collection of them, such as one alone."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise ValueError(f"{name} takes a list: [{given!r}], not {given!r}")
    for item in cast("Iterable[object]", given):
        if not isinstance(item, kind) or isinstance(item, bool):
            raise ValueError(f"{name} takes a list of {_NAMES[kind]}; {item!r} is none")
        yield item
