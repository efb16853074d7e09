"""What HttpFetchTool gives: texts of pages, redirects, limits while reading."""

from __future__ import annotations

import gzip
import json
import sys
import time
import zlib
from collections.abc import Callable

import pytest
from harness.fetching import Names, fetch, local
from harness.web import Exchange, WebServer
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_runtime.skills import FetchError, FetchPolicy, FetchRefused, HttpFetchTool, SkillSetupError
from lauren_runtime.skills.fetching.html import shown_text


def says(body: bytes | str, kind: str = "text/plain", status: int = 200, **headers: str) -> Callable[[Exchange], None]:
    return lambda exchange: exchange.answer(body, status, kind, **headers)


def redirects(location: str, status: int = 302) -> Callable[[Exchange], None]:
    """To `location` first; any other path is the end."""

    def answer(exchange: Exchange) -> None:
        if exchange.asked.path == "/start":
            exchange.answer(b"", status, location=location)
        else:
            exchange.answer(f"{exchange.asked.method} {exchange.asked.path}")

    return answer


def test_a_text_comes_as_it_is() -> None:
    with WebServer(says('{"a": 1}', "application/json")) as server:
        page = fetch(server.url("/x?y=1"))
    assert page == {
        "url": server.url("/x?y=1"),
        "status": 200,
        "content_type": "application/json",
        "body": '{"a": 1}',
        "truncated": False,
    }
    [asked] = server.asked
    assert (asked.method, asked.path, asked.headers["host"]) == ("GET", "/x?y=1", f"127.0.0.1:{server.port}")
    assert asked.headers["user-agent"] == "lauren-runtime"


def test_an_error_of_the_server_is_a_page_too() -> None:
    with WebServer(says("gone", status=410)) as server:
        page = fetch(server.url())
    assert (page["status"], page["body"]) == (410, "gone")


def test_head_and_post() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.answer(exchange.asked.body, kind=exchange.asked.headers.get("content-type", "text/x-none"))

    with WebServer(answer) as server:
        head = fetch(server.url(), method="HEAD")
        post = fetch(server.url(), method="POST", body="a=é", headers={"Content-Type": "text/x-form; charset=utf-8"})
        empty = fetch(server.url(), method="POST")
    assert (head["body"], head["status"]) == ("", 200)
    assert post["body"] == "a=é"
    assert server.asked[1].body == "a=é".encode()
    assert (empty["body"], server.asked[2].headers["content-length"]) == ("", "0")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_only_post_has_a_body(method: str) -> None:
    with pytest.raises(FetchRefused, match="has no body"):
        fetch("http://127.0.0.1/", method=method, body="x")


HTML = """<!DOCTYPE html><html><head><title>The  price list</title><style>p {color: red}</style></head>
<body><!-- not this --><script>alert("nor this")</script><h1>Prices</h1>
<p>See <a href="/all?x=1">all of them</a> &amp; <b>more</b>.</p>
<table><tr><th>thing</th><th>price</th></tr><tr><td>lamp</td><td>3 €</td></tr></table></body></html>"""


PIECES = [
    *"<p> </p> <div> <table> <tr> <td> </table> <ul> <ol> <li> <pre> <br> <svg> <math> <base> <title> </body>".split(),
    *"< <! <?x &#0; &#xD800; &#x110000; &amp ]]> \0 \u2028 <![CDATA[ <a:b> <!DOCTYPE </html>".split(),
    '<ol start="9e9">', '<ol start="٣">', '<a href="http://[">', '<base href="//[">', '<p style="white-space:pre">',
    '<td align="x" valign="x" colspan="-1">', '<p style="padding-left:1e999em;margin-top:-9em">', '<q cite="http://[">',
]  # fmt: skip


def test_html_comes_as_its_text() -> None:
    with WebServer(says(HTML, "text/html; charset=utf-8")) as server:
        page = fetch(server.url("/list"))
    assert page["body"] == (
        "The price list\n\nPrices\n\n"
        f"See [all of them]({server.url('/all?x=1')}) & more.\n\n"
        "thing | price |\nlamp | 3 € |"
    )


