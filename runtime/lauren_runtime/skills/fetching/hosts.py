"""Names of hosts, in the one spelling in which they are compared."""

from __future__ import annotations

import re
from ipaddress import ip_address

from ..errors import missing
from .addresses import Address

LONGEST = 253
"""How many characters a name may have (RFC 1035, section 2.3.4)."""
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def pattern(name: str) -> str:
    """A host as a policy names it: "example.com", "*.example.com" for every host below it, or an address.

    Raises ValueError for what is none of these, for it would match nothing; SkillSetupError for one that is not in
    ASCII, without httpx.
    """
    below, host = ("*.", name[2:]) if name.startswith("*.") else ("", name)
    found = comparable(_ascii(host))
    if address_of(found) is None or below:
        if _NAME.fullmatch(found) is None:
            raise ValueError(f"{name!r} is no host: give 'example.com', '*.example.com' or an address, without a port")
    return below + found


def comparable(host: str) -> str:
    """A host in ASCII as it is compared: in small letters, without the root's dot; addresses in their usual form."""
    name = host.lower().rstrip(".")
    address = address_of(name)
    return name if address is None else str(address)


def address_of(host: str) -> Address | None:
    """The address that a host is, if it is one."""
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:  # a name
        return None


def matches(name: str, pattern: str) -> bool:
    """Whether a pattern of a policy's means a host."""
    return name.endswith(pattern[1:]) if pattern.startswith("*.") else name == pattern


def _ascii(host: str) -> str:
    """A name as httpx asks for it (IDNA 2008, which has other forms for some names than the codec "idna")."""
    if host.isascii():
        return host
    try:
        import idna
    except ImportError as error:
        raise missing("httpx", "A host that is not in ASCII") from error
    return idna.encode(host.lower()).decode("ascii")
