"""Which addresses the public internet begins and ends at.

A table of our own, because `ipaddress.is_global` has changed with patch releases of Python. Sources: IANA's IPv4 and
IPv6 Special-Purpose Address Registries and RFC 6890, read in November 2026; all of IPv6 outside 2000::/3 is unassigned
or special (RFC 4291, section 2.4).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_V4 = (
    ("0.0.0.0/8", "unspecified"),
    ("10.0.0.0/8", "private"),
    ("100.64.0.0/10", "shared by a provider's customers"),
    ("127.0.0.0/8", "loopback"),
    ("168.63.129.16/32", "a cloud's metadata service"),  # Azure's, at an address that looks public
    ("169.254.0.0/16", "link-local, where clouds have their metadata service"),
    ("172.16.0.0/12", "private"),
    ("192.0.0.0/24", "reserved"),
    ("192.0.2.0/24", "for documentation"),
    ("192.88.99.0/24", "reserved"),
    ("192.168.0.0/16", "private"),
    ("198.18.0.0/15", "for benchmarks"),
    ("198.51.100.0/24", "for documentation"),
    ("203.0.113.0/24", "for documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
)
_V6 = (
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("64:ff9b:1::/48", "reserved"),
    ("2001::/23", "reserved"),  # Teredo and other protocols
    ("2001:db8::/32", "for documentation"),
    ("2002::/16", "reserved"),  # 6to4, which RFC 7526 ended
    ("3fff::/20", "for documentation"),
    ("fc00::/7", "private"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "private"),
    ("ff00::/8", "multicast"),
)
_SPECIAL_V4 = tuple((IPv4Network(network), kind) for network, kind in _V4)
_SPECIAL_V6 = tuple((IPv6Network(network), kind) for network, kind in _V6)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
_6TO4 = IPv6Network("2002::/16")
_ISATAP = (0x00005EFE, 0x02005EFE)


def read_address(text: str) -> Address:
    """The address that a resolver gave, without the zone of a link-local one. Raises ValueError if it is none."""
    found = ip_address(text.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return found if mapped is None else mapped


def read_network(text: str) -> Network:
    """A network as addresses are compared with it: mapped IPv4 ones are IPv4. Raises ValueError if it is none."""
    found = ip_network(text)
    mapped = found.network_address.ipv4_mapped if isinstance(found, IPv6Network) else None
    return found if mapped is None or found.prefixlen < 96 else IPv4Network((mapped, found.prefixlen - 96))


def special_kind(address: Address) -> str | None:
    """What an address is that is not on the public internet; None for one that is.

    An IPv6 address that leads to an IPv4 one (mapped, NAT64, ISATAP) is what that is.
    """
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _SPECIAL_V4 if address in network), None)
    kind = next((kind for network, kind in _SPECIAL_V6 if address in network), None)
    inner = embedded(address)
    if kind is None and inner is not None:
        kind = special_kind(inner)
        if address in _NAT64 or address.ipv4_mapped is not None:
            return kind
    return "reserved" if kind is None and address not in _GLOBAL_UNICAST else kind


def embedded(address: Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 one leads to, if it does."""
    if isinstance(address, IPv4Address):
        return None
    value = int(address)
    if address in _6TO4:
        return IPv4Address(value >> 80 & 0xFFFFFFFF)
    ending = address.ipv4_mapped is not None or any(address in network for network in (_NAT64, _LOCAL_NAT64))
    if ending or value >> 32 & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(value & 0xFFFFFFFF)
    return None
