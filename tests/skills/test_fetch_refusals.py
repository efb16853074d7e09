"""HttpFetchTool reaches nothing that it may not: by any spelling, through redirects, changing name servers, proxies."""

from __future__ import annotations

import ssl
import time
from pathlib import Path

import pytest
from harness.fetching import Names, fetch, local
from harness.web import Exchange, WebServer
from lauren_runtime.skills import FetchError, FetchPolicy, FetchRefused

PUBLIC = FetchPolicy(ports=None)


def secret(exchange: Exchange) -> None:
    exchange.answer("internal")


@pytest.mark.parametrize(
    "host",
    """
    127.0.0.1 localhost LOCALHOST 2130706433 0x7f000001 0x7f.1 127.1 017700000001 0 0.0.0.0 [::] [::1]
    [::ffff:127.0.0.1] [0:0:0:0:0:ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] 169.254.169.254 168.63.129.16 [fe80::1]
    [fd00:ec2::254] 224.0.0.1 255.255.255.255
    """.split(),
)
def test_no_spelling_of_a_local_address_is_reached(host: str) -> None:
    with WebServer(secret) as server:
        with pytest.raises(FetchRefused, match="may not be reached"):
            fetch(server.url(host=host), policy=PUBLIC)
        assert server.asked == []


@pytest.mark.parametrize("host", ["0177.0.0.1", "①②⑦.0.0.1", "127.0.0.1%00.example.com", "[fe80::1%25lo]", "a b.test"])
def test_spellings_that_are_none(host: str) -> None:
    with WebServer(secret) as server:
        with pytest.raises(FetchError, match=r"."):
            fetch(server.url(host=host), policy=PUBLIC)
        assert server.asked == []


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("ftp://example.com/", "only http and https URLs are allowed, not ftp"),
        ("file:///etc/passwd", "not file"),
        ("data:text/plain,x", "not data"),
        ("//example.com/", "not one without a scheme"),
        ("example.com", "not one without a scheme"),
        ("", "not one without a scheme"),
        ("http://", "names no host"),
        ("http://user:password@example.com/", "user name or password"),
        ("http://user@example.com/", "user name or password"),
        ("http://example.com:22/", "port 22 is not allowed; these are: 80, 443"),
        ("http://example.com:0/", "there is no port 0"),
        ("http://example.com:99999/", "there is no port 99999"),
        ("http://exam\nple.com/", "is no URL"),
        ("http://[::1/", "is no URL"),
    ],
)
def test_urls_that_are_refused(url: str, says: str) -> None:
    names = Names({"example.com": [["127.0.0.1"]]})
    with pytest.raises(FetchRefused, match=says):
        fetch(url, policy=FetchPolicy(allow_networks=["127.0.0.0/8"]), names=names)
    assert names.asked == []


@pytest.mark.parametrize(
    "url", ["http://a.test/" + "x" * 9000, "x" * 9000 + "://a.test/", "http://" + "a." * 200 + "test/"]
)
def test_urls_that_are_too_long_are_refused_in_few_words(url: str) -> None:
    with pytest.raises(FetchRefused, match="longer") as refused:
        fetch(url, policy=PUBLIC, names=Names({}))
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.0.0.1", "inside.test"])
def test_an_address_that_is_denied_is_denied_by_any_name(host: str) -> None:
    names = Names({host: [["127.0.0.1"]]})
    with WebServer(secret) as server:
        with pytest.raises(FetchRefused, match="not allowed"):
            fetch(server.url(host=host), policy=local(deny_hosts=["127.0.0.1"]), names=names)
        assert server.asked == []


def test_plain_http_can_be_refused() -> None:
    with pytest.raises(FetchRefused, match="only https URLs are allowed, not http"):
        fetch("http://example.com/", policy=FetchPolicy(https_only=True))


def test_what_a_name_leads_to_is_what_counts() -> None:
    names = Names({"inside.test": [["10.0.0.5", "fd00::5"]]})
    with pytest.raises(FetchRefused, match=r"the address 10\.0\.0\.5 is private.*inside\.test leads there"):
        fetch("http://inside.test/", policy=PUBLIC, names=names)


@pytest.mark.parametrize("answers", [["10.0.0.5", "127.0.0.1"], ["not an address", "127.0.0.1"]])
def test_of_several_addresses_only_allowed_ones_are_tried(answers: list[str]) -> None:
    names = Names({"both.test": [answers]})
    with WebServer(secret) as server:
        if "not an address" in answers:
            with pytest.raises(FetchError, match=r"was not found"):
                fetch(server.url(host="both.test"), names=names)
        else:
            assert fetch(server.url(host="both.test"), names=names)["body"] == "internal"


def test_another_address_is_tried_where_one_does_not_answer() -> None:
    names = Names({"two.test": [["127.0.0.9", "127.0.0.1"]]})
    with WebServer(secret) as server:
        policy = local(allow_networks=["127.0.0.0/8"])
        assert fetch(server.url(host="two.test"), policy=policy, names=names)["body"] == "internal"


