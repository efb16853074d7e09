"""One run of code: its folder, its launcher, its output and its end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ...awaiting import finish_first
from ..errors import SandboxError
from .choosing import Sandbox, specification
from .interpreter import Interpreter
from .limits import SandboxLimits
from .scratch import scratch

_RUNTIME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_START = f"import sys; sys.path.append({_RUNTIME!r}); from lauren_runtime.sandbox.supervising import main; main()"
_GRACE = 5.0
"""How long the launcher may take to clean up before it is ended too."""
_BYTES_PER_CHARACTER = 4


class Outcome(NamedTuple):
    """What came of a run. `exit_code` is None when it was stopped, negative for a signal."""

    stdout: str
    stderr: str
    exit_code: int | None
    truncated: bool


async def run_code(
    code: bytes, seconds: float, sandbox: Sandbox, limits: SandboxLimits, python: Interpreter
) -> Outcome:
    """Run a program for so many seconds at most.

    Whatever happens, cancellation included, none of its processes is left, and its folder is gone. Raises SandboxError
    if it could not be run.
    """
    async with scratch(code, is_open=sandbox.kind == "none") as place:
        return await _launched(specification(sandbox, place, seconds, limits, python), limits)


async def _launched(spec: dict[str, Any], limits: SandboxLimits) -> Outcome:
    status, theirs = os.pipe()
    try:
        launcher = await _started(spec, theirs)
        stdout = _Output(launcher.stdout, limits.stdout)
        stderr = _Output(launcher.stderr, limits.stderr)
        reading = [asyncio.ensure_future(each.read()) for each in (stdout, stderr)]
        waiting = asyncio.ensure_future(launcher.wait())
        try:
            # If something holds the launcher up for longer, it is ended with the rest.
            await asyncio.wait([waiting], timeout=spec["seconds"] + _GRACE)
        finally:
            waiting.cancel()
            lines = await finish_first(_ended(launcher, reading, status))
        return _outcome(lines, stdout, stderr)
    finally:
        os.close(status)


async def _started(spec: dict[str, Any], status: int) -> Process:
    """The launcher. The descriptor is its own from now on."""
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-B", "-c", _START, json.dumps({**spec, "status": status})),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env={},
            cwd="/",
            start_new_session=True,
            pass_fds=[status],
        )
    except OSError as error:
        raise SandboxError(f"no process could be started: {error}") from error
    finally:
        os.close(status)


class _Output:
    """What came through a pipe: read to its end, of which the first so many characters are kept."""

    def __init__(self, stream: asyncio.StreamReader | None, limit: int) -> None:
        assert stream is not None
        self._stream = stream
        self._limit = limit
        self._kept = bytearray()

    async def read(self) -> None:
        room = self._limit * _BYTES_PER_CHARACTER + 1
        while chunk := await self._stream.read(65536):
            self._kept += chunk[: room - len(self._kept)]

    @property
    def text(self) -> str:
        return self._whole()[: self._limit]

    @property
    def is_cut(self) -> bool:
        return len(self._whole()) > self._limit

    def _whole(self) -> str:
        return self._kept.decode("utf-8", "replace")


async def _ended(launcher: Process, reading: Sequence[asyncio.Future[None]], status: int) -> list[str]:
    """End the launcher, which ends all that it started; where it can't any more, end its processes by their groups.

    Gives what it said.
    """
    if launcher.returncode is None:
        launcher.terminate()
        try:
            await asyncio.wait_for(launcher.wait(), _GRACE)
        except TimeoutError:
            launcher.kill()
            await launcher.wait()
    lines = _lines(status)
    if len(lines) < 2:  # it was killed before it could say how it ended
        for group in (launcher.pid, *(int(line.split()[1]) for line in lines if line.startswith("child "))):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
    _, unread = await asyncio.wait(reading, timeout=1.0)  # what got away may hold the other end open
    for task in unread:
        task.cancel()
    return lines


def _lines(status: int) -> list[str]:
    """What the launcher said so far."""
    said = bytearray()
    os.set_blocking(status, False)
    with suppress(BlockingIOError):
        while part := os.read(status, 4096):
            said += part
    return said.decode("utf-8", "replace").splitlines()


def _outcome(lines: list[str], stdout: _Output, stderr: _Output) -> Outcome:
    kind, _, detail = (lines[-1] if lines else "").partition(" ")
    if kind == "failed":
        raise SandboxError(" ".join((detail, stderr.text)).strip())
    cut = stdout.is_cut or stderr.is_cut
    if kind == "ended":
        return Outcome(stdout.text, stderr.text, os.waitstatus_to_exitcode(int(detail)), cut)
    if kind == "stopped":
        return Outcome(stdout.text, stderr.text, None, cut)
    raise SandboxError("the process that watches over the code was ended; the code was stopped")