@pytest.mark.parametrize("html", ["", "   ", "<!-- -->", "<script>never ends", "<p", "<html></html>"])
def test_html_with_nothing_in_it(html: str) -> None:
    with WebServer(says(html, "text/html")) as server:
        assert fetch(server.url())["body"].strip("<p ") == ""


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>" + "x" * 300_000 + "<tr>" + "<td>y<tr>" * 100_000,
        "<div>" * 300_000 + "x",
        "<script>" * 200_000,
        "<!--" * 300_000,
        "<style></style>" * 100_000,
        "<ul><li>" * 90 + "<li>x" * 100_000,
        "<a href=x>" * 100_000,
    ],
    ids=["wide table", "deep", "scripts", "comments", "styles", "lists", "links"],
)
def test_pages_made_to_keep_a_converter_busy(html: str) -> None:
    with WebServer(says(html, "text/html")) as server:
        started = time.process_time()
        page = fetch(server.url())
    assert time.process_time() - started < 15
    assert len(page["body"]) <= 8192


@pytest.mark.parametrize("name", ["padding-left", "margin-left", "margin-top", "padding-inline-start"])
@pytest.mark.parametrize("size", ["300000000em", "1e999em", "9" * 400 + "em"])
def test_styles_do_not_fill_the_memory(name: str, size: str) -> None:
    """An indent is written out in spaces, for each line."""
    html = f'<div style="{name}: {size}">' * 20 + "x<br>" * 1000 + "</div>" * 20
    assert len(shown_text(html, "http://a.test/")) < 1_000_000


def test_what_a_style_hides_is_not_shown() -> None:
    html = '<p style="margin: 2em; DISPLAY : none; color: red">hidden</p><p style=";;display:block">shown</p>'
    assert shown_text(html, "http://a.test/") == "shown"


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ('<base href="http://["><a href="x">y</a>', "[y](http://a.test/b/x)"),
        ('<base href="javascript:x"><a href="x">y</a>', "[y](http://a.test/b/x)"),
        ('<base href="/c/"><a href="x">y</a>', "[y](http://a.test/c/x)"),
        ('<a href="http://[">y</a>', "y"),
        ('<a href="javascript:alert(1)">y</a>', "y"),
        ('<a href="data:text/html,' + "z" * 9000 + '">y</a>', "y"),
        ('<a href=" mailto:a@b.test ">y</a>', "[y](mailto:a@b.test)"),
        ('<object codebase="http://[" data="x">y</object>', "y"),
    ],
)
def test_links_lead_somewhere_or_are_none(html: str, shown: str) -> None:
    assert shown_text(html, "http://a.test/b/") == shown


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=30))
def test_any_html_has_a_text(pieces: list[str]) -> None:
    shown_text("".join(pieces), "http://a.test/").encode("utf-8")


def test_html_that_the_converter_fails_at_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import inscriptis.html_engine

    def fails(*_: object) -> None:
        raise OverflowError("cannot convert float infinity to integer")

    monkeypatch.setattr(inscriptis.html_engine, "Inscriptis", fails)
    with WebServer(says(HTML, "text/html")) as server, pytest.raises(FetchError, match="could not be made into text"):
        fetch(server.url())


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("é".encode("latin-1"), "text/plain; charset=ISO-8859-1"),
        ("é".encode("cp1252"), "text/plain"),
        ("é".encode(), "text/plain"),
        ("é".encode("utf-16"), "text/plain"),
        ("\ufeffé".encode(), "text/plain; charset=latin-1"),
        ("é".encode("cp1250"), 'text/plain; charset="windows-1250"'),
        ("é".encode(), "text/plain; charset=no-such"),
        ("é".encode(), "text/plain; charset=punycode"),
        ("é".encode(), "text/plain; charset=unicode_escape"),
        ('<meta charset="iso-8859-15">é'.encode("iso-8859-15"), "text/html"),
        ('<meta http-equiv=x content="text/html; charset=koi8-r">Ж'.encode("koi8-r"), "text/html"),
        ("日本".encode("shift_jis"), "text/plain; charset=Shift_JIS"),
        ("日本".encode("gb18030"), "text/plain; charset=gb18030"),
    ],
)
def test_encodings(content: bytes, kind: str) -> None:
    with WebServer(says(content, kind)) as server:
        body = fetch(server.url())["body"]
    assert body in ("é", "Ж", "日本")


