"""The first process in a sandbox: gives up rights, sets limits, runs the code, tells how it ended.

Also a script: bubblewrap starts it as `python -I -S confining.py SPEC`, so it imports nothing of this package.
"""

from __future__ import annotations

import json
import os
import resource  # now: what comes after may not be allowed to read it
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_LIMITS = {
    "cpu": "RLIMIT_CPU",
    "memory": "RLIMIT_AS",
    "processes": "RLIMIT_NPROC",
    "file_size": "RLIMIT_FSIZE",
    "open_files": "RLIMIT_NOFILE",
}


def prctl(option: int, value: int, more: Any = 0) -> None:
    """Linux's prctl(2). Raises OSError."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, more, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")


def hide() -> None:
    """Let no process of the same user look into this one or take its descriptors."""
    if sys.platform == "linux":
        prctl(_PR_SET_DUMPABLE, 0)


def run_first(spec: dict[str, Any], report: int) -> NoReturn:
    """Run the code in a child; write how it ended to the descriptor `report`; end, and what is left with it."""
    hide()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        become(spec, report)
    status = 0
    found = -1
    while found != child:  # others are orphans, which come to the first process
        found, status = os.wait()
    os.write(report, b"ended %d\n" % status)
    os._exit(0)


def become(spec: dict[str, Any], report: int) -> NoReturn:
    """Turn this process into the code; what prevents that is written to `report`."""
    try:
        os.setsid()
        for number in range(1, signal.NSIG):
            if number not in (signal.SIGKILL, signal.SIGSTOP) and signal.getsignal(number) is not None:
                signal.signal(number, signal.SIG_DFL)
        os.umask(0o077)
        _limit(spec["limits"])
        _give_up_rights(spec)
        os.chdir(spec["folder"])
        os.set_inheritable(report, False)
        os.closerange(3, report)
        os.closerange(report + 1, 65536)
        _filter(bytes.fromhex(spec["filter"]))
        os.execve(spec["command"][0], spec["command"], spec["environment"])
    except BaseException as error:
        os.write(report, f"failed the code could not be started: {error}\n".encode("utf-8", "replace"))
        os._exit(127)


def _give_up_rights(spec: dict[str, Any]) -> None:
    if spec["user"] is not None:
        os.setgroups([])
        os.setgid(spec["user"])  # as root's, these change the saved ids too
        os.setuid(spec["user"])
    if sys.platform == "linux":
        prctl(_PR_SET_NO_NEW_PRIVS, 1)


def _filter(program: bytes) -> None:
    """Have the kernel refuse calls (filtering.py) from now on, to this process and what comes of it."""
    if not program:
        return
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(Program(len(program) // 8, program)))


def _limit(limits: dict[str, int]) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, value in limits.items():
        kind: int = getattr(resource, _LIMITS[name])
        most = resource.getrlimit(kind)[1]
        # One second of CPU between the signal that says so and the end.
        soft, hard = (
            wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            for wanted in (value, value + (name == "cpu"))
        )
        resource.setrlimit(kind, (soft, hard))


def main() -> None:
    spec: dict[str, Any] = json.loads(sys.argv[1])
    run_first(spec, spec["report"])


if __name__ == "__main__":
    main()
