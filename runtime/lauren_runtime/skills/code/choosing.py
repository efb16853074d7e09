"""Which sandbox this system offers, and what it keeps code away from."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from typing import Any, Literal, NamedTuple

from ...sandbox import bubblewrap, namespaces
from .interpreter import Interpreter
from .limits import SandboxLimits

Kind = Literal["bubblewrap", "namespaces", "none"]
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/libx32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
_PASSING_USERS = range(61184, 65520)
"""Users that systemd, too, makes for one service and forgets (systemd.exec(5), DynamicUser)."""


class Sandbox(NamedTuple):
    """A kind of sandbox; `user` is who the code becomes, where the program is root's."""

    kind: Kind
    user: int | None

    @property
    def not_isolated(self) -> list[str]:
        """What the code can reach all the same: network, files, processes."""
        return [] if self.kind != "none" else ["network", "files", "processes"]


def candidates() -> list[Sandbox]:
    """The sandboxes that this system may have, the best first; the last is none."""
    root = os.geteuid() == 0
    user = _PASSING_USERS.start + secrets.randbelow(len(_PASSING_USERS)) if root else None
    walled: list[Sandbox] = []
    if bubblewrap.supported():
        walled.append(Sandbox("bubblewrap", user))
    if namespaces.supported():
        walled.append(Sandbox("namespaces", user))
    if root:  # there, our own leaves the code no way to become root again
        walled.reverse()
    return [*walled, Sandbox("none", user)]


def specification(
    sandbox: Sandbox, folder: str, seconds: float, limits: SandboxLimits, python: Interpreter
) -> dict[str, Any]:
    """What the launcher is told. The code is `main.py` in `folder`, an empty folder `root` beside it."""
    inside = folder if sandbox.kind == "none" else "/tmp"
    bounds = {"cpu": int(seconds) + 1, "file_size": limits.file_size, "open_files": limits.open_files}
    if sys.platform == "linux":
        alone = sandbox.user is not None or (sandbox.kind != "none" and namespaces.counts_processes())
        others = 0 if alone else _threads_of_user()
        bounds |= {"memory": limits.memory, "processes": limits.processes + others}
    return {
        "sandbox": sandbox.kind,
        "bwrap": shutil.which("bwrap"),
        "user": sandbox.user,
        "parent": os.getpid(),
        "seconds": seconds,
        "limits": bounds,
        "disk": limits.disk,
        "shown": [*_SYSTEM, *python.parts],
        "root": os.path.join(folder, "root"),
        "program": os.path.join(folder, "main.py"),
        "folder": inside,
        "command": [python.path, "-I", "-B", "-X", "utf8", "main.py"],
        "environment": {} if sandbox.kind != "none" else {"TMPDIR": folder},
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
