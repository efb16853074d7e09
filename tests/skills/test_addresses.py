"""Which addresses are on the public internet: a table of ours, compared with Python's and with what attackers write."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_runtime.skills import FetchPolicy, FetchRefused
from lauren_runtime.skills.fetching.addresses import read_address, special_kind


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("10.0.0.1", "private"),
        ("172.16.0.1", "private"),
        ("172.31.255.255", "private"),
        ("192.168.1.1", "private"),
        ("169.254.169.254", "link-local"),
        ("168.63.129.16", "metadata"),
        ("100.64.0.1", "shared"),
        ("100.100.100.200", "shared"),
        ("192.0.0.192", "reserved"),
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "unspecified"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.255", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("198.18.0.1", "benchmarks"),
        ("192.0.2.1", "documentation"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::127.0.0.1", "reserved"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:a9fe:a9fe", "link-local"),
        ("64:ff9b::10.0.0.1", "private"),
        ("64:ff9b:1::1", "reserved"),
        ("2002:7f00:1::", "reserved"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "reserved"),
        ("2606:4700::5efe:a00:1", "private"),
        ("fc00::1", "private"),
        ("fd00:ec2::254", "private"),
        ("fe80::1%eth0", "link-local"),
        ("fec0::1", "private"),
        ("ff02::1", "multicast"),
        ("100::1", "reserved"),
        ("2001:db8::1", "documentation"),
        ("5f00::1", "reserved"),
    ],
)
def test_special_addresses(address: str, kind: str) -> None:
    found = special_kind(read_address(address))
    assert found is not None
    assert kind in found


@pytest.mark.parametrize(
    "address",
    """
    1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 169.253.1.1 223.255.255.255 2606:4700:4700::1111
    2a00:1450:4001:81b::200e 64:ff9b::8.8.8.8 ::ffff:8.8.8.8
    """.split(),
)
def test_public_addresses(address: str) -> None:
    assert special_kind(read_address(address)) is None


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_what_python_has_as_local_we_do_too(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert special_kind(address) is not None


@given(st.one_of(st.integers(0, 2**128 - 1), st.integers(2 << 124, (4 << 124) - 1)).map(IPv6Address))
def test_what_python_has_as_local_we_do_too_in_version_6(address: IPv6Address) -> None:
    if not address.is_global or address.is_multicast:
        assert special_kind(address) is not None


@given(st.integers(0, 2**32 - 1).map(IPv4Address), st.sampled_from(["::ffff:0:0/96", "64:ff9b::/96"]))
def test_an_address_within_another_is_what_it_is_alone(inner: IPv4Address, prefix: str) -> None:
    outer = IPv6Address(int(ip_network(prefix).network_address) | int(inner))
    assert special_kind(outer) == special_kind(inner)


def test_policies_open_and_close_networks() -> None:
    policy = FetchPolicy(allow_networks=["10.0.0.0/8", "::1/128"], deny_networks=["10.1.0.0/16", "8.8.8.8/32"])
    reasons = {address: policy.address_refusal(ip_address(address)) for address in ("10.2.0.1", "::1", "1.1.1.1")}
    assert set(reasons.values()) == {None}
    for address in ("10.1.0.1", "8.8.8.8", "127.0.0.1", "192.168.0.1"):
        assert policy.address_refusal(ip_address(address)) is not None


@pytest.mark.parametrize(
    "address",
    """
    8.8.8.8 ::ffff:8.8.8.8 64:ff9b::808:808 64:ff9b:1::808:808 2002:808:808::1 2600::5efe:808:808
    2600::200:5efe:808:808
    """.split(),
)
@pytest.mark.parametrize(
    "closed",
    [{"deny_networks": ["8.8.8.0/24"]}, {"deny_networks": ["::ffff:8.8.8.8/128"]}, {"deny_hosts": ["8.8.8.8"]}],
)
def test_what_is_closed_is_closed_by_every_way(address: str, closed: dict[str, list[str]]) -> None:
    policy = FetchPolicy(allow_networks=["2002::/16", "64:ff9b:1::/48"], **closed)  # type: ignore[arg-type]
    assert policy.address_refusal(read_address(address)) == "not allowed"
    assert policy.address_refusal(read_address("64:ff9b::101:101")) is None


@pytest.mark.parametrize(
    ("denied", "host"),
    [
        ("straße.test", "xn--strae-oqa.test"),
        ("*.straße.test", "a.xn--strae-oqa.test"),
        ("2001:db8:0::1", "2001:DB8::1"),
        ("[2001:db8::1]", "2001:db8:0:0::1"),
        ("a.test", "A.TEST.."),
        ("a.test.", "a.test"),
    ],
)
def test_a_host_has_many_spellings(denied: str, host: str) -> None:
    with pytest.raises(FetchRefused, match="not allowed"):
        FetchPolicy(deny_hosts=[denied]).check_place("https", host, 443)
    FetchPolicy(allow_hosts=[denied]).check_place("https", host, 443)


@pytest.mark.parametrize(
    "host", ["a.test:80", "http://a.test", "a.test/x", "*", "*a.test", "a.*.test", "", " a.test", "*.", "a..b"]
)
def test_hosts_that_no_request_has_are_refused(host: str) -> None:
    """A host that is denied, and would match nothing."""
    with pytest.raises(ValueError, match="is no host"):
        FetchPolicy(deny_hosts=[host])


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("example.com", True),
        ("EXAMPLE.com.", True),
        ("www.example.com", False),
        ("a.docs.test", True),
        ("docs.test", False),
        ("bad.docs.test", False),
        ("xdocs.test", False),
        ("xn--bcher-kva.test", True),
    ],
)
def test_lists_of_hosts(host: str, allowed: bool) -> None:
    policy = FetchPolicy(allow_hosts=["Example.com", "*.docs.test", "bücher.test"], deny_hosts=["bad.docs.test"])
    if allowed:
        policy.check_place("https", host, 443)
    else:
        with pytest.raises(FetchRefused, match="not allowed"):
            policy.check_place("https", host, 443)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"allow_networks": ["10.0.0.1/8"]}, "host bits"),
        ({"allow_networks": "10.0.0.0/8"}, "allow_networks takes a list: ['10.0.0.0/8'], not '10.0.0.0/8'"),
        ({"deny_networks": 10}, "deny_networks takes a list: [10], not 10"),
        ({"allow_hosts": b"a.test"}, "allow_hosts takes a list: [b'a.test'], not b'a.test'"),
        ({"deny_hosts": "a.test"}, "deny_hosts takes a list: ['a.test'], not 'a.test'"),
        ({"deny_hosts": [None]}, "deny_hosts takes a list of texts; None is none"),
        ({"methods": "GET"}, "methods takes a list: ['GET'], not 'GET'"),
        ({"ports": 8000}, "ports takes a list: [8000], not 8000"),
        ({"ports": ["8000"]}, "ports takes a list of numbers; '8000' is none"),
        ({"ports": [True]}, "ports takes a list of numbers; True is none"),
        ({"ports": [80, 70000]}, "there is no port 70000"),
        ({"max_bytes": 0}, "have to be positive"),
        ({"max_redirects": -1}, "have to be positive"),
        ({"max_seconds": -2.0}, "have to be positive"),
    ],
)
def test_wrong_policies_are_refused(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        FetchPolicy(**wrong)  # type: ignore[arg-type]
