"""Every test of the runtime leaves the path as it found it; a Redis server for those that want one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from harness import requires


@pytest.fixture(autouse=True)
def _same_path() -> Iterator[None]:
    before = list(sys.path)
    yield
    sys.path[:] = before


@pytest.fixture(scope="session")
def redis_socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server of its own, which listens on no port."""
    server = shutil.which("redis-server")
    if server is None:
        requires.missing("`redis-server` is not installed (Debian's package of that name)")
    requires.package("redis", "lauren-compile[redis]")
    folder = tmp_path_factory.mktemp("r")
    socket = folder / "s"
    options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no", "--dir", str(folder)]
    process = subprocess.Popen([server, *options], stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 10
        while not socket.exists() and time.monotonic() < until:
            time.sleep(0.02)
        yield f"unix://{socket}"
    finally:
        process.kill()
        process.wait()