def test_a_name_of_an_encoding_that_is_none_is_not_kept() -> None:
    import encodings

    label = "x" * 5000
    with WebServer(says("a", f"text/plain; charset={label}")) as server:
        page = fetch(server.url())
    assert (page["body"], len(page["content_type"])) == ("a", 200)
    assert not [name for name in encodings._cache if label[:100] in name]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["text/plain", "text/plain; charset=utf-8"])
def test_what_is_said_to_be_text_and_is_not(kind: str) -> None:
    with WebServer(says(b"\x7fELF\0\1", kind)) as server:
        assert fetch(server.url())["note"] == "the body is left out: 6 bytes that are no text"
    with WebServer(says("é".encode("utf-16-le") + b"a\0", "text/plain; charset=utf-16le")) as server:
        assert fetch(server.url())["body"] == "éa"


def test_what_is_wrong_in_an_encoding_is_marked() -> None:
    with WebServer(says(b"a\xffb", "text/plain; charset=utf-8")) as server:
        assert fetch(server.url())["body"] == "a\ufffdb"


@pytest.mark.parametrize(("kind", "content"), [("image/png", b"\x89PNG"), ("", b"\0\1\2"), ("application/pdf", b"%")])
def test_what_is_no_text_is_left_out(kind: str, content: bytes) -> None:
    with WebServer(says(content, kind)) as server:
        page = fetch(server.url())
    assert page["body"] == ""
    assert page["note"] == f"the body is left out: {len(content)} bytes that are no text"


