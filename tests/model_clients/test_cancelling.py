"""Runs that are cancelled while a server is silent in the middle of its answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import aclosing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from lauren_runtime import AgentRunner, InMemoryConversationStore

from .conftest import Shop
from .server import Answer
from .wires import WIRES, Call, Wire


class Silent:
    """Gives half of an answer, then nothing, until the other side goes; the next ones are whole."""

    def __init__(self, answer: Answer) -> None:
        self.stalls = True
        self.waits, self.left = threading.Event(), threading.Event()
        silent = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(200)
                self.send_header("content-type", answer.content_type)
                self.send_header("content-length", str(len(answer.body)))
                self.end_headers()
                stalls, silent.stalls = silent.stalls, False
                self.wfile.write(answer.body[: len(answer.body) // 2] if stalls else answer.body)
                if stalls:
                    silent.waits.set()
                    self.connection.settimeout(30)
                    if self._is_closed():
                        silent.left.set()
                    self.close_connection = True

            def _is_closed(self) -> bool:
                try:
                    return self.connection.recv(1) == b""
                except ConnectionResetError:
                    return True

            def log_message(self, *_: Any) -> None: ...

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture(params=sorted(WIRES))
def wire(request: pytest.FixtureRequest) -> Wire:
    return WIRES[request.param]


@pytest.fixture
def silent(wire: Wire) -> Iterator[Silent]:
    found = Silent(wire.reply(True, "I was saying " * 20, [Call("c1", "fail")], "length"))
    yield found
    found.close()


def test_a_silent_server_holds_up_neither_the_run_nor_the_event_loop(shop: Shop, wire: Wire, silent: Silent) -> None:
    async def go() -> tuple[bool, bool, Any]:
        store = InMemoryConversationStore()
        async with aclosing(wire.client(silent)) as client:  # type: ignore[arg-type]
            runner = AgentRunner(shop.table, model_client=client, conversation_store=store)

            async def read() -> None:
                async for _ in runner.run_stream(shop.module.Cleaner, "go", conversation_id="c"):
                    pass

            run = asyncio.ensure_future(read())
            assert await asyncio.to_thread(silent.waits.wait, 20)
            run.cancel()
            # Both within what is far less than the clients' own time limits.
            done, _ = await asyncio.wait([run], timeout=20)
            left = await asyncio.to_thread(silent.left.wait, 20)
            return bool(done) and run.cancelled(), left, store.load("c")

    assert asyncio.run(go()) == (True, True, [])