def test_a_name_that_answers_otherwise_the_next_time() -> None:
    """DNS rebinding: allowed when it is looked at, local when it is used. The connection goes where was looked."""
    names = Names({"turns.test": [["127.0.0.1"], ["127.0.0.2"]]})
    with WebServer(secret) as allowed, WebServer(secret, "127.0.0.2", allowed.port) as forbidden:
        assert fetch(allowed.url(host="turns.test"), names=names)["body"] == "internal"
        assert names.asked == ["turns.test"]
        with pytest.raises(FetchRefused, match=r"127\.0\.0\.2 is loopback"):
            fetch(allowed.url(host="turns.test"), names=names)
    assert (len(allowed.asked), len(forbidden.asked)) == (1, 0)


def test_a_name_that_answers_otherwise_within_one_request() -> None:
    names = Names({"turns.test": [["127.0.0.1"], ["127.0.0.2"]]})

    def answer(exchange: Exchange) -> None:
        exchange.answer(b"", 302, location="/next")

    with (
        WebServer(answer) as allowed,
        WebServer(secret, "127.0.0.2", allowed.port) as forbidden,
        pytest.raises(FetchRefused, match=r"127\.0\.0\.2 is loopback"),
    ):
        fetch(allowed.url(host="turns.test"), names=names)
    assert (len(allowed.asked), len(forbidden.asked)) == (1, 0)
    assert names.asked == ["turns.test", "turns.test"]


@pytest.mark.parametrize(
    ("location", "says"),
    [
        ("http://10.0.0.1/", "10.0.0.1 is private"),
        ("http://169.254.169.254/latest/meta-data/", "link-local"),
        ("//metadata.test/", "leads there"),
        ("http://2130706434:80/", "127.0.0.2 is loopback"),
        ("file:///etc/passwd", "not file"),
        ("http://user:pw@127.0.0.1/", "user name or password"),
        ("http://denied.test/", "the host denied.test is not allowed"),
        ("http://[::1", "Invalid URL in location header"),
    ],
)
def test_redirects_are_held_to_the_same_rules(location: str, says: str) -> None:
    names = Names({"start.test": [["127.0.0.1"]], "metadata.test": [["169.254.169.254"]], "10.0.0.1": [["10.0.0.1"]]})
    names._answers |= {"169.254.169.254": [["169.254.169.254"]], "2130706434": [["127.0.0.2"]]}

    def answer(exchange: Exchange) -> None:
        exchange.answer(b"", 302, location=location)

    with WebServer(answer) as server:
        with pytest.raises(FetchError, match=says):
            fetch(server.url(host="start.test"), policy=local(deny_hosts=["denied.test"]), names=names)
        assert len(server.asked) == 1


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_proxies_of_the_environment_are_not_used(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with WebServer(secret) as proxy, WebServer(secret) as server:
        monkeypatch.setenv(variable, proxy.url())
        assert fetch(server.url())["body"] == "internal"
        with pytest.raises(FetchRefused):
            fetch(server.url(), policy=PUBLIC)
    assert (len(proxy.asked), len(server.asked)) == (0, 1)


def test_a_resolver_that_hangs_is_held_to_the_time_limit() -> None:
    import asyncio

    async def hangs(_host: str, _port: int) -> list[str]:
        await asyncio.sleep(60)
        return []

    started = time.monotonic()
    with pytest.raises(FetchError, match=r"within 0\.3 seconds"):
        fetch("http://slow.test/", names=hangs, timeout=0.3)  # type: ignore[arg-type]
    assert time.monotonic() - started < 5


class Secure:
    """A server with a certificate for secure.test, and the file of the authority that made it."""

    def __init__(self, folder: Path) -> None:
        from harness import requires

        trustme = requires.package("trustme", "trustme")
        authority = trustme.CA()
        self.authority = str(folder / "authority.pem")
        authority.cert_pem.write_to_path(self.authority)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("secure.test").configure_cert(self.context)
        self.named: list[str | None] = []
        self.context.sni_callback = lambda _socket, name, _context: self.named.append(name)


def test_certificates_are_checked_against_the_name(tmp_path: Path) -> None:
    secure = Secure(tmp_path)
    names = Names({"secure.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]]})
    policy = local(certificates=secure.authority)
    with WebServer(secret, context=secure.context) as server:
        url = f"https://secure.test:{server.port}/"
        assert fetch(url, policy=policy, names=names)["body"] == "internal"
        assert (secure.named, server.asked[0].headers["host"]) == (["secure.test"], f"secure.test:{server.port}")
        for wrong, rules in (
            (f"https://other.test:{server.port}/", policy),
            (f"https://127.0.0.1:{server.port}/", policy),
            (url, local()),
        ):
            with pytest.raises(FetchError, match="its certificate is not valid for it"):
                fetch(wrong, policy=rules, names=None if "127" in wrong else names)
        assert len(server.asked) == 1


def test_errors_name_no_address_of_a_connection() -> None:
    with WebServer(secret) as server:
        port = server.port
    with pytest.raises(FetchError, match=r"^the request to gone\.test failed: it could not be reached$"):
        fetch(f"http://gone.test:{port}/", names=Names({"gone.test": [["127.0.0.1"]]}))