@pytest.mark.parametrize(
    ("status", "method", "then"),
    [
        (301, "GET", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (301, "HEAD", "HEAD"),
        (303, "HEAD", "HEAD"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        (307, "GET", "GET"),
    ],
)
def test_redirects_are_followed(status: int, method: str, then: str) -> None:
    body = {"body": "sent"} if method == "POST" else {}
    with WebServer(redirects("../end?q", status)) as server:
        page = fetch(server.url("/start"), method=method, headers={"X-Mine": "1"}, **body)
    first, second = server.asked
    assert page["url"] == server.url("/end?q")
    assert (second.method, second.body) == (then, b"sent" if then == "POST" else b"")
    assert first.headers["x-mine"] == second.headers["x-mine"] == "1"


def test_redirects_to_another_origin_get_none_of_the_models_headers() -> None:
    with WebServer(says("here")) as other, WebServer(redirects(other.url("/end"), 307)) as server:
        secret = {"Authorization": "Bearer secret", "X-Key": "secret", "Content-Type": "text/x", "Cookie": "a=secret"}
        assert fetch(server.url("/start"), method="POST", body="b", headers=secret)["body"] == "here"
    assert server.asked[0].headers["authorization"] == "Bearer secret"
    assert "secret" not in str(other.asked[0].headers)
    assert other.asked[0].headers["content-type"] == "text/x"


def test_cookies_set_on_the_way_go_back_to_who_set_them() -> None:
    def answer(exchange: Exchange) -> None:
        if "cookie" in exchange.asked.headers:
            exchange.answer(exchange.asked.headers["cookie"])
        else:
            exchange.answer(b"", 302, location="/again", set_cookie="seen=1")

    with WebServer(answer) as server:
        assert fetch(server.url())["body"] == "seen=1"
        assert fetch(server.url())["body"] == "seen=1", "and are forgotten afterwards"
        assert len(server.asked) == 4


def test_redirects_end() -> None:
    with WebServer(says("", status=302, location="/again")) as server:
        with pytest.raises(FetchError, match="more than 2 redirects"):
            fetch(server.url(), policy=local(max_redirects=2))
        assert len(server.asked) == 3
        with pytest.raises(FetchError, match="more than 0 redirects"):
            fetch(server.url(), policy=local(max_redirects=0))


def test_a_redirect_without_a_place_is_the_answer() -> None:
    with WebServer(says("choose", status=302)) as server:
        assert fetch(server.url())["body"] == "choose"


def test_a_body_without_end_is_cut_off_while_it_is_read() -> None:
    gone: list[bool] = []

    def answer(exchange: Exchange) -> None:
        exchange.begin(content_type="text/plain")
        while exchange.write(b"x" * 10_000):
            pass
        gone.append(True)

    with WebServer(answer) as server:
        page = fetch(server.url(), policy=local(max_bytes=50_000, max_characters=40_000))
        for _ in range(100):
            if gone:
                break
            time.sleep(0.05)
    assert gone
    assert (page["truncated"], len(page["body"])) == (True, 40_000)


def test_a_long_text_is_cut_off() -> None:
    with WebServer(says("é" * 9000)) as server:
        page = fetch(server.url())
    assert (page["truncated"], page["body"]) == (True, "é" * 8192)


def test_a_text_of_just_the_right_length_is_not() -> None:
    with WebServer(says("x" * 8192)) as server:
        page = fetch(server.url(), policy=local(max_bytes=8192))
    assert (page["truncated"], len(page["body"])) == (False, 8192)


def test_what_gzip_unpacks_to_is_limited() -> None:
    pack = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    bomb = b"".join(pack.compress(bytes([65]) * 1_000_000) for _ in range(200)) + pack.flush()
    with WebServer(says(bomb, content_encoding="gzip")) as server:
        page = fetch(server.url(), policy=local(max_bytes=100_000))
    assert len(bomb) < 300_000
    assert (page["truncated"], page["body"]) == (True, "A" * 8192)


def test_gzip() -> None:
    with WebServer(says(gzip.compress(b"packed") + b"trailing", content_encoding="GZip")) as server:
        assert fetch(server.url())["body"] == "packed"
    assert server.asked[0].headers["accept-encoding"] == "gzip"


def test_gzip_of_several_members() -> None:
    members = b"".join(gzip.compress(part) for part in (b"one ", b"", b"two"))
    for rest in (b"", b"\0\0", b"\x1f\x8bnone"):
        with WebServer(says(members + rest, content_encoding="gzip")) as server:
            page = fetch(server.url())
        assert (page["body"], page["truncated"]) == ("one two", False)


def test_gzip_that_breaks_off() -> None:
    packed = gzip.compress(b"a long text " * 100)
    for part in (packed[: len(packed) // 2], packed[:-4], gzip.compress(b"one") + packed[:12]):
        with WebServer(says(part, content_encoding="gzip")) as server:
            assert fetch(server.url())["truncated"]


def test_an_encoding_of_nothing() -> None:
    for encoding in ("br", "gzip"):
        with WebServer(says(b"", content_encoding=encoding)) as server:
            page = fetch(server.url(), method="HEAD")
        assert (page["status"], page["truncated"]) == (200, False)


@pytest.mark.parametrize(("encoding", "says_what"), [("gzip", "not the gzip data"), ("br", "compressed as 'br'")])
def test_what_cannot_be_unpacked(encoding: str, says_what: str) -> None:
    with WebServer(says(b"plain", content_encoding=encoding)) as server, pytest.raises(FetchError, match=says_what):
        fetch(server.url())


def drips(exchange: Exchange) -> None:
    exchange.begin(content_type="text/plain")
    while exchange.write(b"."):
        time.sleep(0.05)


def stalls(exchange: Exchange) -> None:
    time.sleep(3)


@pytest.mark.parametrize("answer", [drips, stalls])
def test_the_time_limit_is_for_the_whole_answer(answer: Callable[[Exchange], None]) -> None:
    with WebServer(answer) as server:
        started = time.monotonic()
        with pytest.raises(FetchError, match=r"completely within 0\.4 seconds"):
            fetch(server.url(), timeout=0.4)
        assert time.monotonic() - started < 2.5


def test_the_policys_time_limit_is_the_longest() -> None:
    with WebServer(drips) as server, pytest.raises(FetchError, match=r"within 0\.3 seconds"):
        fetch(server.url(), policy=local(max_seconds=0.3), timeout=20)


@pytest.mark.parametrize("name", ["Host", "Content-Length", "transfer-encoding", "Connection", "Proxy-Authorization"])
def test_headers_of_the_connection_are_refused(name: str) -> None:
    with pytest.raises(FetchRefused, match="leave it out"):
        fetch("http://127.0.0.1/", headers={name: "x"})


@pytest.mark.parametrize("header", [("X-A\r\nHost", "x"), ("X-A", "x\r\nHost: y"), ("X A", "x"), ("", "x"), ("A", "☃")])
def test_headers_that_are_none_are_refused(header: tuple[str, str]) -> None:
    with pytest.raises(FetchRefused, match="characters"):
        fetch("http://127.0.0.1/", headers=dict([header]))


@pytest.mark.parametrize(("value", "sent"), [("é", "é"), ("\t a b ", "a b"), ("", "")])
def test_headers_that_are_odd(value: str, sent: str) -> None:
    with WebServer(says("x")) as server:
        fetch(server.url(), headers={"X-Mine": value})
    assert server.asked[0].headers["x-mine"] == sent


def test_a_body_that_is_no_text_is_refused() -> None:
    with pytest.raises(FetchRefused, match="the body is no text"):
        fetch("http://127.0.0.1/", method="POST", body="\ud800")


def test_the_policy_names_the_methods() -> None:
    with pytest.raises(FetchRefused, match="POST requests are not allowed here; GET and HEAD are"):
        fetch("http://127.0.0.1/", method="POST", policy=FetchPolicy(methods=("GET", "HEAD")))


def test_answers_that_are_no_http() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.handler.wfile.write(b"SSH-2.0-x\r\n")

    with WebServer(answer) as server, pytest.raises(FetchError, match=r"the request to 127\.0\.0\.1 failed"):
        fetch(server.url())


@pytest.mark.parametrize(("module", "package"), [("httpx", "httpx"), ("inscriptis.html_engine", "inscriptis")])
def test_a_missing_package_is_named(module: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("lauren_runtime.skills.fetching.")]:
        if package == "httpx" and name.endswith(("request", "transport")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)  # type: ignore[arg-type]
    with (
        WebServer(says(HTML, "text/html")) as server,
        pytest.raises(SkillSetupError, match=rf"needs the package {package}: pip install 'lauren-compile\[skills\]'"),
    ):
        fetch(server.url())


def test_importing_the_skills_imports_none_of_it() -> None:
    import subprocess

    code = "import sys; import lauren_runtime.skills; print(*sys.modules)"
    path = [entry for entry in sys.path if entry]
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"], capture_output=True)
    loaded = set(done.stdout.decode().split())
    assert "lauren_runtime.skills" in loaded
    assert not loaded & {"httpx", "httpcore", "lxml", "inscriptis", "ddgs", "asyncio", "ssl", "subprocess"}


def test_one_tool_serves_several_event_loops() -> None:
    import asyncio

    with WebServer(says("x")) as server:
        tool = HttpFetchTool(local())
        assert [asyncio.run(tool.run(server.url()))["body"] for _ in range(2)] == ["x", "x"]


def test_a_host_that_is_nowhere() -> None:
    with pytest.raises(FetchError, match=r"the host nowhere\.test was not found"):
        fetch("http://nowhere.test/", names=Names({}))
    with pytest.raises(FetchError, match=r"the host empty\.test has no address"):
        fetch("http://empty.test/", names=Names({"empty.test": [[]]}))


def test_json_of_results_is_plain() -> None:
    with WebServer(says("x")) as server:
        assert json.loads(json.dumps(fetch(server.url())))["body"] == "x"
