"""A sandbox made by bubblewrap (`bwrap`), which also works where user namespaces are its alone to make."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any, NoReturn

from . import confining

_KEPT_BY_ROOT = ("CAP_SETUID", "CAP_SETGID")


def supported() -> bool:
    """Whether the program is there; trying shows whether it may do its work."""
    return shutil.which("bwrap") is not None


def start(spec: dict[str, Any], report: int) -> NoReturn:
    """Become bubblewrap, which starts confining.py inside. Raises OSError."""
    os.set_inheritable(report, True)
    inside = {**spec, "report": report}
    program = os.path.join("/tmp", os.path.basename(spec["program"]))
    command = [spec["bwrap"], *_walls(spec)]
    command += ["--ro-bind", spec["program"], program, "--ro-bind", confining.__file__, "/confining.py"]
    command += ["--remount-ro", "/", "--chdir", "/"]
    command += ["--", spec["command"][0], "-I", "-S", "/confining.py", json.dumps(inside)]
    os.execve(spec["bwrap"], command, {})


def _walls(spec: dict[str, Any]) -> list[str]:
    walls = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    walls += ["--die-with-parent", "--as-pid-1", "--new-session", "--clearenv"]
    if spec["user"] is None:
        walls += ["--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534"]
    else:  # root: the code becomes that user, whose processes are counted
        walls += [part for name in _KEPT_BY_ROOT for part in ("--cap-add", name)]
    walls += ["--dev", "/dev", "--proc", "/proc"]
    for folder in ("/tmp", "/dev/shm"):
        walls += ["--perms", "1777", "--size", str(spec["disk"]), "--tmpfs", folder]
    walls += ["--remount-ro", "/dev"]
    for path in spec["shown"]:
        if os.path.islink(path):
            walls += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            for folder in _above(path):  # else they are root's alone
                walls += ["--perms", "755", "--dir", folder]
            walls += ["--ro-bind", path, path]
    return walls


def _above(path: str) -> list[str]:
    """The folders that a path lies in, from the top, without / and /tmp."""
    parts = path.split("/")[1:-1]
    folders = ["/" + "/".join(parts[: count + 1]) for count in range(len(parts))]
    return [folder for folder in folders if folder != "/tmp"]
