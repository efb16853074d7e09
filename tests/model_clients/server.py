"""A server on this machine that gives scripted answers over HTTP, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One answer. `cut`: the connection is closed in the middle of the body."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass
class Asked:
    """One request: its path, and its JSON."""

    path: str
    body: dict[str, Any]


class Server:
    """Gives its answers one after the other; the last one again and again."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[Asked] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def next(self) -> Answer:
        """The answer for a request."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def close(self) -> None:
        """Stop serving."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each answer waits for its second part

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            server.asked.append(Asked(self.path, json.loads(self.rfile.read(length) or b"{}")))
            answer = server.next()
            body = answer.body[: len(answer.body) // 2] if answer.cut else answer.body
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            self.send_header("content-length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            if answer.cut:
                self.close_connection = True

        def log_message(self, *_: Any) -> None: ...

    return Handler


def sse(*events: Any, named: bool = False, done: bool = False) -> bytes:
    """Server-sent events of JSON; `named` after their `type`, `done` with OpenAI's last line."""
    lines = []
    for each in events:
        name = f"event: {each['type']}\n" if named else ""
        lines.append(f"{name}data: {json.dumps(each)}\n\n")
    return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode()
