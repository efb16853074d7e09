"""Web servers on the loopback address, each answering as a function of the test's says, and keeping what was asked."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """One request: `headers` by their names in small letters."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Exchange:
    """A request and the way to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        self.handler = handler
        self.asked = asked

    def answer(self, body: bytes | str = b"", status: int = 200, kind: str = "text/plain", **headers: str) -> None:
        """A whole answer; `_` in names of headers stands for `-`."""
        content = body.encode() if isinstance(body, str) else body
        self.begin(status, **{"content_type": kind, "content_length": str(len(content)), **headers})
        if self.asked.method != "HEAD":
            self.handler.wfile.write(content)

    def begin(self, status: int = 200, **headers: str) -> None:
        """The head of an answer; its body ends with the connection."""
        self.handler.send_response(status)
        for name, value in headers.items():
            if value:
                self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def write(self, part: bytes) -> bool:
        """Send a part of the body; False once the other side is gone."""
        try:
            self.handler.wfile.write(part)
            self.handler.wfile.flush()
        except OSError:
            return False
        return True


class WebServer:
    """Answers with `answer` on `address`; use it in a `with`. `port` is where, `asked` what came."""

    def __init__(
        self,
        answer: Callable[[Exchange], None],
        address: str = "127.0.0.1",
        port: int = 0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.asked: list[Asked] = []
        self._server = _server(answer, self.asked, (address, port))
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def __enter__(self) -> WebServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _server(answer: Callable[[Exchange], None], kept: list[Asked], place: tuple[str, int]) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, self.rfile.read(length))
            kept.append(asked)
            answer(Exchange(self, asked))

        do_GET = do_HEAD = do_POST = handle_any

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is written: tests look at `asked`."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that goes away in the middle is what many tests are about."""

    return Server(place, Handler)
