"""The launcher: starts a sandbox, ends it with all that is left in it, and says how it ended.

Started as a process of its own, in a session of its own, with an empty environment. It writes lines to the descriptor
`status`: `child PID`, then `ended STATUS` (as wait(2) has it), `stopped` (the time was over) or `failed REASON`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

from . import confining
from .removing import remove

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 2.0


def main() -> None:
    """Do what the JSON text in `sys.argv[1]` says."""
    spec: dict[str, Any] = json.loads(sys.argv[1])
    status: int = spec["status"]
    os.set_inheritable(status, False)
    if sys.platform == "linux":  # orphans of the code become our children, so that they are found
        confining.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    wake = _woken()
    try:
        line = _supervised(spec, wake)
    except OSError as error:
        line = f"failed {error}"
    with suppress(OSError):  # the program does it too, unless it is gone by now: which of the two, we can't tell
        remove(spec["scratch"])
    with suppress(BrokenPipeError):  # there is nobody left to tell
        os.write(status, line.encode("utf-8", "replace") + b"\n")


def _die_with_the_program(parent: int) -> None:
    """Be told to end when the program ends; namespaces, once entered, would have it forgotten."""
    if sys.platform == "linux":
        confining.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise OSError("the program ended meanwhile")


def _woken() -> int:
    """A descriptor that can be read when a child ended or we are told to end."""
    wake, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, _noted)
    return wake


def _noted(_number: int, _frame: object) -> None:
    """A signal has a handler so that it wakes us."""


def _supervised(spec: dict[str, Any], wake: int) -> str:
    report, reports = os.pipe()
    if spec["sandbox"] == "namespaces":
        from . import namespaces

        namespaces.enter(spec["user"])
        spec["user"] = None if spec["user"] is None else namespaces.NOBODY
    _die_with_the_program(spec["parent"])
    confining.hide()  # before there is anybody to look
    child = os.fork()
    if child == 0:
        _become(spec, reports)
    os.close(reports)
    try:
        os.write(spec["status"], b"child %d\n" % child)
        raw = _awaited(child, time.monotonic() + spec["seconds"], wake)
    finally:
        _end_all(child)
    if raw is None:
        return "stopped"
    silence = f"ended {raw}" if spec["sandbox"] == "none" else f"failed the sandbox ended by itself (status {raw})"
    return _said(report) or silence


def _become(spec: dict[str, Any], reports: int) -> NoReturn:
    signal.set_wakeup_fd(-1)
    try:
        if spec["sandbox"] == "bubblewrap":
            from . import bubblewrap

            bubblewrap.start(spec, reports)
        if spec["sandbox"] == "namespaces":
            from . import namespaces

            namespaces.first_process(spec, reports)
        confining.become(spec, reports)
    except BaseException as error:
        os.write(reports, f"failed {error}\n".encode("utf-8", "replace"))
    os._exit(1)


def _awaited(child: int, end: float, wake: int) -> int | None:
    """How the child ended; None if the time was over first, or we were told to end."""
    while True:
        found, status = os.waitpid(-1, os.WNOHANG)
        if found == child:
            return status
        if found:
            continue
        left = end - time.monotonic()
        if left <= 0:
            return None
        if select.select([wake], [], [], left)[0] and signal.SIGTERM in os.read(wake, 512):
            return None


def _end_all(child: int) -> None:
    """Kill the child and all that came of it, until none is left or nothing more can be done."""
    end = time.monotonic() + _GRACE
    _kill(child)
    while time.monotonic() < end:
        for process in _descendants():
            _kill(process)
        try:
            found, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not found:
            time.sleep(0.005)


def _descendants() -> list[int]:
    """All processes below this one, where /proc tells; else none."""
    children: dict[int, list[int]] = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []
    for name in names:
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, IndexError, ValueError):  # it ended meanwhile
            continue
        children.setdefault(parent, []).append(int(name))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def _kill(process: int) -> None:
    for send in (os.kill, os.killpg):
        try:
            send(process, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _said(report: int) -> str:
    """The first line of the sandbox's own report, "" without one."""
    os.set_blocking(report, False)
    try:
        return os.read(report, 4096).decode("utf-8", "replace").partition("\n")[0]
    except BlockingIOError:
        return ""
