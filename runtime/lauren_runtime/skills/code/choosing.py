"""Which sandbox this system offers, and what it keeps code away from."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, Literal, NamedTuple

from ...sandbox import bubblewrap, filtering, namespaces
from .interpreter import Interpreter
from .limits import SandboxLimits
from .scratch import Scratch

Kind = Literal["bubblewrap", "namespaces", "none"]
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/libx32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")


class Sandbox(NamedTuple):
    """A kind of sandbox."""

    kind: Kind

    @property
    def not_isolated(self) -> list[str]:
        """What the code can reach all the same: network, files, processes."""
        return [] if self.kind != "none" else ["network", "files", "processes"]


def candidates() -> list[Sandbox]:
    """The sandboxes that this system may have, the best first; the last is none."""
    walled: list[Sandbox] = []
    if bubblewrap.supported():
        walled.append(Sandbox("bubblewrap"))
    if namespaces.supported():
        walled.append(Sandbox("namespaces"))
    if os.geteuid() == 0:  # there, our own leaves the code no way to become root again
        walled.reverse()
    return [*walled, Sandbox("none")]


def specification(
    sandbox: Sandbox, scratch: Scratch, seconds: float, limits: SandboxLimits, python: Interpreter
) -> dict[str, Any]:
    """What the launcher is told."""
    inside = scratch.inside if sandbox.kind == "none" else "/tmp"
    bounds = {"cpu": int(seconds) + 1, "file_size": limits.file_size, "open_files": limits.open_files}
    if sys.platform == "linux":
        alone = scratch.user is not None or (sandbox.kind != "none" and namespaces.counts_processes())
        others = 0 if alone else _threads_of_user()
        bounds |= {"memory": limits.memory, "processes": limits.processes + others}
    return {
        "sandbox": sandbox.kind,
        "bwrap": shutil.which("bwrap"),
        "user": scratch.user,
        "parent": os.getpid(),
        "seconds": seconds,
        "limits": bounds,
        "filter": filtering.program().hex() if sys.platform == "linux" else "",
        "disk": limits.disk,
        "shown": [*_SYSTEM, *python.parts],
        "scratch": scratch.path,
        "root": scratch.root,
        "program": scratch.program,
        "folder": inside,
        "command": [python.path, "-I", "-B", "-X", "utf8", os.path.basename(scratch.program)],
        "environment": {} if sandbox.kind != "none" else {"TMPDIR": inside},
    }


def _threads_of_user() -> int:
    """How many threads the user has already, as they count against its limit."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                if os.stat(f"/proc/{name}").st_uid == os.geteuid():
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:  # it ended meanwhile
                continue
    return count
